import { AsyncLocalStorage } from 'node:async_hooks'
import { DataSourceUnavailable } from '@modelwire/core'
import {
  abortedBy,
  type Collection,
  type Isolation,
  type OpenTransaction,
  type Transaction,
  TransactionConflict,
  tryAgain
} from '@modelwire/core/connector'
import { commitViews } from './commit.ts'
import { createJoiningCollection } from './joining-collection.ts'
import { checkOpen, collectionWithin, type Current, keepForOthers, overError, start } from './open-transaction.ts'
import type { SharedTable } from './shared-table.ts'
import { takeSnapshot } from './view.ts'

/** The transactions of one connector. */
export class MemorySession {
  readonly #current = new AsyncLocalStorage<Current>()
  readonly #open = new Set<Current>()
  /** Work that an undone transaction left behind has to be found, whenever it comes. */
  #hasUndone = false
  /** How many transactions with locks were committed, and which was the last one with the lock of each key. */
  #lockings = 0
  readonly #lastLocked = new Map<string, number>()

  /** The collection of a table for callers within transactions and outside of them. */
  join(shared: SharedTable): Collection {
    const { table, collection } = shared
    table.beforeChange = () => {
      if (this.#open.size > 0) keepForOthers(this.#open, shared, () => takeSnapshot(table))
      shared.version++
    }
    return createJoiningCollection(() => {
      const current = this.#joined()
      return current === undefined ? collection : collectionWithin(current, shared)
    })
  }

  /** Runs `work` in a transaction, or in the one that it belongs to already; repeated on a conflict. */
  async run<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    isolation: Isolation | undefined
  ): Promise<Result> {
    const joined = this.#joined()
    if (joined !== undefined) return work(joined.handle)
    return tryAgain(async (attempt) => {
      const current = this.#start(isolation, attempt)
      try {
        const result = await this.#current.run(current, () => work(current.handle))
        await this.#commit(current)
        return result
      } catch (error) {
        // A conflict counts whatever the work made of it: all of it can be done again.
        throw current.failure instanceof TransactionConflict ? current.failure : error
      } finally {
        this.#undo(current)
      }
    })
  }

  /** Begins a transaction that is open until its caller ends it. */
  begin(isolation: Isolation | undefined): OpenTransaction {
    const current = this.#start(isolation, 1)
    return {
      run: async (work) => {
        checkOpen(current)
        return this.#current.run(current, work)
      },
      commit: async () => {
        checkOpen(current)
        try {
          await this.#commit(current)
        } finally {
          this.#undo(current)
        }
      },
      rollback: async () => {
        checkOpen(current)
        this.#undo(current)
      }
    }
  }

  /**
   * Gives the caller's transaction the locks of keys. Nobody waits: of two transactions with one lock the later one conflicts.
   * @throws {TransactionConflict} one that was committed since this one began had the lock
   */
  lock(keys: readonly string[]): void {
    const current = this.#joined()
    if (current === undefined) throw overError()
    for (const key of keys) current.locks.add(key)
    this.#checkLocks(current)
  }

  #checkLocks(current: Current): void {
    if (current.failure !== undefined) throw abortedBy(current.failure)
    for (const key of current.locks)
      if ((this.#lastLocked.get(key) ?? 0) > current.began)
        throw (current.failure = new TransactionConflict('another transaction held the lock since this one began'))
  }

  /** Rolls back what is open. */
  close(): void {
    for (const current of this.#open) {
      current.failure ??= new DataSourceUnavailable('the data source was closed: its transactions are rolled back')
      this.#undo(current)
    }
  }

  #start(isolation: Isolation | undefined, attempt: number): Current {
    const current = start(isolation, attempt, this.#lockings)
    this.#open.add(current)
    return current
  }

  /** While the file is waited for the transaction is over, whatever becomes of it. */
  async #commit(current: Current): Promise<void> {
    this.#checkLocks(current)
    const { views, isSerializable, locks } = current
    this.#open.delete(current)
    current.end = 'undone'
    const kept = commitViews([...views.values()], isSerializable)
    if (locks.size > 0) this.#lockings++
    for (const key of locks) this.#lastLocked.set(key, this.#lockings)
    await kept
    current.end = 'kept'
    this.#ended(current)
  }

  #undo(current: Current): void {
    if (current.end === 'kept') return
    current.end = 'undone'
    this.#ended(current)
  }

  /** Where no transaction can be found any more, promises stop paying for being followed. */
  #ended(current: Current): void {
    this.#open.delete(current)
    current.views.clear()
    current.collections.clear()
    if (this.#open.size === 0) this.#lastLocked.clear()
    if (current.end === 'undone') this.#hasUndone = true
    if (this.#open.size === 0 && !this.#hasUndone) this.#current.disable()
  }

  /** The transaction of the caller. @throws {TransactionOver} it was undone */
  #joined(): Current | undefined {
    if (this.#open.size === 0 && !this.#hasUndone) return undefined
    const current = this.#current.getStore()
    if (current?.end === 'undone') throw overError()
    return current?.end === 'kept' ? undefined : current
  }
}
