import { type Condition, type Filter, findNear, keepCompiled, limitWithin } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import type { DocumentMap } from '../document/document-map.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { distanceExpression } from '../where/near.ts'
import { placeOf, pathOf } from '../where/place.ts'
import { idField, isFieldName } from '../names/read-mapping.ts'
import type { CollectionContext, ReadOptions } from './find-rows.ts'
import { type Query, queryDocument, all } from '../document/query.ts'

/** How the rows of a filter are queried. */
export interface FindPlan {
  readonly query: Query
  /** The options of `find`. */
  readonly options: Document
  /** Replaces the options if the rows are ordered by their distance. */
  readonly pipeline: Document[] | undefined
}

/** Plans that are compiled once per filter, and per condition of a count. */
export interface FindPlans {
  readonly planFind: (filter: Filter) => FindPlan
  readonly planCount: (where: Condition) => Query
}

/** Makes the compiler of filters and conditions for the documents of one model. */
export function createFindPlans(map: DocumentMap): FindPlans {
  return {
    planFind: keepCompiled((filter) => {
      const query = compileCondition(map, filter.where)
      return { query, options: findOptions(map, filter), pipeline: distancePipeline(map, filter, query) }
    }),
    planCount: keepCompiled((where) => compileCondition(map, where))
  }
}

/** The options of `find` for a filter. */
export function findOptions(map: DocumentMap, filter: Filter): Document {
  const sort = findOrder(map, filter)
  const limit = limitWithin(filter)
  const projection = projectionOf(map, filter.fields)
  return {
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

/** The order of a filter as a sort of the server, ending with the id; undefined for the server's own order. */
export function findOrder(map: DocumentMap, { order }: Pick<Filter, 'order'>): Document | undefined {
  if (order.length === 0 && leavesOrder(map)) return undefined
  const sort: Document = {}
  for (const { path, type, descending } of order) {
    const place = placeOf(map, path, type)
    const field = place === undefined ? undefined : pathOf(place)
    if (field !== undefined && !Object.hasOwn(sort, field)) sort[field] = descending ? -1 : 1
    // No two documents have the same id.
    if (field === idField) return sort
  }
  return { ...sort, [idField]: 1 }
}

/** LB3: `disableDefaultSort` of the data source or the model; loopback-connector-mongodb, lib/mongodb.js, buildSort. */
function leavesOrder({ model: { definition }, settings }: DocumentMap): boolean {
  const setting = definition['disableDefaultSort']
  return setting === undefined ? settings.disableDefaultSort === true : setting === true
}

/** The fields of a filter's properties, and the id; undefined for all fields. */
export function projectionOf(
  { byProperty, fieldNames }: DocumentMap,
  fields: ReadonlySet<string> | undefined
): Document | undefined {
  if (fields === undefined) return undefined
  const projection: Document = { [idField]: 1 }
  for (const name of fields) {
    const field = byProperty.get(name)?.name ?? (fieldNames.has(name) ? undefined : name)
    if (field !== undefined && isFieldName(field)) projection[field] = 1
  }
  return projection
}

/**
 * The number of rows that match. The count of all rows comes from the collection's metadata, as in LoopBack's connector,
 * unless that is inexact: with several shards, and within a transaction.
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
