import type { ClientSession, MongoClient, Timestamp } from 'mongodb'
import { idField } from '../names/field-name.ts'

/** How many writes are remembered: their changes are heard of long before. */
const mostWrites = 10_000

/** What a write changed: a document by its id, or all that has its time. */
type Written = { readonly id: unknown } | 'all'

/**
 * The writes of this process, by their times in the log of the database: change streams contain them as well, and this
 * process has published them itself.
 */
export class OwnWrites {
  readonly #times = new Map<string, Written>()
  readonly #inFlight = new Set<Promise<unknown>>()

  /** Carries out a write in a session of its own, which has the time when it took effect. */
  async during<Result>(client: MongoClient, work: (session: ClientSession) => Promise<Result>): Promise<Result> {
    const session = client.startSession()
    const writing = this.#write(session, work)
    this.#inFlight.add(writing)
    try {
      return await writing
    } finally {
      this.#inFlight.delete(writing)
      await session.endSession()
    }
  }

  /** Notes that all changes of a time are this process's: those of a transaction have one. */
  noteAll(time: Timestamp | undefined): void {
    this.#note(time, 'all')
  }

  /** Whether a change is one of this process, once its writes that are on their way have been answered. */
  async isOwn(time: Timestamp | undefined, id: unknown): Promise<boolean> {
    await Promise.allSettled(this.#inFlight)
    const written = time && this.#times.get(time.toString())
    return written === 'all' || (written !== undefined && String(written.id) === String(id))
  }

  async #write<Result>(session: ClientSession, work: (session: ClientSession) => Promise<Result>): Promise<Result> {
    const result = await work(session)
    const written = writtenBy(result)
    if (written !== undefined) this.#note(session.operationTime, written)
    return result
  }

  #note(time: Timestamp | undefined, written: Written): void {
    if (time === undefined) return
    this.#times.set(time.toString(), written)
    for (const oldest of this.#times.keys()) {
      if (this.#times.size <= mostWrites) break
      this.#times.delete(oldest)
    }
  }
}

/** A write that changes nothing has the time of the last one before it, which may be another client's. */
function writtenBy(result: unknown): Written | undefined {
  const { modifiedCount, upsertedCount, deletedCount, value, ...found } = Object(result) as Readonly<
    Record<string, unknown>
  > // an answer of the driver, or a document
  if (modifiedCount === 0 && (upsertedCount ?? 0) === 0) return undefined
  if (deletedCount === 0 || result === null || result === undefined) return undefined
  if (idField in found) return { id: found[idField] }
  const document: unknown = 'lastErrorObject' in found ? value : undefined
  return typeof document === 'object' && document !== null && idField in document ? { id: document[idField] } : 'all'
}
