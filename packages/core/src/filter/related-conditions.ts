import { keepPerModel } from '../model/model-lineage.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '@modelwire/server'
import type { Condition, OrderClause, RelatedCount } from '../contract/condition.ts'

/** Keys of a `where` that join conditions, each with a list of them. */
export const logicalKeys: ReadonlySet<string> = new Set(['and', 'or', 'nor'])

// Conditions that `rest` froze because their text is cached: looked at once per model.
const conditionResults = keepPerModel<boolean>()

/** The relation that a path starts with; undefined if it starts with a property. */
export function relationOf(model: ModelType, path: string): string | undefined {
  const dot = path.indexOf('.')
  const first = dot === -1 ? path : path.slice(0, dot)
  return model.relations.has(first) && !model.byName.has(first) ? first : undefined
}

/**
 * The condition on related records for a key that starts with their relation: `author: {…}`, or `'author.name': …` as `{
 * name: … }`.
 */
export const belowRelation = (key: string, name: string, value: unknown): unknown =>
  key === name ? value : { [key.slice(name.length + 1)]: value }

/** True if a filter's `where` or `order` refers to related records. Costs nothing for models without relations. */
export function namesRelation(model: ModelType, filter: unknown): filter is Record<string, unknown> {
  if (model.relations.size === 0 || !isPlainObject(filter)) return false
  const { where, order } = filter
  return whereNames(model, where) || orderNames(model, order)
}

/** True where a `where` names a relation. */
export function whereNamesRelation(model: ModelType, where: unknown): boolean {
  if (model.relations.size === 0 || !isPlainObject(where)) return false
  const look = (): boolean => whereNames(model, where)
  return Object.isFrozen(where) ? conditionResults(where, model, look) : look()
}

function whereNames(model: ModelType, where: unknown): boolean {
  if (!isPlainObject(where)) return false
  return Object.entries(where).some(([key, value]) => {
    if (!logicalKeys.has(key)) return relationOf(model, key) !== undefined
    return Array.isArray(value) && value.some((part) => whereNames(model, part))
  })
}

function orderNames(model: ModelType, order: unknown): boolean {
  const texts = Array.isArray(order) ? order : [order]
  return texts.some(
    (text) =>
      typeof text === 'string' && text.split(',').some((clause) => relationOf(model, clause.trim()) !== undefined)
  )
}

/** Keys resolved from a condition on related records, as opposed to a list sent by a client. */
export class KeySet {
  readonly keys: readonly unknown[]
  constructor(keys: readonly unknown[]) {
    this.keys = keys
  }
}

/** The keys in the records of a model that match a condition: the database finds them itself. */
export class RelatedKeys {
  readonly model: ModelType
  /** The property that contains the keys. */
  readonly property: string
  readonly where: Condition | undefined
  /** How many records must have the key; absent: one. */
  readonly count: RelatedCount | undefined
  constructor(model: ModelType, property: string, where: Condition | undefined, count?: RelatedCount) {
    this.model = model
    this.property = property
    this.where = where
    this.count = count
  }
}

/** A step of an order by a property of the one related record: the database finds that record itself. */
export class RelatedOrder {
  readonly clause: OrderClause
  constructor(clause: OrderClause) {
    this.clause = clause
  }
}
