import type { Collection, Filter, Row } from '@modelwire/core/connector'
import type { MongoSession } from '../client/mongo-session.ts'
import type { DocumentMap } from '../document/document-map.ts'
import { queryDocument } from '../where/query.ts'
import type { FindPlans } from './find-plan.ts'
import { readCursor } from './read-cursor.ts'

/** What the methods of a collection work with. */
export interface CollectionContext extends FindPlans {
  readonly map: DocumentMap
  readonly session: MongoSession
}

/** What a read is carried out with. */
export type ReadOptions = NonNullable<Parameters<Collection['find']>[1]>

/** The rows that match, ordered, skipped and limited as the filter says, by one command. */
export async function findRows(
  context: CollectionContext,
  filter: Filter,
  { signal }: ReadOptions = {}
): Promise<Row[]> {
  const { map, session, planFind } = context
  const { query, options: planned, pipeline } = planFind(filter)
  if (query.kind === 'none') return []
  const place = { map, signal, isRead: true, atMost: filter.atMost }
  return session.perform(place, async (options) => {
    const collection = session.collection(map.collection)
    const cursor =
      pipeline === undefined
        ? collection.find(queryDocument(query), { ...options, ...planned })
        : collection.aggregate(pipeline, { ...options, allowDiskUse: true })
    return readCursor(map, cursor, session.isInTransaction ? { atMost: filter.atMost } : place)
  })
}
