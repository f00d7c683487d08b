import type { Row } from '@modelwire/core/connector'
import { type Document, MongoBulkWriteError, ObjectId } from 'mongodb'
import { type DocumentMap, decodeRow, encodeRow } from '../document/document-map.ts'
import type { CollectionContext } from '../find/find-rows.ts'
import { idField } from '../names/field-name.ts'
import type { CountIds } from './counters.ts'

/** What inserting works with. */
export interface InsertContext extends CollectionContext {
  /** Of a model whose ids are generated numbers. */
  readonly countIds: CountIds | undefined
}

/**
 * Stores all rows or none: several of them in a transaction where the server has any; elsewhere what was stored is removed again
 * when one is refused.
 * @throws {DuplicateKey} an id or a unique value exists already
 */
export async function insertRows(context: InsertContext, rows: readonly Row[]): Promise<Row[]> {
  if (rows.length === 0) return []
  const { map, session } = context
  await context.countIds?.(rows)
  const documents = rows.map((row) => newDocument(map, row))
  const [only] = documents
  if (only !== undefined && documents.length === 1) await insertOne(context, only, rows[0])
  else await session.together((isUndone) => insertAll(context, documents, isUndone))
  return documents.map((document) => decodeRow(map, document))
}

/** Ids are made here, as the driver would: the row is known before it is stored. */
function newDocument(map: DocumentMap, row: Row): Document {
  const document = encodeRow(map, row)
  document[idField] ??= new ObjectId()
  return document
}

async function insertOne({ map, session }: InsertContext, document: Document, row: Row | undefined): Promise<void> {
  await session.perform({ map, row }, (options) =>
    session.collection(map.collection).insertOne(document, { ...options })
  )
}

async function insertAll({ map, session }: InsertContext, documents: Document[], isUndone: boolean): Promise<void> {
  const collection = session.collection(map.collection)
  await session.perform({ map }, async (options) => {
    try {
      await collection.insertMany(documents, { ...options })
    } catch (error) {
      const stored = isUndone ? undefined : storedBefore(documents, error)
      if (stored !== undefined) await collection.deleteMany(stored)
      throw error
    }
  })
}

/** The documents that were stored before one was refused; undefined: none. */
function storedBefore(documents: readonly Document[], error: unknown): Document | undefined {
  const count = error instanceof MongoBulkWriteError ? error.result.insertedCount : 0
  const ids = documents.slice(0, count).map((document): unknown => document[idField])
  return ids.length === 0 ? undefined : { [idField]: { $in: ids } }
}
