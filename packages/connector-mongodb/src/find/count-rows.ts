import type { Condition } from '@modelwire/core/connector'
import { all, queryDocument } from '../where/query.ts'
import type { CollectionContext, ReadOptions } from './find-rows.ts'

/**
 * How many rows match. All of them are reported by the metadata of the collection, as LoopBack's connector does, unless
 * those are not exact: of several shards, and within a transaction.
 */
export async function countRows(
  { map, session, planCount }: CollectionContext,
  where: Condition | undefined,
  { signal }: ReadOptions = {}
): Promise<number> {
  const query = where === undefined ? all : planCount(where)
  if (query.kind === 'none') return 0
  const isWhole = query.kind === 'all' && !session.isInTransaction && !(await session.server()).isSharded
  return session.perform({ map, signal, isRead: true }, async (options) => {
    const collection = session.collection(map.collection)
    return isWhole
      ? collection.estimatedDocumentCount({ ...options })
      : collection.countDocuments(queryDocument(query), { ...options })
  })
}
