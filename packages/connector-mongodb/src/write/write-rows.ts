import type { Condition, Id, Row } from '@modelwire/core/connector'
import { type CollectionContext, idQuery } from '../find/find-rows.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { encodeRow, decodeRow, type DocumentMap } from '../document/document-map.ts'
import { idField } from '../names/read-mapping.ts'
import { DuplicateKey } from '@modelwire/core'
import { type Document, MongoBulkWriteError, ObjectId } from 'mongodb'
import { updateDocument } from './update-document.ts'
import type { CountIds } from './counters.ts'
import { queryDocument, allOf, some } from '../document/query.ts'

/** The context for inserting. */
export interface InsertContext extends CollectionContext {
  /** Set for a model whose ids are generated numbers. */
  readonly countIds: CountIds | undefined
}

/** Removes every row that matches, with one command, and returns their number. */
export async function deleteRows({ map, session }: CollectionContext, where: Condition | undefined): Promise<number> {
  const query = compileCondition(map, where)
  if (query.kind === 'none') return 0
  const { deletedCount } = await session.perform({ map }, (options) =>
    session.collection(map.collection).deleteMany(queryDocument(query), { ...options })
  )
  return deletedCount
}

/**
 * Replaces the whole row with an id, with one command; false if there is none, or it does not match.
 * @throws {DuplicateKey} a unique value exists already
 */
export async function replaceRow(
  { map, session }: CollectionContext,
  id: Id,
  row: Row,
  where: Condition | undefined
): Promise<boolean> {
  const byId = idQuery(map, id)
  const { [idField]: _id, ...fields } = encodeRow(map, row)
  if (byId === undefined) return false
  const query = allOf([some(byId), compileCondition(map, where)])
  if (query.kind === 'none') return false
  const { matchedCount } = await session.perform({ map, row }, (options) =>
    session.collection(map.collection).replaceOne(queryDocument(query), fields, { ...options })
  )
  return matchedCount > 0
}

/**
 * Patches the row with the id of `row`, or inserts it with `defaults`, with one command.
 * @throws {DuplicateKey} a unique value exists already
 */
export async function upsertRow(
  context: InsertContext,
  row: Row,
  defaults: Readonly<Row> = {}
): Promise<{ row: Row; created: boolean }> {
  const { map } = context
  const { [idField]: id } = encodeRow(
    map,
    map.id === undefined ? {} : { [map.id.property.name]: row[map.id.property.name] }
  )
  if (id === undefined || id === null) return { row: await insertOnly(context, { ...row, ...defaults }), created: true }
  await context.countIds?.([row])
  try {
    return await upsert(context, row, { id, defaults })
  } catch (error) {
    // Another writer inserted the id meanwhile; the server does not always try again by itself.
    if (!(error instanceof DuplicateKey) || error.property !== map.id?.property.name || context.session.isInTransaction)
      throw error
    return upsert(context, row, { id, defaults })
  }
}

async function insertOnly(context: InsertContext, row: Row): Promise<Row> {
  const [inserted = {}] = await insertRows(context, [row])
  return inserted
}

/** The fields that no operator of a change sets as well, which the server refuses. */
function unchanged(fields: Document, change: Document = {}): Document {
  const renamed: unknown[] = Object.values(Object(change['$rename'] ?? {}))
  const paths = [...Object.values(change).flatMap((changed) => Object.keys(Object(changed))), ...renamed.map(String)]
  const names = new Set(paths.map((path) => path.split('.')[0]))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

async function upsert(
  { map, session }: InsertContext,
  row: Row,
  { id, defaults }: { readonly id: unknown; readonly defaults: Readonly<Row> }
): Promise<{ row: Row; created: boolean }> {
  const change = updateDocument(map, row)
  const update: Document = {
    ...change,
    $setOnInsert: { ...unchanged(encodeRow(map, defaults), change), [idField]: id }
  }
  const query = idQuery(map, row[map.id?.property.name ?? '']) ?? { [idField]: { $eq: id } }
  const result = await session.perform({ map, row }, (options) =>
    session.collection(map.collection).findOneAndUpdate(query, update, {
      ...options,
      upsert: true,
      returnDocument: 'after',
      includeResultMetadata: true
    })
  )
  return { row: decodeRow(map, result.value ?? {}), created: result.lastErrorObject?.['updatedExisting'] !== true }
}

/**
 * Stores all rows or none: several of them in a transaction if the server supports it; otherwise rows already stored are
 * removed if one is refused.
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
