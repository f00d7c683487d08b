import type { Condition, Filter } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Restriction } from '../contract/restriction.ts'
import { bothConditions } from './default-scope.ts'

/** A condition within a restriction. */
export const conditionWithin = (
  restriction: Restriction | undefined,
  where: Condition | undefined
): Condition | undefined => bothConditions(restriction?.condition, where)

/**
 * Throws for a record that was not found where the client may see only some: the error does not reveal whether it
 * exists.
 * @throws the restriction's error for denied records
 */
export function denyMissing(restriction: Restriction | undefined): void {
  if (restriction?.condition !== undefined) throw restriction.deny()
}

const intersections = new WeakMap<ReadonlySet<string>, WeakMap<ReadonlySet<string>, ReadonlySet<string>>>()

/** The names that both sets have; the same set each time, since serializers are kept by it. */
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

/** A filter within a restriction: which records there are is decided by both, whatever the filter orders, skips and limits. */
export function filterWithin(restriction: Restriction | undefined, filter: Filter): Filter {
  if (restriction === undefined) return filter
  const { condition, readable } = restriction
  const where = bothConditions(condition, filter.where)
  return { ...filter, where, fields: bothFields(filter.fields, readable) }
}

/** Names of the properties that a condition is about, those of related records left out. */
export function propertiesIn(where: Condition): readonly string[] {
  if (where.kind === 'never') return []
  if (where.kind === 'related') return [where.keyFrom]
  return where.kind === 'test' ? [where.path[0] ?? ''] : where.conditions.flatMap(propertiesIn)
}

/**
 * Refuses a client's filter that names a property which the client may not read: which records match would reveal its
 * values.
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
