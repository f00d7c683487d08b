import { type Condition, type Filter, findNear, keepCompiled, limitWithin } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import type { DocumentMap } from '../document/document-map.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { distanceExpression } from '../where/near.ts'
import { placeOf } from '../where/place.ts'
import { type Query, queryDocument } from '../where/query.ts'
import { findOrder } from './find-order.ts'
import { projectionOf } from './projection.ts'

/** How the rows of a filter are queried. */
export interface FindPlan {
  readonly query: Query
  /** The options of `find`. */
  readonly options: Document
  /** In place of them where the rows are ordered by their distance. */
  readonly pipeline: Document[] | undefined
}

/** What is compiled once for each filter, and each condition of a count. */
export interface FindPlans {
  readonly planFind: (filter: Filter) => FindPlan
  readonly planCount: (where: Condition) => Query
}

/** Makes what compiles filters and conditions for the documents of one model. */
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
