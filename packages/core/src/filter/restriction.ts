import type { Condition, Filter } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Restriction } from '../contract/access-control.ts'
import { bothConditions } from './default-scope.ts'

/** Combines a condition with a restriction. */
export const conditionWithin = (
  restriction: Restriction | undefined,
  where: Condition | undefined
): Condition | undefined => bothConditions(restriction?.condition, where)

/**
 * Throws for a record that was not found if the client may only see some: the error does not reveal whether it exists.
 * @throws the restriction's error for denied records
 */
export function denyMissing(restriction: Restriction | undefined): void {
  if (restriction?.condition !== undefined) throw restriction.deny()
}

const intersections = new WeakMap<ReadonlySet<string>, WeakMap<ReadonlySet<string>, ReadonlySet<string>>>()

/** The intersection of both sets; the same set each time, since serializers are cached by it. */
export function bothFields(
  first: ReadonlySet<string> | undefined,
  second: ReadonlySet<string> | undefined
): ReadonlySet<string> | undefined {
  if (first === undefined || second === undefined) return first ?? second
  const cached = intersections.get(first) ?? new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()
  intersections.set(first, cached)
  const both = cached.get(second) ?? new Set([...first].filter((name) => second.has(name)))
  cached.set(second, both)
  return both
}

/** Combines a filter with a restriction: both select the records, the filter alone orders and paginates them. */
export function filterWithin(restriction: Restriction | undefined, filter: Filter): Filter {
  if (restriction === undefined) return filter
  const { condition, readable } = restriction
  const where = bothConditions(condition, filter.where)
  return { ...filter, where, fields: bothFields(filter.fields, readable) }
}

/** Names of the properties that a condition tests, except those of related records. */
export function propertiesIn(where: Condition): readonly string[] {
  if (where.kind === 'never') return []
  if (where.kind === 'related') return [where.keyFrom]
  return where.kind === 'test' ? [where.path[0] ?? ''] : where.conditions.flatMap(propertiesIn)
}

/**
 * Refuses a client's filter on a property that the client may not read: the matching records would reveal its values.
 * @throws the restriction's error for denied properties
 */
export function checkReadable(
  { name: model }: ModelType,
  { where, order = [] }: Partial<Pick<Filter, 'where' | 'order'>>,
  restriction: Restriction | undefined
): void {
  const readable = restriction?.readable
  if (readable === undefined) return
  const ordering = order.map(({ path, related }) => related?.keyFrom ?? path[0] ?? '')
  const names = [...(where === undefined ? [] : propertiesIn(where)), ...ordering]
  const denied = names.find((name) => !readable.has(name))
  if (denied !== undefined && restriction !== undefined)
    throw restriction.denyProperty(`this client may not filter or order ${model} by ${denied}`)
}
