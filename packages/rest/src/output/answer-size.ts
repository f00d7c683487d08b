import { Model } from '@modelwire/core'
import { AnswerTooLarge, checkRowCount, type AnswerBounds } from '@modelwire/core/connector'
import { Records, stateOf } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'

/** Levels of lists and plain objects in which records are looked for. */
const mostLevels = 4

/**
 * Checks how many records a result has, each counted as often as it occurs: related records are read once, but are written
 * with every record that includes them, so that their number multiplies with each level.
 * @throws {AnswerTooLarge} there are too many of them
 */
export function checkRecords(result: unknown, bounds: AnswerBounds): void {
  checkRowCount(countIn(result, new Map(), mostLevels), bounds)
}

/**
 * Makes the function that counts the parts of an answer that is written part by part: their records, and their bytes. It
 * throws {@link AnswerTooLarge} where all of them together are too many.
 */
export function countParts(bounds: AnswerBounds): (part: Records, bytes: number) => void {
  let [allRows, allBytes] = [0, 0]
  return (part, bytes) => {
    allRows += countIn(part, new Map(), mostLevels)
    allBytes += bytes
    checkRowCount(allRows, bounds)
    if (allBytes > bounds.bytes) throw new AnswerTooLarge('bytes', bounds)
  }
}

/** @throws {AnswerTooLarge} the text has too many bytes, in UTF-8 */
export function checkBytes(text: string, bounds: AnswerBounds): void {
  const { bytes } = bounds
  // A character has up to three bytes: short texts need not be measured.
  const isTooLong = text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes)
  if (isTooLong) throw new AnswerTooLarge('bytes', bounds)
}

/**
 * Writes a text, which may be longer than any that the process can hold.
 * @throws {AnswerTooLarge} it is, or it has too many bytes
 */
export async function writeWithin(bounds: AnswerBounds | undefined, write: () => Promise<string>): Promise<string> {
  try {
    const text = await write()
    if (bounds !== undefined) checkBytes(text, bounds)
    return text
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Invalid string length')
      throw new AnswerTooLarge('bytes', undefined, error)
    throw error
  }
}

/** Cached counts: many records share what they include. */
type Counted = Map<object, number>

function countIn(value: unknown, counted: Counted, levels: number): number {
  if (value instanceof Records) return countOnce(value, counted, () => countRecords(value, counted))
  if (value instanceof Model) return countOnce(value, counted, () => 1 + countRelated(stateOf(value).related, counted))
  if (levels === 0) return 0
  if (Array.isArray(value)) return sumOf(value, (item) => countIn(item, counted, levels - 1))
  return isPlainObject(value) ? sumOf(Object.values(value), (item) => countIn(item, counted, levels - 1)) : 0
}

function countOnce(value: object, counted: Counted, count: () => number): number {
  const cached = counted.get(value)
  if (cached !== undefined) return cached
  const number = count()
  counted.set(value, number)
  return number
}

function countRecords({ rows, related = [] }: Records, counted: Counted): number {
  return rows.length + sumOf(related, (beside) => countRelated(beside, counted))
}

function countRelated(related: Readonly<Record<string, unknown>> | undefined, counted: Counted): number {
  let sum = 0
  for (const name in related) sum += countIn(related[name], counted, mostLevels)
  return sum
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  let sum = 0
  for (const item of items) sum += count(item)
  return sum
}
