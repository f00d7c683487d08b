import { isPlainObject, logicalKeys, type ModelRegistry, type ModelType, relationOf } from '@modelwire/core'
import { FilterDenied } from '../errors.ts'
import { callerIn } from './caller.ts'
import { isClients, targetOf } from './guard-includes.ts'
import type { ReadRights } from './read-check.ts'

/** Finds the model behind a relation. */
type Target = (model: ModelType, relation: string) => ModelType | undefined

/** The models that one key of a condition reaches into, such as `author` or `author.name`. */
function reachedBy(model: ModelType, key: string, value: unknown, target: Target): readonly ModelType[] {
  const relation = relationOf(model, key)
  const to = relation === undefined ? undefined : target(model, relation)
  if (relation === undefined || to === undefined) return []
  const below = key === relation ? value : { [key.slice(relation.length + 1)]: value }
  return [to, ...reachedByWhere(to, below, target)]
}

/** The models that a condition reaches into. */
function reachedByWhere(model: ModelType, where: unknown, target: Target): readonly ModelType[] {
  if (Array.isArray(where)) return where.flatMap((part: unknown) => reachedByWhere(model, part, target))
  if (!isPlainObject(where)) return []
  return Object.entries(where).flatMap(([key, value]) =>
    logicalKeys.has(key) ? reachedByWhere(model, value, target) : reachedBy(model, key, value, target)
  )
}

/** The models that an order reaches into. */
function reachedByOrder(model: ModelType, order: unknown, target: Target): readonly ModelType[] {
  const texts = (Array.isArray(order) ? order : [order]).filter((text) => typeof text === 'string')
  const keys = texts.flatMap((text) => text.split(',')).map((clause) => clause.trim().split(/\s+/)[0] ?? '')
  return keys.flatMap((key) => reachedBy(model, key, undefined, target))
}

/**
 * Puts access rules before filters that reach into related records: which rows match would tell what the caller may not
 * read. Whoever may list all records of the related model may ask.
 * @throws {FilterDenied} (the filter) the caller may not list them
 */
export function guardFilters(registry: ModelRegistry, rights: ReadRights): void {
  const resolve = registry.relatedFilter
  if (resolve === undefined) return
  const target: Target = (model, relation) => targetOf(registry, model, relation)
  registry.relatedFilter = async (request) => {
    const { model, filter, options } = request
    const { where, order } = filter
    const reached = isClients(options)
      ? new Set([...reachedByWhere(model, where, target), ...reachedByOrder(model, order, target)])
      : []
    for (const to of reached) {
      const listing = await rights.listing(to, callerIn(options))
      if (listing !== 'all') throw new FilterDenied(`this caller may not filter by records of ${to.name}`)
    }
    return resolve(request)
  }
}
