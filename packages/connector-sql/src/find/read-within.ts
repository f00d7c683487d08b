import { type AnswerBounds, checkRowCount, type Row } from '@modelwire/core/connector'

/** The rows, of which the database gives one more than it may have. @throws {AnswerTooLarge} it does */
export function readWithin(reading: Promise<Row[]>, atMost: AnswerBounds | undefined): Promise<Row[]> {
  return atMost === undefined ? reading : countRows(reading, atMost)
}

async function countRows(reading: Promise<Row[]>, atMost: AnswerBounds): Promise<Row[]> {
  const rows = await reading
  checkRowCount(rows.length, atMost)
  return rows
}
