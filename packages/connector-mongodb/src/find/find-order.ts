import type { Filter } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import type { DocumentMap } from '../document/document-map.ts'
import { idField } from '../names/field-name.ts'
import { pathOf, placeOf } from '../where/place.ts'

/** The order of a filter as the server sorts, ended by the id; undefined where the records come as they are found. */
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
