import { InvalidArgument, InvalidFilter } from '@modelwire/core'
import { isPlainObject, listedModel, type ModelType, type Operation } from '@modelwire/core/plugin'

/** Checks what a client sends beside the data: the query as it was written, and the arguments that were read. */
export type RefuseUnknown = (query: Readonly<Record<string, unknown>>, args: Readonly<Record<string, unknown>>) => void

/** Parameters of queries that no operation declares. */
const common: readonly string[] = ['access_token', '_format', 'callback']

const filterKeys: ReadonlySet<string> = new Set([
  'where',
  'order',
  'limit',
  'skip',
  'offset',
  'fields',
  'include',
  'after',
  'before'
])

const logicalKeys: ReadonlySet<string> = new Set(['and', 'or', 'nor'])

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const textsIn = (value: unknown): string[] => asList(value).filter((item) => typeof item === 'string')

/** True for properties and relations of a model; a model that is not strict has any. */
function isNamed({ strict, byName, relations }: ModelType, path: string): boolean {
  const [name = ''] = path.split('.')
  return !strict || byName.has(name) || relations.has(name)
}

/** The names of properties that a `where` is about. */
function namesInWhere(where: unknown): string[] {
  if (!isPlainObject(where)) return []
  return Object.entries(where).flatMap(([key, value]) =>
    logicalKeys.has(key) ? asList(value).flatMap(namesInWhere) : [key]
  )
}

const namesInOrder = (order: unknown): string[] =>
  textsIn(order)
    .flatMap((text) => text.split(',').map((clause) => clause.trim().split(/\s+/)[0] ?? ''))
    .filter(Boolean)

const namesInFields = (fields: unknown): string[] => (isPlainObject(fields) ? Object.keys(fields) : textsIn(fields))

function refuseUnnamed(model: ModelType, part: string, names: readonly string[]): void {
  const unknown = names.find((name) => !isNamed(model, name))
  if (unknown !== undefined)
    throw new InvalidFilter(`${part}: ${model.name} has no property ${JSON.stringify(unknown)}`)
}

function refuseInFilter(model: ModelType, filter: unknown): void {
  if (!isPlainObject(filter)) return
  const unknown = Object.keys(filter).find((key) => !filterKeys.has(key))
  if (unknown !== undefined) throw new InvalidFilter(`a filter has no part ${JSON.stringify(unknown)}`)
  refuseUnnamed(model, 'where', namesInWhere(filter['where']))
  refuseUnnamed(model, 'order', namesInOrder(filter['order']))
  refuseUnnamed(model, 'fields', namesInFields(filter['fields']))
}

/** True where code of the application reads the request by itself: which parameters it knows is not declared. */
const readsRequest = ({ accepts }: Operation): boolean =>
  accepts.some(({ source, compute }) => compute !== undefined || source === 'req' || source === 'context')

/**
 * Compiles what `handling=strict` refuses of a request to an operation.
 * @throws {InvalidArgument} (what it gives) the query has a parameter that the operation does not know
 * @throws {InvalidFilter} (what it gives) a filter has an unknown part, or names properties that a strict model does not have
 */
export function compileRefusal(operation: Operation): RefuseUnknown {
  const known = new Set([...common, ...operation.accepts.map(({ name }) => name)])
  const knowsAll = readsRequest(operation)
  const { model, effect } = operation
  const isAboutModel = effect.relation === undefined && effect.verb !== 'call'
  const listed = listedModel(operation) ?? (isAboutModel ? model : undefined)
  return (query, args) => {
    const unknown = knowsAll ? undefined : Object.keys(query).find((name) => !known.has(name))
    if (unknown !== undefined) throw new InvalidArgument(`there is no parameter ${JSON.stringify(unknown)} here`)
    if (listed === undefined) return
    if (effect.verb === 'find') refuseInFilter(listed, args['filter'])
    refuseUnnamed(listed, 'where', namesInWhere(args['where']))
  }
}
