import { InvalidFilter } from '@modelwire/core'
import { isPlainObject, LimitExceeded } from '@modelwire/core/plugin'
import type { ClientList } from './client-list.ts'

/** A filter as a client sends it, with the limit of its page. */
export type BoundLimit = (filter: unknown) => unknown

/** True for what LoopBack takes for no limit. */
const isNone = (limit: unknown): boolean => limit === undefined || limit === null || limit === '' || Number(limit) === 0

/** Compiles the size of a list's pages; undefined where it has none. @throws {LimitExceeded} (what it gives) the client names a larger limit */
export function compileLimit({ model, settings }: ClientList): BoundLimit | undefined {
  const { maxLimit = Infinity, limit = maxLimit } = settings
  const usual = Math.min(limit, maxLimit)
  if (usual === Infinity && maxLimit === Infinity) return undefined
  return (filter) => {
    if (filter === undefined || filter === null) return { limit: usual }
    if (!isPlainObject(filter)) throw new InvalidFilter('a filter must be an object')
    if (isNone(filter['limit'])) return { ...filter, limit: usual }
    if (Number(filter['limit']) > maxLimit)
      throw new LimitExceeded(`a list of ${model.name} has at most ${maxLimit} records: read it page by page`)
    return filter
  }
}
