import { DuplicateKey } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { decodeRow, encodeRow } from '../document/document-map.ts'
import { idQuery } from '../find/find-by-id.ts'
import { idField } from '../names/field-name.ts'
import { type InsertContext, insertRows } from './insert-rows.ts'
import { updateDocument } from './update-document.ts'

/**
 * Patches the row with the id of `row`, or inserts it: one command does either.
 * @throws {DuplicateKey} a unique value exists already
 */
export async function upsertRow(context: InsertContext, row: Row): Promise<{ row: Row; created: boolean }> {
  const { map } = context
  const { [idField]: id } = encodeRow(
    map,
    map.id === undefined ? {} : { [map.id.property.name]: row[map.id.property.name] }
  )
  if (id === undefined || id === null) return { row: await insertOnly(context, row), created: true }
  await context.countIds?.([row])
  try {
    return await upsert(context, row, id)
  } catch (error) {
    // Another writer inserted the id meanwhile; the server does not always try again by itself.
    if (!(error instanceof DuplicateKey) || error.property !== map.id?.property.name || context.session.isInTransaction)
      throw error
    return upsert(context, row, id)
  }
}

async function insertOnly(context: InsertContext, row: Row): Promise<Row> {
  const [inserted = {}] = await insertRows(context, [row])
  return inserted
}

async function upsert({ map, session }: InsertContext, row: Row, id: unknown): Promise<{ row: Row; created: boolean }> {
  const update: Document = { ...updateDocument(map, row), $setOnInsert: { [idField]: id } }
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
