import type { ClientSession, MongoClient, Timestamp } from 'mongodb'
import { idField } from '../names/read-mapping.ts'
import type { Change } from '@modelwire/core/connector'

/** The kinds of changes, by the operations that change streams report. */
export const changeKinds: Readonly<Record<string, Change['kind']>> = {
  insert: 'create',
  update: 'update',
  replace: 'update',
  delete: 'remove'
}

/** How many writes are remembered: their changes are heard of long before. */
const mostWrites = 10_000

/** The target of a write: a document by its id, or everything with its timestamp. */
type Written = { readonly id: unknown } | 'all'

/**
 * The writes of this process, by their timestamps in the database's log: change streams report them as well, although this
 * process has already published them.
 */
export class OwnWrites {
  readonly #times = new Map<string, Written>()
  readonly #inFlight = new Set<Promise<unknown>>()

  /** Performs a write in a separate session, which has the timestamp of its effect. */
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

  /** Records that all changes with a timestamp are this process's: those of a transaction share one. */
  noteAll(time: Timestamp | undefined): void {
    this.#note(time, 'all')
  }

  /** Whether a change was made by this process, once its pending writes have been acknowledged. */
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
