import { type AnswerBounds, countWithin, type Row, throwIfLeft } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { type DocumentMap, decodeRow } from '../document/document-map.ts'

/** How the documents of a cursor are read. */
export interface CursorReading {
  readonly atMost?: AnswerBounds | undefined
  /** Aborted when nobody waits for them. */
  readonly signal?: AbortSignal | undefined
}

/** What is read of a cursor of the driver. */
export interface DocumentCursor {
  toArray(): Promise<Document[]>
  hasNext(): Promise<boolean>
  readBufferedDocuments(number?: number): Document[]
  close(): Promise<void>
}

/**
 * The rows of a cursor, batch by batch where they are bounded: what is beyond is not read.
 * @throws {StatementCancelled} the caller has left
 * @throws {AnswerTooLarge} there are more of them, or larger ones, than `atMost` allows
 */
export async function readCursor(
  map: DocumentMap,
  cursor: DocumentCursor,
  { atMost, signal }: CursorReading
): Promise<Row[]> {
  if (atMost === undefined) {
    const documents = await cursor.toArray()
    throwIfLeft(signal)
    return decodeAll(map, documents)
  }
  const count = countWithin(atMost)
  const rows: Row[] = []
  try {
    while (await cursor.hasNext()) {
      throwIfLeft(signal)
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
