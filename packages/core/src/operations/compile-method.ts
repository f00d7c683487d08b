import { type MethodSpec, endpointPath, isOfRecords, shortName } from '../definition/method-table.ts'
import { InvalidDefinition } from '../definition/errors.ts'
import { NotImplemented } from '../errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '@modelwire/server'
import { compileType } from '../types/compile-type.ts'
import type { ValueType } from '../types/property-type.ts'
import { effectOfMethod } from './effect.ts'
import type {
  AccessType,
  Argument,
  ArgumentSource,
  Endpoint,
  HttpVerb,
  LoopbackText,
  Operation,
  ReturnValue
} from './operation.ts'
import type { OperationContext } from './operation-context.ts'

function asArray(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

const objects = (value: unknown): readonly Record<string, unknown>[] => asArray(value).filter(isPlainObject)
function text(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'string' && value !== '' ? value : undefined
}

const verbs: ReadonlyMap<string, HttpVerb> = new Map([
  ['get', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['del', 'DELETE'],
  ['head', 'HEAD'],
  ['all', 'ALL']
])

const sources: ReadonlySet<unknown> = new Set<ArgumentSource>([
  'path',
  'query',
  'form',
  'formData',
  'body',
  'header',
  'req',
  'res',
  'context'
])

interface Place {
  readonly model: ModelType
  readonly method: string
}

const where = (place: Place, key: string) => ({ model: place.model.name, key: `methods.${place.method}.${key}` })

/**
 * Compiles a remote method to an operation that calls the model's own function of that name.
 * @throws {InvalidDefinition} a part of the specification is malformed
 */
export function compileMethod(model: ModelType, name: string, spec: MethodSpec): Operation {
  const onInstance = isOfRecords(name)
  const method = shortName(name)
  const place = { model, method: name }
  const returns = objects(spec['returns']).map((item, index) => compileReturn(item, index, place))
  const endpoints = compileEndpoints(spec['http'], method, onInstance, place)
  const http = objects(spec['http'])[0] ?? {}
  const accepts = compileArguments(spec['accepts'], place)
  return {
    model,
    name,
    aliases: asArray(spec['aliases']).filter((alias) => typeof alias === 'string'),
    onInstance,
    accepts,
    returns,
    endpoints,
    status: compileStatus(http['status'], place),
    errorStatus: typeof http['errorStatus'] === 'number' ? http['errorStatus'] : undefined,
    accessType: compileAccessType(spec['accessType'], method, endpoints),
    accessScopes: asArray(spec['accessScopes']).length > 0 ? asArray(spec['accessScopes']).map(String) : undefined,
    returnsSecret: typeof spec['returnsSecret'] === 'boolean' ? spec['returnsSecret'] : undefined,
    documented: spec['documented'] !== false,
    sharedByDefault: spec['shared'] !== false,
    description: text(spec['description']),
    notes: text(spec['notes']),
    written: spec,
    loopbackText: spec['predefined'] === true ? (spec['loopbackText'] as LoopbackText | undefined) : undefined, // a plugin's own words
    runsApplicationCode: true,
    readsRequest: accepts.some(({ source }) => source === 'req' || source === 'context'),
    effect: effectOfMethod(onInstance, accepts, endpoints),
    invoke: (context) => callFunction(model, method, onInstance, context)
  }
}

/** The schema of a value in documents, as a package declares it. */
function documentedSchema({ documentedSchema: schema }: Readonly<Record<string, unknown>>): object | undefined {
  return isPlainObject(schema) ? schema : undefined
}

/** An answer ends with 200 to 599: what else is written here would make every call fail. */
function compileStatus(written: unknown, place: Place): number | undefined {
  if (typeof written !== 'number') return undefined
  if (Number.isInteger(written) && written >= 200 && written <= 599) return written
  throw new InvalidDefinition(`${written} is not a valid response status`, where(place, 'http.status'))
}

function callFunction(model: ModelType, method: string, onInstance: boolean, context: OperationContext): unknown {
  const owner: unknown = onInstance ? context.instance : model.modelClass
  // The owner is a class or an instance: reading a name of it gives a method or undefined.
  const found: unknown = (owner as Record<string, unknown> | undefined)?.[method]
  if (!isFunction(found)) {
    throw new NotImplemented(`${model.name}.${context.operation.name} is declared but has no function`)
  }
  const args = context.operation.accepts.map((argument) => context.args[argument.name])
  return model.registry.callMethod(found, owner, args, context.operation)
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function'
}

const readVerbs = new Set(['find', 'findById', 'findOne', 'exists', 'count'])
const writeNames = new Set([
  'create',
  'updateOrCreate',
  'upsert',
  'destroy',
  'deleteById',
  'removeById',
  'destroyAll',
  'update',
  'updateAll',
  'save'
])
const accessTypes: ReadonlySet<unknown> = new Set<AccessType>(['READ', 'WRITE', 'EXECUTE', 'REPLICATE'])

/** @see FACTS "Access type of a method": its own, else by verb, else by name */
function compileAccessType(written: unknown, method: string, endpoints: readonly Endpoint[]): AccessType {
  // The set holds nothing but access types.
  if (accessTypes.has(written)) return written as AccessType
  if (endpoints.some((endpoint) => endpoint.verb === 'GET' || endpoint.verb === 'HEAD')) return 'READ'
  if (readVerbs.has(method)) return 'READ'
  return writeNames.has(method) ? 'WRITE' : 'EXECUTE'
}

function compileArguments(written: unknown, place: Place): readonly Argument[] {
  return objects(written).map((item, index) => {
    const name = text(item['arg']) ?? text(item['name']) ?? `arg${index}`
    return {
      name,
      type: compileArgumentType(item['type'] ?? 'any', place, `accepts.${name}`),
      required: Boolean(item['required']),
      blankIsAbsent: !place.model.registry.rules.takesBlankArguments,
      allowArray: Boolean(item['allowArray']),
      default: item['default'],
      description: text(item['description']),
      documentedSchema: documentedSchema(item),
      ...compileSource(item['http'], place, name)
    }
  })
}

function compileSource(http: unknown, place: Place, name: string): Pick<Argument, 'source' | 'compute'> {
  if (http === 'optionsFromRequest') return { source: 'options' }
  // LoopBack calls such a function with the context; what it returns is the argument.
  if (isFunction(http)) return { source: 'context', compute: (context) => http(context) }
  if (!isPlainObject(http) || http['source'] === undefined) return { source: 'any' }
  const source = http['source']
  // The set holds nothing but sources.
  if (sources.has(source)) return { source: source as ArgumentSource }
  throw new InvalidDefinition(
    `invalid source of an argument "${String(source)}"`,
    where(place, `accepts.${name}.http.source`)
  )
}

/** Compiles the type of an argument or return value; `file` is none of a property. */
function compileArgumentType(written: unknown, place: Place, key: string): ValueType | { kind: 'file' } {
  if (typeof written === 'string' && written.toLowerCase() === 'file') return { kind: 'file' }
  return compileType(written, { model: place.model.name, key: `methods.${place.method}.${key}`, dottedNames: true })
}

/** A stream of objects. LB3: one without `json` is sent as it is, like a file; pinned by remoting/returns. */
const isStream = ({ type, json }: Record<string, unknown>): boolean => type === 'ReadableStream' && json === true

/** @see RFC 9110 section 5.6.2, token */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/

function compileReturn(item: Record<string, unknown>, index: number, place: Place): ReturnValue {
  const name = text(item['arg']) ?? text(item['name']) ?? `arg${index}`
  const http = isPlainObject(item['http']) ? item['http'] : {}
  const target = http['target']
  if (target !== undefined && target !== 'status' && target !== 'header')
    throw new InvalidDefinition(
      `invalid target of a return value "${String(target)}"`,
      where(place, `returns.${name}.http.target`)
    )
  const header = text(http['header'])
  if (target === 'header' && !headerName.test(header ?? name))
    throw new InvalidDefinition(
      `invalid header name ${JSON.stringify(header ?? name)}`,
      where(place, `returns.${name}.http.header`)
    )
  return {
    name,
    type: isStream(item) ? { kind: 'stream' } : compileArgumentType(item['type'] ?? 'any', place, `returns.${name}`),
    root: Boolean(item['root']),
    target,
    header,
    description: text(item['description']),
    documentedSchema: documentedSchema(item)
  }
}

function compileEndpoints(written: unknown, method: string, onInstance: boolean, place: Place): readonly Endpoint[] {
  const list = objects(written)
  return (list.length > 0 ? list : [{}]).map((http) => {
    const verb = verbs.get(String(http['verb'] ?? 'all').toLowerCase())
    if (verb === undefined)
      throw new InvalidDefinition(`invalid HTTP verb "${String(http['verb'])}"`, where(place, 'http.verb'))
    const path = text(http['path']) ?? `/${method}`
    return { verb, path: endpointPath(onInstance, path) }
  })
}
