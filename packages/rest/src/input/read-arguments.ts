import { GeoPoint, type OperationContext } from '@modelwire/core'
import type { Argument, CompiledOperation, Operation, Registry } from '@modelwire/core/plugin'
import type { ValueType } from '@modelwire/core/connector'
import { writtenQuery } from '@modelwire/server'
import { compileBodyCoercion, compileCoercion, type BodyCoercion } from './coerce-argument.ts'
import type { CoercionOptions, GeoPointParts, Coercion } from './coercion.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { idReader } from './id-in-path.ts'
import { noQuery, readCheckedQuery, type ReadQuery } from './read-query.ts'

/** Reads all arguments of an operation from a request. */
export type ReadArguments = (
  request: FastifyRequest,
  reply: FastifyReply,
  context: OperationContext
) => Record<string, unknown>

/** Checks or completes the result: called with the query as written, and the arguments. */
export type CheckArguments = (query: Readonly<Record<string, unknown>>, args: Record<string, unknown>) => void

/** A request from which arguments are read. */
interface Source {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string | undefined>>
  readonly context: OperationContext
}

/** Reads one argument. */
type ReadArgument = (source: Source) => unknown

/** Fields of a body that is an object. */
function bodyFields(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const { body } = request
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return noQuery
  // Parsed bodies have own keys only.
  return body as Record<string, unknown>
}

/** The inputs of an argument's reader. */
interface ReaderParts {
  readonly name: string
  readonly coercion: (source: CoercionOptions['source']) => Coercion
  readonly body: () => BodyCoercion
}

const readField = ({ name, coercion }: ReaderParts): ReadArgument => {
  const [json, form] = [coercion('json'), coercion('form')]
  return ({ request }) => {
    const value = bodyFields(request)[name]
    return request.bodyFormat === 'json' ? json(value) : form(value)
  }
}

/** Makers of readers by the source that an argument names. */
const argumentReaders: Readonly<Record<Argument['source'], (parts: ReaderParts) => ReadArgument>> = {
  path: ({ name, coercion }) => {
    const coerce = coercion('path')
    return ({ params }) => coerce(params[name])
  },
  query: ({ name, coercion }) => {
    const coerce = coercion('query')
    return ({ query }) => coerce(query[name])
  },
  header: ({ name, coercion }) => {
    const coerce = coercion('header')
    const header = name.toLowerCase()
    return ({ request }) => coerce(request.headers[header])
  },
  form: readField,
  formData: readField,
  body: ({ body }) => {
    const coerce = body()
    return ({ request }) => coerce(request.body, request.bodyFormat)
  },
  req: () => (from) => from.context.req,
  res: () => (from) => from.context.res,
  context: () => (from) => from.context,
  options: () => (from) => from.context.options,
  any: (parts) => {
    const { name } = parts
    const [path, field, query, header] = [
      argumentReaders.path,
      readField,
      argumentReaders.query,
      argumentReaders.header
    ].map((make) => make(parts))
    return (from) => {
      if (from.params[name] !== undefined) return path?.(from)
      if (bodyFields(from.request)[name] !== undefined) return field?.(from)
      return from.query[name] === undefined ? header?.(from) : query?.(from)
    }
  }
}

/** Characters of all query strings that one operation keeps, and of one of them. */
const cachedCharacters = 500_000

const longestCached = 2000

/** The options for reading the arguments of any operation. */
export interface ReadingOptions {
  readonly delimiters?: readonly (string | RegExp)[] | undefined
  readonly readQuery: ReadQuery
}

const anything: ValueType = { kind: 'any' }

/** The type of an argument that is not a file, which only answers can be. */
const valueType = ({ type }: Argument, registry: Registry): ValueType =>
  type.kind === 'file' ? anything : publicType(type, registry)

/** LB3: of models, remoting knows the public ones alone, and takes whatever comes for others; `SharedClass` registers the types. */
function publicType(type: ValueType, registry: Registry): ValueType {
  if (!registry.rules.takesAnythingForPrivateModels) return type
  if (type.kind === 'array' && type.items !== undefined) return { ...type, items: publicType(type.items, registry) }
  return type.kind === 'model' && registry.find(type.model)?.definition.public !== true ? anything : type
}

/** Makes instances of an argument that is declared as a model, or as a list of one: scripts find its defaults and methods on them. */
function toModel(type: ValueType, registry: Registry, read: ReadArgument): ReadArgument {
  const one = type.kind === 'array' ? type.items : type
  const modelClass = one?.kind === 'model' ? registry.find(one.model)?.modelClass : undefined
  if (modelClass === undefined) return read
  const make = (value: unknown): unknown =>
    // Objects of JSON and of forms are plain: their coercion refused everything else.
    typeof value === 'object' && value !== null ? new modelClass(value as Record<string, unknown>) : value
  return (source) => {
    const value = read(source)
    return Array.isArray(value) ? value.map(make) : make(value)
  }
}

