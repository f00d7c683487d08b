import {
  type Connector,
  type Collection,
  type OpenTransaction,
  readIsolation,
  type Transaction
} from '@modelwire/core/connector'
import { MemoryConnector } from './memory-connector.ts'
import { readSettings } from './settings.ts'
import type { FindDataFile } from './memory-collection.ts'
import type { Table } from './table/table.ts'
import { MemorySession } from './transaction/memory-session.ts'

/** A database in memory with transactions. Each sees the records as they were when it began, and what it did itself. */
class TransactionalConnector extends MemoryConnector {
  readonly #session = new MemorySession()

  /**
   * Runs `work` in one transaction. Operations that it calls, however deep, belong to the transaction; so does a
   * transaction within it. On a conflict, the work is repeated from its start.
   * @throws {TransactionConflict} the conflicts continue
   * @throws {IsolationUnknown} there is no such level of isolation
   */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { isolation }: { isolation?: string } = {}
  ): Promise<T> {
    const level = isolation === undefined ? undefined : readIsolation(isolation)
    await this.openTables()
    return this.#session.run(work, level)
  }

  /** Gives the caller's transaction locks. @throws {TransactionConflict} another transaction had one meanwhile */
  async lock(keys: readonly string[]): Promise<void> {
    this.#session.lock(keys)
  }

  /**
   * Begins a transaction that its caller ends. It is not repeated on a conflict: the caller gets the error.
   * @throws {IsolationUnknown} there is no such level of isolation
   */
  async beginTransaction({ isolation }: { isolation?: string } = {}): Promise<OpenTransaction> {
    const level = isolation === undefined ? undefined : readIsolation(isolation)
    await this.openTables()
    return this.#session.begin(level)
  }

  /** Rolls back open transactions, and gives the file free. */
  override async disconnect(): Promise<void> {
    this.#session.close()
    await super.disconnect()
  }

  protected override createCollection(table: Table, dataFile: FindDataFile): Collection {
    const collection = super.createCollection(table, dataFile)
    return this.#session.join({ table, collection, dataFile, version: 0 })
  }
}

/**
 * Makes a connector that stores records in memory and, with the setting `file`, in a file as well. LoopBack 3's setting
 * `localStorage` is ignored: it only works in a browser.
 * @throws {InvalidOption} a setting has the wrong type
 */
export function memory(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const checked = readSettings(settings)
  return checked.transactions ? new TransactionalConnector(checked) : new MemoryConnector(checked)
}
