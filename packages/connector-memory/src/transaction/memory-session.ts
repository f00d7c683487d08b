import { AsyncLocalStorage } from 'node:async_hooks'
import { DataSourceUnavailable } from '@modelwire/core'
import {
  abortedBy,
  type Collection,
  type Filter,
  LockOutsideTransaction,
  type OpenTransaction,
  type Row,
  type Transaction,
  TransactionConflict,
  tryAgain,
  type readIsolation
} from '@modelwire/core/connector'
import { commitViews } from './commit.ts'
import {
  checkOpen,
  collectionWithin,
  type Current,
  keepForOthers,
  transactionLeakError,
  start,
  viewOf
} from './open-transaction.ts'
import type { SharedTable } from './view-collection.ts'
import { lockRows, takeSnapshot } from './view.ts'

/** The transactions of one connector. */
export class MemorySession {
  readonly #current = new AsyncLocalStorage<Current>()
  readonly #open = new Set<Current>()
  /** Whether to look for work of rolled-back transactions that is still running. */
  #hasUndone = false
  /** The number of committed transactions with locks, and the last one that held the lock of each key. */
  #lockings = 0
  readonly #lastLocked = new Map<string, number>()

  /** The collection of a table for callers inside and outside of transactions. */
  join(shared: SharedTable): Collection {
    const { table, collection } = shared
    table.beforeChange = () => {
      if (this.#open.size > 0) keepForOthers(this.#open, shared, () => takeSnapshot(table))
      shared.version++
    }
    const joining = createJoiningCollection(() => {
      const current = this.#joined()
      return current === undefined ? collection : collectionWithin(current, shared)
    })
    return {
      ...joining,
      find: (filter) => (filter.lock === undefined ? joining.find(filter) : this.#findLocked(shared, filter))
    }
  }

  /**
   * The rows of a filter, locked: the transaction conflicts where another one held their lock, or changed them, since it
   * began.
   */
  async #findLocked(shared: SharedTable, { lock: _lock, ...filter }: Filter): Promise<Row[]> {
    const current = this.#inTransaction()
    const collection = collectionWithin(current, shared)
    const rows = await collection.find(filter)
    const whole = filter.fields === undefined ? rows : await collection.find({ ...filter, fields: undefined })
    for (const key of lockRows(viewOf(current, shared), whole)) current.locks.add(key)
    this.#checkLocks(current)
    return rows
  }

  /** @throws {LockOutsideTransaction} */
  #inTransaction(): Current {
    const current = this.#joined()
    if (current === undefined) throw new LockOutsideTransaction('row locks require a transaction')
    return current
  }

  /** Runs `work` in a transaction, or in the one that it already belongs to; retried on a conflict. */
  async run<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    isolation: ReturnType<typeof readIsolation> | undefined
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
  begin(isolation: ReturnType<typeof readIsolation> | undefined): OpenTransaction {
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
   * Gives the caller's transaction the locks of keys. Nobody waits: if two transactions have the same lock, the later one
   * conflicts.
   * @throws {TransactionConflict} one that was committed since this one began had the lock
   * @throws {LockOutsideTransaction}
   */
  lock(keys: readonly string[]): void {
    const current = this.#inTransaction()
    for (const key of keys) current.locks.add(key)
    this.#checkLocks(current)
  }

  #checkLocks(current: Current): void {
    if (current.failure !== undefined) throw abortedBy(current.failure)
    for (const key of current.locks)
      if ((this.#lastLocked.get(key) ?? 0) > current.began)
        throw (current.failure = new TransactionConflict('another transaction has held the lock since this one began'))
  }

  /** Rolls back open transactions. */
  close(): void {
    for (const current of this.#open) {
      current.failure ??= new DataSourceUnavailable('the data source was closed: its transactions are rolled back')
      this.#undo(current)
    }
  }

  #start(isolation: ReturnType<typeof readIsolation> | undefined, attempt: number): Current {
    const current = start(isolation, attempt, this.#lockings)
    this.#open.add(current)
    return current
  }

  /** Commits; the transaction is over while waiting for the file, whatever the result. */
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

  /** Stops tracking promises once no transaction is open. */
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
    if (current?.end === 'undone') throw transactionLeakError()
    return current?.end === 'kept' ? undefined : current
  }
}

/** A collection whose operations go to the one that `current` gives: that of the caller's transaction, or the shared one. */
function createJoiningCollection(current: () => Collection): Collection {
  return {
    find: (filter) => current().find(filter),
    findById: (id) => current().findById(id),
    findRelated: (query) => current().findRelated?.(query),
    count: (where) => current().count(where),
    aggregate: (query) => current().aggregate?.(query),
    insert: (rows) => current().insert(rows),
    update: (where, patch) => current().update(where, patch),
    patch: async (where, patch) => current().patch?.(where, patch),
    upsert: (row, defaults) => current().upsert(row, defaults),
    replace: (id, row, where) => current().replace(id, row, where),
    delete: (where) => current().delete(where)
  }
}
