import type { Row } from '@modelwire/core'
import type { Document } from 'mongodb'
import type { CollectionContext } from '../find/find-rows.ts'
import { idField } from '../names/field-name.ts'

/** The collection that remembers the highest number of each collection whose ids are counted. */
export const counterCollection = 'modelwire_counters'

/** Takes the next numbers for rows, and remembers those that rows bring along. */
export type CountIds = (rows: readonly Row[]) => Promise<void>

const fieldOfLast = 'last'
const numbers: Document = { [idField]: { $type: 'number' } }

/**
 * Makes what numbers the rows of a model whose ids are generated numbers: MongoDB has no such. A transaction does not hold the
 * counter: numbers of one that is taken back are left out.
 */
export function createCounter({ map, session }: CollectionContext): CountIds {
  const { collection, id } = map
  const key: Document = { [idField]: collection }
  let starting: Promise<void> | undefined
  const counters = () => session.collection(counterCollection)

  /** Documents that are there already may have numbers that nobody counted. */
  const start = async (): Promise<void> => {
    const [highest] = await session
      .collection(collection)
      .find(numbers, { sort: { [idField]: -1 }, limit: 1, projection: { [idField]: 1 } })
      .toArray()
    await remember(Number(highest?.[idField] ?? 0))
  }
  const started = async (): Promise<void> => {
    try {
      await session.outside({ map }, start)
    } catch (error) {
      starting = undefined
      throw error
    }
  }
  const remember = async (last: number): Promise<void> => {
    await counters().updateOne(key, { $max: { [fieldOfLast]: last } }, { upsert: true })
  }
  const take = async (count: number): Promise<number> => {
    const counter = await counters().findOneAndUpdate(
      key,
      { $inc: { [fieldOfLast]: count } },
      { upsert: true, returnDocument: 'after' }
    )
    return Number(counter?.[fieldOfLast]) - count
  }
  return async (rows) => {
    if (id === undefined) return
    const { name } = id.property
    const isNew = (row: Row): boolean => row[name] === undefined || row[name] === null
    const chosen = rows.flatMap((row) => (isNew(row) ? [] : [Number(row[name])])).filter(Number.isSafeInteger)
    await (starting ??= started())
    const missing = rows.filter(isNew)
    if (chosen.length > 0) await session.outside({ map }, () => remember(Math.max(...chosen)))
    if (missing.length === 0) return
    const before = await session.outside({ map }, () => take(missing.length))
    for (const [at, row] of missing.entries()) row[name] = before + at + 1
  }
}
