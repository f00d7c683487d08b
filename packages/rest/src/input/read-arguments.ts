import { type Argument, type CompiledOperation, GeoPoint, type ModelRegistry, type OperationContext, type QueryOptions, type ValueType } from '@modelwire/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compileBodyCoercion, compileCoercion } from './coerce-argument.ts'
import type { GeoPointParts } from './coercion.ts'
import { parseQueryString, type QueryStringLimits } from './parse-query-string.ts'

/** What reading the arguments of any operation needs to know. */
export interface ReadingOptions {
  readonly version: 2 | 3
  readonly delimiters?: readonly (string | RegExp)[] | undefined
  readonly queryLimits?: QueryStringLimits | undefined
  /** What data access is told of a caller without a token. */
  readonly callerOptions: QueryOptions & Record<string, unknown>
}

/** One request as arguments are read from it. */
interface Source {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string | undefined>>
  readonly context: OperationContext
}

type ReadArgument = (source: Source) => unknown

/** Reads all arguments of an operation from a request. */
export type ReadArguments = (request: FastifyRequest, reply: FastifyReply, context: OperationContext) => Record<string, unknown>

const noQuery: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null) as Record<string, unknown>)

/** The query string of a request; without one nothing is parsed. */
export function readQuery(request: FastifyRequest, limits?: QueryStringLimits): Readonly<Record<string, unknown>> {
  const { url = '' } = request.raw
  const mark = url.indexOf('?')
  return mark === -1 || mark === url.length - 1 ? noQuery : parseQueryString(url.slice(mark + 1), limits)
}

/** Fields of a body that is an object. */
function bodyFields(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const { body } = request
  // Parsed bodies have own keys only; lists have no field that an argument could be named after.
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : noQuery
}

/** The type of an argument that is not a file, which only answers can be. */
const valueType = (argument: Argument): ValueType => (argument.type.kind === 'file' ? { kind: 'any' } : argument.type)

/** Makes an instance of an argument that is declared as a model: scripts find its defaults and methods on it. */
function toModel(type: ValueType, registry: ModelRegistry, read: ReadArgument): ReadArgument {
  if (type.kind !== 'model') return read
  const modelClass = registry.find(type.model)?.modelClass
  if (modelClass === undefined) return read
  return (source) => {
    const value = read(source)
    // Objects of JSON and of forms are plain: their coercion refused everything else.
    return typeof value === 'object' && value !== null ? new modelClass(value as Record<string, unknown>) : value
  }
}

const compileArgument = (argument: Argument, registry: ModelRegistry, options: ReadingOptions): ReadArgument =>
  toModel(valueType(argument), registry, compileReading(argument, options))

function compileReading(argument: Argument, { version, delimiters }: ReadingOptions): ReadArgument {
  const { name, compute } = argument
  const type = valueType(argument)
  const shared = {
    name,
    version,
    delimiters,
    allowArray: argument.allowArray,
    refuseNames: argument.source !== 'query',
    makeGeoPoint: ({ lat, lng }: GeoPointParts) => new GeoPoint(lat, lng)
  }
  if (compute !== undefined) {
    const coerce = compileCoercion(type, { ...shared, source: 'computed' })
    return ({ context }) => coerce(compute(context))
  }
  // LB3: the text null is no id, pinned by crud/instance
  if (argument.isId === true) return ({ params }) => (params[name] === 'null' ? undefined : params[name])
  const loose = (source: 'path' | 'query' | 'header' | 'form') => compileCoercion(type, { ...shared, source })
  const strict = compileCoercion(type, { ...shared, source: 'json' })
  const coercions = { path: loose('path'), query: loose('query'), header: loose('header'), form: loose('form') }
  const body = compileBodyCoercion(type, shared)
  const field = (source: Source) => {
    const value = bodyFields(source.request)[name]
    return source.request.bodyFormat === 'json' ? strict(value) : coercions.form(value)
  }
  const headerName = name.toLowerCase()
  const readers: Readonly<Record<Argument['source'], ReadArgument>> = {
    path: ({ params }) => coercions.path(params[name]),
    query: ({ query }) => coercions.query(query[name]),
    header: ({ request }) => coercions.header(request.headers[headerName]),
    form: field,
    formData: field,
    body: ({ request }) => body(request.body, request.bodyFormat),
    req: ({ context }) => context.req,
    res: ({ context }) => context.res,
    context: ({ context }) => context,
    options: ({ context }) => context.options,
    any: (source) => {
      if (source.params[name] !== undefined) return coercions.path(source.params[name])
      if (bodyFields(source.request)[name] !== undefined) return field(source)
      if (source.query[name] !== undefined) return coercions.query(source.query[name])
      return coercions.header(source.request.headers[headerName])
    }
  }
  return readers[argument.source]
}

/**
 * Compiles the reading of an operation's arguments.
 * @throws {InvalidArgument} (the reader) a value does not suit its type
 */
export function compileArguments({ operation, before, after }: CompiledOperation, options: ReadingOptions): ReadArguments {
  const readers = operation.accepts.map((argument) => [argument.name, compileArgument(argument, operation.model.registry, options)] as const)
  const readsQuery = operation.accepts.some(({ source }) => source === 'query' || source === 'any')
  const read: ReadArguments = (request, reply, context) => {
    const query = readsQuery ? readQuery(request, options.queryLimits) : noQuery
    const source: Source = { request, reply, query, context, params: request.params as Source['params'] }
    const args: Record<string, unknown> = {}
    for (const [name, readArgument] of readers) args[name] = readArgument(source)
    return args
  }
  const onlyQuery = operation.accepts.every(({ source }) => source === 'query' || source === 'options')
  const cacheable = onlyQuery && readsQuery && before.length === 0 && after.length === 0
  return cacheable ? cacheByQuery(operation.accepts, read) : read
}

/** Characters of all query strings that one operation keeps, and of one of them. */
const cachedCharacters = 500_000
const longestCached = 2000

/** Arguments that the query string alone decides are read once per text. They are frozen, since several calls share them. */
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
    const { url = '' } = request.raw
    const mark = url.indexOf('?')
    const text = mark === -1 ? '' : url.slice(mark + 1)
    const known = cache.get(text)
    if (known !== undefined) return { ...known, options: context.options }
    const args = read(request, reply, context)
    if (text.length <= longestCached) keep(text, Object.fromEntries(shared.map((name) => [name, deepFreeze(args[name])])))
    return args
  }
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}