/** The context of reading one argument. */
interface ArgumentReading {
  readonly argument: Argument
  readonly operation: Operation
  readonly registry: Registry
  readonly options: ReadingOptions
}

function compileArgument(reading: ArgumentReading): ReadArgument {
  const { argument, registry } = reading
  return toModel(valueType(argument, registry), registry, compileReading(reading))
}

function sharedOptions({ argument, registry, options }: ArgumentReading): Omit<CoercionOptions, 'source'> {
  return {
    name: argument.name,
    readsLoosely: registry.rules.readsArgumentsLoosely,
    readsDatesInZone: registry.rules.readsDatesInZone,
    delimiters: options.delimiters,
    allowArray: argument.allowArray,
    // LB3: in a filter such names are properties that no record has, pinned by filter/encoding
    refuseNames: argument.source !== 'query' || !registry.rules.ignoresPrototypeNames,
    makeGeoPoint: ({ lat, lng }: GeoPointParts) => new GeoPoint(lat, lng)
  }
}

function compileReading(reading: ArgumentReading): ReadArgument {
  const { name, compute, isId, source } = reading.argument
  const shared = sharedOptions(reading)
  const type = valueType(reading.argument, reading.registry)
  if (compute !== undefined) {
    const coerce = compileCoercion(type, { ...shared, source: 'computed' })
    return ({ context }) => coerce(compute(context))
  }
  if (isId === true) {
    const readId = idReader(reading.operation, name)
    return ({ request }) => readId(request)
  }
  return argumentReaders[source]({
    name,
    coercion: (from) => compileCoercion(type, { ...shared, source: from }),
    body: () => compileBodyCoercion(type, shared)
  })
}

/**
 * Compiles the reader of an operation's arguments.
 * @throws {InvalidArgument} (the reader) a value does not suit its type
 */
export function compileArguments(
  { operation, isPlain, guards }: CompiledOperation,
  options: ReadingOptions,
  checks: readonly CheckArguments[]
): ReadArguments {
  const { registry } = operation.model
  const readers = operation.accepts.map(
    (argument) => [argument.name, compileArgument({ argument, operation, registry, options })] as const
  )
  const { ignoresPrototypeNames } = registry.rules
  const readsQuery = checks.length > 0 || operation.accepts.some(({ source }) => source === 'query' || source === 'any')
  const read: ReadArguments = (request, reply, context) => {
    const query = readsQuery ? readCheckedQuery(request, ignoresPrototypeNames, options.readQuery) : noQuery
    // Parameters of a path are texts.
    const params = request.params as Source['params']
    const source: Source = { request, reply, query, context, params }
    const args: Record<string, unknown> = {}
    for (const [name, readArgument] of readers) args[name] = readArgument(source)
    for (const check of checks) check(query, args)
    return args
  }
  const onlyQuery = operation.accepts.every(({ source }) => source === 'query' || source === 'options')
  if (!onlyQuery || !readsQuery || !isPlain) return read
  const readShared = cacheByQuery(operation.accepts, read)
  const isShared = (): boolean => guards.every(({ ignoresArguments }) => ignoresArguments?.() === true)
  return (...call) => (isShared() ? readShared(...call) : read(...call))
}

/**
 * Reads arguments that the query string alone decides once per text. They are frozen, since several calls share them: no
 * code of the application may get them.
 */
function cacheByQuery(accepts: readonly Argument[], read: ReadArguments): ReadArguments {
  const cache = new Map<string, Record<string, unknown>>()
  let characters = 0
  const shared = accepts.filter(({ source }) => source === 'query').map(({ name }) => name)
  const keep = (text: string, args: Record<string, unknown>): void => {
    characters += text.length
    cache.set(text, args)
    for (const oldest of cache.keys()) {
      if (characters <= cachedCharacters) return
      characters -= oldest.length
      cache.delete(oldest)
    }
  }
  return (request, reply, context) => {
    const text = writtenQuery(request)
    const cached = cache.get(text)
    if (cached !== undefined) return { ...cached, options: context.options }
    const args = read(request, reply, context)
    if (text.length <= longestCached) keep(text, shareable(args, shared))
    return args
  }
}

/** With room for `options`: a copy that grows costs ten times one that does not. */
function shareable(args: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const frozen = names.map((name) => [name, deepFreeze(args[name])] as const)
  return Object.fromEntries([...frozen, ['options', undefined]])
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}
