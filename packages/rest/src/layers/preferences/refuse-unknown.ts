import { isPlainObject } from '@modelwire/server'
import { InvalidArgument, InvalidFilter } from '@modelwire/core'
import {
  belowRelation,
  listedModel,
  logicalKeys,
  type Operation,
  relationOf,
  whereOfRelated
} from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { CheckArguments } from '../../input/read-arguments.ts'

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

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const textsIn = (value: unknown): string[] => asList(value).filter((item) => typeof item === 'string')

/** True for properties and relations of a model; a model that is not strict has any. */
function isNamed({ strict, byName, relations }: ModelType, path: string): boolean {
  const [name = ''] = path.split('.')
  return !strict || byName.has(name) || relations.has(name)
}

/** Refuses names of a `where` that are unknown, also to the related models that it reaches into. */
function refuseInWhere(model: ModelType, where: unknown): void {
  if (!isPlainObject(where)) return
  for (const [key, value] of Object.entries(where)) refuseInEntry(model, key, value)
}

function refuseInEntry(model: ModelType, key: string, value: unknown): void {
  if (logicalKeys.has(key)) {
    for (const part of asList(value)) refuseInWhere(model, part)
    return
  }
  refuseUnnamed(model, 'where', [key])
  const name = relationOf(model, key)
  const relation = name === undefined ? undefined : model.relations.get(name)
  const to = relation?.to
  if (name === undefined || relation === undefined || to === undefined) return
  for (const where of whereOfRelated(relation, belowRelation(key, name, value))) refuseInWhere(to, where)
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
  if (unknown !== undefined) throw new InvalidFilter(`unknown key of a filter ${JSON.stringify(unknown)}`)
  refuseInWhere(model, filter['where'])
  refuseUnnamed(model, 'order', namesInOrder(filter['order']))
  refuseUnnamed(model, 'fields', namesInFields(filter['fields']))
}

/** True where code of the application reads the request by itself: which parameters it knows is not declared. */
const readsRequest = ({ accepts }: Operation): boolean =>
  accepts.some(({ source, compute }) => compute !== undefined || source === 'req' || source === 'context')

/**
 * Compiles the checks of `handling=strict` for an operation.
 * @throws {InvalidArgument} (what it gives) the query has a parameter that the operation does not know
 * @throws {InvalidFilter} (what it gives) a filter has an unknown part, or names properties that a strict model does not have
 */
export function compileRefusal(operation: Operation): CheckArguments {
  const known = new Set([...common, ...operation.accepts.map(({ name }) => name)])
  const knowsAll = readsRequest(operation)
  const { model, effect } = operation
  const isAboutModel = effect.relation === undefined && effect.verb !== 'call'
  const listed = listedModel(operation) ?? (isAboutModel ? model : undefined)
  return (query, args) => {
    const unknown = knowsAll ? undefined : Object.keys(query).find((name) => !known.has(name))
    if (unknown !== undefined) throw new InvalidArgument(`unknown parameter ${JSON.stringify(unknown)}`)
    if (listed === undefined) return
    if (effect.verb === 'find') refuseInFilter(listed, args['filter'])
    refuseInWhere(listed, args['where'])
  }
}
