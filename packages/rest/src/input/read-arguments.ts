import { GeoPoint, type QueryLimits } from '@modelwire/core'
import type { Argument, CompiledOperation, Registry, QueryOptions, ValueType } from '@modelwire/core/plugin'
import { argumentReaders, type ReadArgument, type Source } from './argument-readers.ts'
import type { ReadArguments } from './argument-reader.ts'
import { cacheByQuery } from './cache-by-query.ts'
import { compileBodyCoercion, compileCoercion } from './coerce-argument.ts'
import type { CoercionOptions, GeoPointParts } from './coercion.ts'
import { type BoundLimit, compileLimit } from '../lists/bound-limit.ts'
import { clientList } from '../lists/client-list.ts'
import type { RestSettings } from '../options.ts'
import { compileRefusal } from '../preferences/refuse-unknown.ts'
import { noQuery, readCheckedQuery, type ReadQuery } from './read-query.ts'

/** The options for reading the arguments of any operation. */
export interface ReadingOptions {
  readonly delimiters?: readonly (string | RegExp)[] | undefined
  readonly readQuery: ReadQuery
  /** The options of data access for a caller without a token. */
  readonly callerOptions: QueryOptions & Record<string, unknown>
  /** Bounds of the filters that a client may send. */
  readonly clientLimits: QueryLimits
  /** The options of the plugin. */
  readonly settings: RestSettings
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
  readonly registry: Registry
  readonly options: ReadingOptions
}

function compileArgument(reading: ArgumentReading): ReadArgument {
  const { argument, registry } = reading
  return toModel(valueType(argument, registry), registry, compileReading(reading))
}

/** With the limit of the page in the filter of a list. */
function withLimit(reading: ArgumentReading, bound: BoundLimit | undefined): ReadArgument {
  const read = compileArgument(reading)
  return bound === undefined || reading.argument.name !== 'filter' ? read : (source) => bound(read(source))
}

function sharedOptions({ argument, registry, options }: ArgumentReading): Omit<CoercionOptions, 'source'> {
  return {
    name: argument.name,
    readsLoosely: registry.rules.readsArgumentsLoosely,
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
  // LB3: the text null is not an id, pinned by crud/instance
  if (isId === true) return ({ params }) => (params[name] === 'null' ? undefined : params[name])
  return argumentReaders[source]({
    name,
    coercion: (from) => compileCoercion(type, { ...shared, source: from }),
    body: () => compileBodyCoercion(type, shared)
  })
}

/**
 * Compiles the reading of an operation's arguments.
 * @throws {InvalidArgument} (the reader) a value does not suit its type
 */
export function compileArguments(
  { operation, before, after, runsApplicationCode }: CompiledOperation,
  options: ReadingOptions
): ReadArguments {
  const { registry } = operation.model
  const list = clientList(operation, options.settings.lists)
  const bound = list && compileLimit(list)
  const readers = operation.accepts.map(
    (argument) => [argument.name, withLimit({ argument, registry, options }, bound)] as const
  )
  const refuse = options.settings.handling === 'strict' ? compileRefusal(operation) : undefined
  const { ignoresPrototypeNames } = registry.rules
  const readsQuery =
    refuse !== undefined || operation.accepts.some(({ source }) => source === 'query' || source === 'any')
  const read: ReadArguments = (request, reply, context) => {
    const query = readsQuery ? readCheckedQuery(request, ignoresPrototypeNames, options.readQuery) : noQuery
    // Parameters of a path are texts.
    const params = request.params as Source['params']
    const source: Source = { request, reply, query, context, params }
    const args: Record<string, unknown> = {}
    for (const [name, readArgument] of readers) args[name] = readArgument(source)
    refuse?.(query, args)
    return args
  }
  const onlyQuery = operation.accepts.every(({ source }) => source === 'query' || source === 'options')
  const cacheable = onlyQuery && readsQuery && !runsApplicationCode && before.length === 0 && after.length === 0
  return cacheable ? cacheByQuery(operation.accepts, read) : read
}
