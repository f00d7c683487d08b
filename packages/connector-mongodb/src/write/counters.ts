import type { Row } from '@modelwire/core/connector'
import type { Collection, Document } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import type { CollectionContext } from '../find/find-rows.ts'
import { idField } from '../names/read-mapping.ts'

/** The collection that stores the highest number of each collection with counted ids. */
export const counterCollection = 'modelwire_counters'

/** Assigns the next numbers to rows, and registers those that rows already have. */
export type CountIds = (rows: readonly Row[]) => Promise<void>

const fieldOfLast = 'last'
const numbers: Document = { [idField]: { $type: 'number' } }

/** The highest number of one collection, as the database keeps it. A transaction does not hold it. */
class Counter {
  readonly #session: MongoSession
  readonly #collection: string
  #starting: Promise<void> | undefined

  constructor(session: MongoSession, collection: string) {
    this.#session = session
    this.#collection = collection
  }

  /** Takes the next numbers: gives the one before them. */
  async take(count: number): Promise<number> {
    const change = { $inc: { [fieldOfLast]: count } }
    const counter = await this.#perform((counters, key) =>
      counters.findOneAndUpdate(key, change, { upsert: true, returnDocument: 'after' })
    )
    return Number(counter?.[fieldOfLast]) - count
  }

  async remember(last: number): Promise<void> {
    const change = { $max: { [fieldOfLast]: last } }
    await this.#perform((counters, key) => counters.updateOne(key, change, { upsert: true }))
  }

  /** Documents that are there already may have numbers that were not counted. */
  async start(): Promise<void> {
    this.#starting ??= this.#start()
    try {
      await this.#starting
    } catch (error) {
      this.#starting = undefined
      throw error
    }
  }

  async #start(): Promise<void> {
    const options = { sort: { [idField]: -1 }, limit: 1, projection: { [idField]: 1 } } as const
    const [highest] = await this.#session.outside({}, () =>
      this.#session.collection(this.#collection).find(numbers, options).toArray()
    )
    await this.remember(Number(highest?.[idField] ?? 0))
  }

  #perform<Result>(work: (counters: Collection, key: Document) => Promise<Result>): Promise<Result> {
    const counters = this.#session.collection(counterCollection)
    return this.#session.outside({}, () => work(counters, { [idField]: this.#collection }))
  }
}

/**
 * Makes the function that numbers the rows of a model whose ids are generated numbers, which MongoDB does not support
 * itself. Numbers of a rolled-back transaction are skipped.
 */
export function createCounter({ map, session }: CollectionContext): CountIds {
  const name = map.id?.property.name ?? ''
  const counter = new Counter(session, map.collection)
  const isNew = (row: Row): boolean => row[name] === undefined || row[name] === null
  return async (rows) => {
    await counter.start()
    const chosen = rows.flatMap((row) => (isNew(row) ? [] : [Number(row[name])])).filter(Number.isSafeInteger)
    if (chosen.length > 0) await counter.remember(Math.max(...chosen))
    const missing = rows.filter(isNew)
    const before = missing.length === 0 ? 0 : await counter.take(missing.length)
    for (const [at, row] of missing.entries()) row[name] = before + at + 1
  }
}
