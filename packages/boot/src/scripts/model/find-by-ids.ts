import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { Model } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'

/**
 * `Model.findByIds(ids, query, options)`: the records of these ids, in their order unless the query has one.
 * @throws {ScriptArgumentInvalid} the ids are not a list, or the query is not an object
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, findByIds
 */
export async function findByIds(
  model: typeof Model,
  ids: unknown,
  query: unknown = {},
  options: unknown = {}
): Promise<readonly Model[]> {
  if (!Array.isArray(ids)) throw new ScriptArgumentInvalid('findByIds needs a list of ids', { model: model.modelName })
  if (!isPlainObject(query))
    throw new ScriptArgumentInvalid('the query of findByIds must be an object', { model: model.modelName })
  const id = model.modelType.idProperty?.name
  if (ids.length === 0 || id === undefined) return []
  const named = { [id]: { inq: ids } }
  const filter = { ...query, where: isPlainObject(query['where']) ? { and: [named, query['where']] } : named }
  const found = (await model.find(filter, isPlainObject(options) ? options : {})) as readonly Model[] // `find` gives records
  return 'order' in query && query['order'] !== undefined ? found : sortByIds(found, ids)
}

/** LB3: records without an id, as `fields` makes them, come last. */
function sortByIds(records: readonly Model[], ids: readonly unknown[]): readonly Model[] {
  const places = ids.map(String)
  const placeOf = (record: Model): number => {
    const place = places.indexOf(String(record.getId()))
    return place < 0 ? places.length : place
  }
  return records.toSorted((one, other) => placeOf(one) - placeOf(other))
}
