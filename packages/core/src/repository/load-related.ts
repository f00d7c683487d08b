import type { Row } from '../connector/connector.ts'
import { InvalidFilter } from '../errors.ts'
import type { Filter } from '../filter/condition.ts'
import type { ModelType } from '../model/model-type.ts'
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
  readonly options: Record<string, unknown>
  readonly asRows: boolean
}

/** Reads the relations that the filter includes. @throws {InvalidFilter} nobody serves relations */
export function loadRelated(
  model: ModelType,
  read: ReadRows
): Awaitable<readonly Record<string, unknown>[] | undefined> {
  const { rows, filter, options, asRows } = read
  const { include, fields } = filter
  if (includesNothing(include)) return undefined
  const load = model.registry.includeLoader
  if (load === undefined) throw new InvalidFilter(`${model.name} has no relation to include`)
  return rows.length === 0 ? undefined : load({ model, rows, include, fields, options, asRows })
}

/** Relations are followed by keys that `fields` may leave out: they are dropped when the answer is written. */
export const readingFilter = (filter: Filter): Filter =>
  filter.fields === undefined || includesNothing(filter.include) ? filter : { ...filter, fields: undefined }
