import { keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'

// Conditions that `rest` froze because their text is cached: looked at once per model.
const conditionResults = keepPerModel<boolean>()

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
