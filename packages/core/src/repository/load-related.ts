import type { Call } from '../contract/call.ts'
import type { Row } from '../contract/row.ts'
import { InvalidFilter } from '../errors.ts'
import type { Filter } from '../contract/condition.ts'
import type { Restriction } from '../contract/restriction.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Awaitable } from '../values/awaitable.ts'

/** True for an include that names nothing. LB3: numbers, booleans and empty values are ignored, pinned by filter/wrong-types. */
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

/** What relations are read along with. */
export interface ReadRows {
  readonly rows: readonly Row[]
  readonly filter: Filter
  readonly call: Call
  /** What the client may see of the rows' model; undefined: everything. */
  readonly restriction: Restriction | undefined
}

/** Reads the relations that the filter includes. @throws {InvalidFilter} relations are not installed */
export function loadRelated(
  model: ModelType,
  read: ReadRows
): Awaitable<readonly Record<string, unknown>[] | undefined> {
  const { rows, filter, call, restriction } = read
  const { include, fields } = filter
  if (includesNothing(include)) return undefined
  const load = model.registry.includeLoader
  if (load === undefined) throw new InvalidFilter(`${model.name} has no relation to include`)
  return rows.length === 0 ? undefined : load({ model, rows, include, fields, call, restriction })
}

/** Relations are followed by keys that `fields` may leave out: they are dropped when the answer is written. */
export const readingFilter = (filter: Filter): Filter =>
  filter.fields === undefined || includesNothing(filter.include) ? filter : { ...filter, fields: undefined }

/**
 * Refuses what a client may not include, whatever the rows are, before any of them is read.
 * @throws what access control refuses it with
 */
export function refuseIncludes(
  model: ModelType,
  { filter, call, restriction }: Pick<ReadRows, 'filter' | 'call' | 'restriction'>
): Awaitable<void> {
  const { include, fields } = filter
  if (call.client === undefined || includesNothing(include)) return undefined
  return model.registry.includeLoader?.refuse?.({ model, include, fields, call, restriction })
}
