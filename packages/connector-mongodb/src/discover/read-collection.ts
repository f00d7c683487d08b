import type { DiscoveredTable } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import { idField } from '../names/read-mapping.ts'
import { counterCollection } from '../write/counters.ts'
import { lockCollection } from '../migrate/migration-lock.ts'
import { type SampledField, sampleFields } from './sample-fields.ts'

/** So many documents of a collection are looked at. */
const sampleSize = 200

/** The description of a collection: a sample and its indexes. */
export interface CollectionDescription {
  readonly name: string
  readonly fields: readonly SampledField[]
  /** Its indexes, except the one on `_id`. */
  readonly indexes: readonly Document[]
  readonly references: readonly Reference[]
}

/** A field that contains ids of another collection's documents. */
export interface Reference {
  readonly field: string
  readonly collection: string
  readonly isList: boolean
}

const isOwn = (name: string): boolean =>
  name.startsWith('system.') || name === counterCollection || name === lockCollection

/** The collections of the database, and its views on request. */
export async function readCollections(session: MongoSession, views: boolean): Promise<DiscoveredTable[]> {
  const found = await session.perform({ isRead: true }, async () => session.db.listCollections().toArray())
  return found
    .filter(({ name, type }) => !isOwn(name) && (views || type !== 'view'))
    .map(({ name, type }) => ({
      type: type === 'view' ? ('view' as const) : ('table' as const),
      name,
      owner: undefined
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Describes a collection; undefined if it has no documents. */
export async function describeCollection(
  session: MongoSession,
  name: string,
  others: readonly string[]
): Promise<CollectionDescription | undefined> {
  const collection = session.collection(name)
  const documents = await session.perform({ isRead: true }, (options) =>
    collection.aggregate([{ $sample: { size: sampleSize } }], { ...options }).toArray()
  )
  if (documents.length === 0) return undefined
  const fields = sampleFields(documents)
  const indexes = await session.perform({ isRead: true }, async () => collection.listIndexes().toArray())
  return {
    name,
    fields,
    indexes: indexes.filter(({ name: each }) => each !== '_id_'),
    references: await findReferences(session, fields, others)
  }
}

/** The collections that keys lead to: those of their names, where they have a document of the sampled ids. */
async function findReferences(
  session: MongoSession,
  fields: readonly SampledField[],
  others: readonly string[]
): Promise<readonly Reference[]> {
  const found: Reference[] = []
  for (const { name, isReference, type, values } of fields) {
    const candidates = isReference && name !== idField ? others.filter((other) => isNamedAfter(name, other)) : []
    const collection = await firstWith(session, candidates, values)
    if (collection !== undefined) found.push({ field: name, collection, isList: Array.isArray(type) })
  }
  return found
}

async function firstWith(
  session: MongoSession,
  candidates: readonly string[],
  ids: readonly unknown[]
): Promise<string | undefined> {
  const query: Document = { [idField]: { $in: ids } }
  for (const name of candidates) {
    const document = await session.perform({ isRead: true }, (options) =>
      session.collection(name).findOne(query, { ...options, projection: { [idField]: 1 } })
    )
    if (document !== null) return name
  }
  return undefined
}

/** `customerId`, `customer_ids` and `customer` are named after `Customer` and `customers`. */
const isNamedAfter = (field: string, collection: string): boolean => stemOf(field) === stemOf(collection)

const stemOf = (name: string): string =>
  name
    .replace(/_?ids?$/i, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '')
