import type { Row } from '../contract/row.ts'
import type { Filter } from '../contract/condition.ts'
import type { ResolvedFilter } from '../contract/related-records.ts'
import type { Awaitable } from '../values/awaitable.ts'

/** Reads rows; where somebody else orders them, all that match are read and cut to the page afterwards. */
export function readSorted(
  read: (filter: Filter) => Awaitable<readonly Row[]>,
  filter: Filter,
  sort: ResolvedFilter['sort']
): Awaitable<readonly Row[]> {
  return sort === undefined ? read(filter) : readAndSort(read, filter, sort)
}

async function readAndSort(
  read: (filter: Filter) => Awaitable<readonly Row[]>,
  filter: Filter,
  sort: NonNullable<ResolvedFilter['sort']>
): Promise<readonly Row[]> {
  const { skip, limit = Infinity } = filter
  const rows = await sort(await read({ ...filter, limit: undefined, skip: 0, fields: undefined }))
  return rows.slice(skip, skip + limit)
}
