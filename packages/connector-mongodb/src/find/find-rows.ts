import { type Collection, type Filter, findNear, limitWithin, type Row } from '@modelwire/core'
import type { Document } from 'mongodb'
import type { CommandOptions, MongoSession } from '../client/mongo-session.ts'
import type { DocumentMap } from '../document/document-map.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { distanceExpression } from '../where/near.ts'
import { placeOf } from '../where/place.ts'
import { type Query, queryDocument } from '../where/query.ts'
import { findOrder } from './find-order.ts'
import { projectionOf } from './projection.ts'
import { readCursor } from './read-cursor.ts'

/** What the methods of a collection work with. */
export interface CollectionContext {
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
  const { map, session } = context
  const { where, atMost } = filter
  const query = compileCondition(map, where)
  if (query.kind === 'none') return []
  const pipeline = distancePipeline(map, filter, query)
  const place = { map, signal, isRead: true, atMost }
  return session.perform(place, async (options) => {
    const cursor =
      pipeline === undefined
        ? session.collection(map.collection).find(queryDocument(query), findOptions(map, filter, options))
        : session.collection(map.collection).aggregate(pipeline, { ...options, allowDiskUse: true })
    return readCursor(map, cursor, atMost)
  })
}

/** The options of `find` for a filter. */
export function findOptions(map: DocumentMap, filter: Filter, options: CommandOptions): Document {
  const sort = findOrder(map, filter)
  const limit = limitWithin(filter)
  const projection = projectionOf(map, filter.fields)
  return {
    ...options,
    ...(sort !== undefined && { sort, allowDiskUse: true }),
    ...(filter.skip > 0 && { skip: filter.skip }),
    ...(limit !== undefined && { limit }),
    ...(projection !== undefined && { projection })
  }
}

/** Holds the distance on the way to the order. */
const distanceField = '__modelwire_distance'

/** What orders by distance, those without a point last; undefined where the filter has no `near`. */
function distancePipeline(map: DocumentMap, filter: Filter, query: Query): Document[] | undefined {
  const near = findNear(filter.where)
  const place = near && placeOf(map, near.path, { kind: 'geopoint' })
  if (near === undefined || place === undefined) return undefined
  const limit = limitWithin(filter)
  return [
    { $match: queryDocument(query) },
    { $set: { [distanceField]: { $ifNull: [distanceExpression(map, place, near.value), Infinity] } } },
    { $sort: { [distanceField]: 1, ...findOrder(map, filter) } },
    ...(filter.skip > 0 ? [{ $skip: filter.skip }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    { $unset: [distanceField] }
  ]
}
