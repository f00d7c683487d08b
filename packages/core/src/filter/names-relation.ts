import { type KeptPerModel, keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'

// Filters that `rest` froze because their text is cached: looked at once per model.
const knownFilters = keepPerModel<boolean>()
const knownConditions = keepPerModel<boolean>()

function once(
  known: KeptPerModel<boolean>,
  model: ModelType,
  part: Record<string, unknown>,
  look: () => boolean
): boolean {
  return Object.isFrozen(part) ? known(part, model, look) : look()
}

/** The relation that a path starts at; undefined where it starts at a property. */
export function relationOf(model: ModelType, path: string): string | undefined {
  const dot = path.indexOf('.')
  const first = dot === -1 ? path : path.slice(0, dot)
  return model.relations.has(first) && !model.byName.has(first) ? first : undefined
}

/** True where a filter's `where` or `order` reaches into related records. Costs nothing for models without relations. */
export function namesRelation(model: ModelType, filter: unknown): filter is Record<string, unknown> {
  if (model.relations.size === 0 || !isPlainObject(filter)) return false
  const { where, order } = filter
  if (where === undefined && order === undefined) return false
  return once(knownFilters, model, filter, () => whereNames(model, where) || orderNames(model, order))
}

/** The same for `where` alone. */
export function whereNamesRelation(model: ModelType, where: unknown): boolean {
  if (model.relations.size === 0 || !isPlainObject(where)) return false
  return once(knownConditions, model, where, () => whereNames(model, where))
}

function whereNames(model: ModelType, where: unknown): boolean {
  if (!isPlainObject(where)) return false
  return Object.entries(where).some(([key, value]) => {
    if (key !== 'and' && key !== 'or' && key !== 'nor') return relationOf(model, key) !== undefined
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
