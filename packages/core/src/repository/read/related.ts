import type { Call } from '../../contract/call.ts'
import type { Row } from '../../contract/row.ts'
import { InvalidFilter } from '../../errors.ts'
import type { Filter } from '../../contract/condition.ts'
import type { Restriction } from '../../contract/access-control.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { serverCall } from '../../access/call.ts'
import { settleMissing } from '../../filter/missing-values.ts'
import { namesRelation, whereNamesRelation } from '../../filter/related-conditions.ts'
import type { ResolvedFilter } from '../../contract/relation.ts'

/** True for an empty include. LB3: numbers, booleans and empty values are ignored, pinned by filter/wrong-types. */
export function includesNothing(include: unknown): boolean {
  if (
    include === undefined ||
    include === null ||
    include === '' ||
    typeof include === 'number' ||
    typeof include === 'boolean'
  )
    return true
  return typeof include === 'object' && Object.keys(include).length === 0
}

/** The rows whose relations are read. */
export interface ReadRows {
  readonly rows: readonly Row[]
  readonly filter: Filter
  readonly call: Call
  /** What the client may see of the rows' model; undefined: everything. */
  readonly restriction: Restriction | undefined
}

/** Reads the relations that the filter includes. @throws {InvalidFilter} relations are not installed */
export async function loadRelated(
  model: ModelType,
  read: ReadRows
): Promise<readonly Record<string, unknown>[] | undefined> {
  const { rows, filter, call, restriction } = read
  const { include, fields } = filter
  if (includesNothing(include)) return undefined
  const load = model.registry.includeLoader
  if (load === undefined) throw new InvalidFilter(`${model.name} has no relation to include`)
  return rows.length === 0 ? undefined : load({ model, rows, include, fields, call, restriction })
}

/**
 * A filter that reads the keys needed for relations even if `fields` omits them: they are dropped when the response is
 * written.
 */
export const readingFilter = (filter: Filter): Filter =>
  filter.fields === undefined || includesNothing(filter.include) ? filter : { ...filter, fields: undefined }

/**
 * Denies what a client may not include, whatever the rows, before any of them is read.
 * @throws what access control refuses it with
 */
export async function refuseIncludes(
  model: ModelType,
  { filter, call, restriction }: Pick<ReadRows, 'filter' | 'call' | 'restriction'>
): Promise<void> {
  const { include, fields } = filter
  if (call.client === undefined || includesNothing(include)) return
  await model.registry.includeLoader?.refuse?.({ model, include, fields, call, restriction })
}

/** The filter without its parts that refer to related records, which `relations` resolves. The filter itself if it has none. */
export async function resolveRelated(
  model: ModelType,
  filter: unknown,
  call: Call,
  restriction: Restriction | undefined
): Promise<ResolvedFilter> {
  const resolve = model.registry.relatedFilter
  return resolve === undefined || !namesRelation(model, filter)
    ? { filter }
    : resolve({
        model,
        filter: { ...filter, where: settleMissing(model, filter['where'], call.options) },
        call,
        restriction
      })
}

/** Resolves the conditions on related records in a `where`; returns the `where` itself if it names no relation. */
export async function resolveRelatedWhere(
  model: ModelType,
  where: unknown,
  call: Call,
  asKeys = false
): Promise<unknown> {
  const resolve = model.registry.relatedFilter
  if (resolve === undefined || !whereNamesRelation(model, where)) return where
  const settled = settleMissing(model, where, call.options)
  const { filter } = await resolve({ model, filter: { where: settled }, call, asKeys })
  // A filter goes in, so a filter comes out.
  return (filter as { where?: unknown }).where
}

/** Resolves a `where` that will be compared with this one record. */
export async function resolveWhereOfRecord(
  model: ModelType,
  where: Readonly<Record<string, unknown>>,
  record: Row
): Promise<Readonly<Record<string, unknown>>> {
  const resolve = model.registry.relatedFilter
  if (resolve === undefined || !whereNamesRelation(model, where)) return where
  const { filter } = await resolve({ model, filter: { where }, call: serverCall(), asKeys: true, record })
  // A filter goes in, so a filter comes out.
  return (filter as { where: Readonly<Record<string, unknown>> }).where
}

/** Resolves the `where` of a write: observers of changes see the condition, perhaps when it no longer holds. */
export function resolveChangingWhere(model: ModelType, where: unknown, call: Call): Promise<unknown> {
  const isObserved = !model.hooks.isEmpty || model.deletionGuards.length > 0
  return resolveRelatedWhere(model, where, call, isObserved || model.registry.changes.hasListeners(model.name))
}
