import { type AnswerBounds, countWithin, type Row } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { type DocumentMap, decodeRow } from '../document/document-map.ts'

/** What is read of a cursor of the driver. */
export interface DocumentCursor {
  toArray(): Promise<Document[]>
  hasNext(): Promise<boolean>
  readBufferedDocuments(number?: number): Document[]
  close(): Promise<void>
}

/**
 * The rows of a cursor, batch by batch where they are bounded: what is beyond is not read.
 * @throws {AnswerTooLarge} there are more of them, or larger ones, than `atMost` allows
 */
export async function readCursor(
  map: DocumentMap,
  cursor: DocumentCursor,
  atMost: AnswerBounds | undefined
): Promise<Row[]> {
  if (atMost === undefined) return decodeAll(map, await cursor.toArray())
  const count = countWithin(atMost)
  const rows: Row[] = []
  try {
    while (await cursor.hasNext()) {
      const batch = decodeAll(map, cursor.readBufferedDocuments())
      batch.forEach(count)
      rows.push(...batch)
    }
  } finally {
    await cursor.close()
  }
  return rows
}

const decodeAll = (map: DocumentMap, documents: readonly Document[]): Row[] =>
  documents.map((document) => decodeRow(map, document))
