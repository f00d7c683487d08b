import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from 'kysely'
import type LibSql from 'libsql'
import { SqliteConnection } from './sqlite-connection.ts'
import { Turns } from './turns.ts'
import { whileBusy } from './while-busy.ts'

/** How a driver opens its file, and how long it waits for others. */
export interface SqliteFile {
  readonly openWriter: () => LibSql.Database
  /** Undefined for a database in memory, which only its own connection sees. */
  readonly openReader?: (() => LibSql.Database) | undefined
  /** Milliseconds to wait for another process that writes. */
  readonly busyTimeout: number
  /** Milliseconds to wait for a transaction of this process; 0 for ever. */
  readonly connectTimeout: number
}

/**
 * Kysely's dialect over libsql, which has SQLite inside: one connection writes and has the transactions, and whoever wants it
 * while a transaction has it waits. Another one reads what is committed, and waits for nobody. A transaction takes the right
 * to write when it begins, so that it cannot fail for want of it later.
 */
export function sqliteDriver(file: SqliteFile): Dialect {
  return {
    createDriver: () => new SqliteDriver(file),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db)
  }
}

interface OpenFile extends SqliteFile {
  readonly writer: SqliteConnection
  readonly reader: SqliteConnection | undefined
  readonly turns: Turns
}

class SqliteDriver implements Driver {
  readonly #file: SqliteFile
  #open: OpenFile | undefined

  constructor(file: SqliteFile) {
    this.#file = file
  }

  async init(): Promise<void> {
    const { openWriter, openReader, busyTimeout } = this.#file
    const writer = new SqliteConnection(await whileBusy(openWriter, busyTimeout))
    const reader = openReader && new SqliteConnection(await whileBusy(openReader, busyTimeout))
    this.#open = { ...this.#file, writer, reader, turns: new Turns() }
  }

  async acquireConnection(): Promise<Lease> {
    if (this.#open === undefined) throw new Error('the database is closed')
    return new Lease(this.#open)
  }

  async releaseConnection(lease: Lease): Promise<void> {
    lease.end()
  }

  async beginTransaction(lease: Lease): Promise<void> {
    await lease.control('begin immediate')
  }

  async commitTransaction(lease: Lease): Promise<void> {
    await lease.control('commit')
  }

  async rollbackTransaction(lease: Lease): Promise<void> {
    if (lease.inTransaction) await lease.control('rollback')
  }

  async destroy(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return
    // A transaction that never ends must not keep the process from ending.
    await open.turns.take(open.connectTimeout).catch(() => {})
    open.reader?.close()
    open.writer.close()
  }
}

/** What one statement, or one transaction, works with: the writer from the first statement on that is not a read. */
class Lease implements DatabaseConnection {
  readonly #file: OpenFile
  #hasTurn = false

  constructor(file: OpenFile) {
    this.#file = file
  }

  get inTransaction(): boolean {
    return this.#hasTurn && this.#file.writer.inTransaction
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { reader, writer, busyTimeout } = this.#file
    const isRead = !this.#hasTurn && reader !== undefined && query.sql.startsWith('select')
    if (isRead) return whileBusy(() => reader.run<Row>(query), busyTimeout)
    await this.#takeTurn()
    return this.inTransaction || !/^(?:insert|update|delete|create|alter|drop)/.test(query.sql)
      ? whileBusy(() => writer.run<Row>(query), busyTimeout)
      : this.#runAlone<Row>(query)
  }

  /**
   * Takes the right to write first. A prepared statement that finds the file locked would be neither done nor undone, and
   * keep every later commit from working.
   */
  async #runAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.control('begin immediate')
    try {
      const result = this.#file.writer.run<Row>(query)
      await this.control('commit')
      return result
    } catch (error) {
      if (this.inTransaction) await this.control('rollback')
      throw error
    }
  }

  /** Begins or ends a transaction. */
  async control(sql: string): Promise<void> {
    await this.#takeTurn()
    await whileBusy(() => this.#file.writer.control(sql), this.#file.busyTimeout)
  }

  // Rows of SQLite come all at once: nothing here reads them one by one.
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  end(): void {
    if (this.#hasTurn) this.#file.turns.end()
    this.#hasTurn = false
  }

  async #takeTurn(): Promise<void> {
    if (this.#hasTurn) return
    await this.#file.turns.take(this.#file.connectTimeout)
    this.#hasTurn = true
  }
}
