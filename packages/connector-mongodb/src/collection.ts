import { type Collection, type ModelType, untilLeft } from '@modelwire/core/connector'
import type { Collations } from './client/collations.ts'
import type { MongoSession } from './client/mongo-session.ts'
import { createDocumentMap, type DocumentMap, type DocumentSettings } from './document/document-map.ts'
import { collectionName } from './names/read-mapping.ts'
import { aggregateRows } from './find/aggregate-pipeline.ts'
import { countRows, createFindPlans } from './find/find-plan.ts'
import { findParts, findRow, findRows, type ReadOptions } from './find/find-rows.ts'
import { findRelated } from './find/find-related.ts'
import { createCounter } from './write/counters.ts'
import { deleteRows, replaceRow, upsertRow, type InsertContext, insertRows } from './write/write-rows.ts'
import { patchRow, updateRows } from './write/update-rows.ts'

/**
 * Makes the function that returns the map of a model with its current properties: relations and scripts declare more after
 * it is attached.
 */
export function createMapOf(
  settings: DocumentSettings,
  isWide: (collection: string) => boolean
): (model: ModelType) => DocumentMap {
  const maps = new Map<ModelType, DocumentMap>()
  return (model) => {
    const cached = maps.get(model)
    const isSame = cached?.properties === model.properties && cached.isWide === isWide(cached.collection)
    if (cached !== undefined && isSame) return cached
    const made = createDocumentMap(model, settings, isWide(collectionName(model)))
    maps.set(model, made)
    return made
  }
}

/** The collection of one model. */
export function createCollection(
  session: MongoSession,
  collations: Pick<Collations, 'ask'>,
  mapOf: () => DocumentMap
): Collection {
  const context = async ({ signal }: ReadOptions = {}): Promise<InsertContext> => {
    const asked = collations.ask()
    if (asked instanceof Promise) await untilLeft(signal, async () => asked)
    return contextOf(session, mapOf())
  }
  const contexts = new WeakMap<DocumentMap, InsertContext>()
  const contextOf = (at: MongoSession, map: DocumentMap): InsertContext => {
    const cached = contexts.get(map)
    if (cached !== undefined) return cached
    const made = { map, session: at, ...createFindPlans(map) }
    const whole = { ...made, countIds: countsIds(map) ? createCounter(made) : undefined }
    contexts.set(map, whole)
    return whole
  }
  return {
    find: async (filter, options) => findRows(await context(options), filter, options),
    findInParts: async (filter, options) => findParts(await context(options), filter, options),
    findById: async (id) => findRow(await context(), id),
    findRelated: async (query, options) => findRelated(await context(options), query, options),
    count: async (where, options) => countRows(await context(options), where, options),
    aggregate: async (query, options) => aggregateRows(await context(options), query, options),
    insert: async (rows) => insertRows(await context(), rows),
    update: async (where, patch) => updateRows(await context(), where, patch),
    patch: async (where, patch) => patchRow(await context(), where, patch),
    upsert: async (row, defaults) => upsertRow(await context(), row, defaults),
    replace: async (id, row, where) => replaceRow(await context(), id, row, where),
    delete: async (where) => deleteRows(await context(), where)
  }
}

/** Ids of MongoDB's own are not numbers: those that are declared so are counted. */
function countsIds({ id }: DocumentMap): boolean {
  const kind = id?.property.type.kind
  return id?.property.generated === true && (kind === 'number' || kind === 'integer')
}
