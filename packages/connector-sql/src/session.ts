import { AsyncLocalStorage } from 'node:async_hooks'
import { DataSourceUnavailable, type OpenTransaction, type Transaction } from '@modelwire/core'
import { Kysely, type CompiledQuery, type QueryResult } from 'kysely'
import type { Connection, Database } from './dialect.ts'
import { DatabaseFull, StatementTimeout, TransactionAborted, TransactionConflict, TransactionOver } from './errors.ts'
import { translateError, type FaultPlace } from './faults/translate-error.ts'
import type { RawRow, Runner } from './run-statement.ts'
import type { StatementLog } from './settings.ts'
import type { Sql } from './sql.ts'
import { readIsolation } from './transaction/isolation.ts'
import { tryAgain } from './transaction/try-again.ts'

interface Current {
  readonly connection: Connection
  readonly handle: Transaction
  /** Work that was left behind by a transaction must not reach its connection, which somebody else has by now. */
  end?: 'kept' | 'undone'
  /** The error of a statement after which the database takes the transaction back, whatever becomes of the error. */
  failure?: unknown
}

/** Runs statements on a database: alone, or in the transaction that the caller's work belongs to. */
export class Session implements Runner {
  readonly #database: Database
  readonly #log: StatementLog | undefined
  readonly #current = new AsyncLocalStorage<Current>()
  #pool: Connection | undefined
  #isClosed = false

  constructor(database: Database, log: StatementLog | undefined) {
    this.#database = database
    this.#log = log
  }

  async run(statement: Sql | CompiledQuery, place: FaultPlace): Promise<QueryResult<RawRow>> {
    const query = 'compile' in statement ? this.compile(statement) : statement
    const current = this.#joined()
    if (current !== undefined) return this.#runWithin(current, query, place)
    const isRead = query.sql.startsWith('select')
    return tryAgain(
      () => this.#execute(this.#connection(), query, place),
      (error, attempt) => isConflict(error) || (isRead && attempt === 1 && error instanceof DataSourceUnavailable)
    )
  }

  compile(statement: Sql): CompiledQuery {
    return statement.compile(this.#connection())
  }

  async atomically<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.transaction(work, {})
  }

  /** Runs `work` in a transaction, or in the one that it belongs to already; again when the database asks for it. */
  async transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    { isolation }: { isolation?: string | undefined }
  ): Promise<Result> {
    const level = isolation === undefined ? undefined : readIsolation(isolation)
    const joined = this.#joined()
    if (joined !== undefined) return work(joined.handle)
    return tryAgain((attempt) => {
      const builder = this.#connection().transaction()
      const leveled = level === undefined ? builder : builder.setIsolationLevel(level)
      return this.#translated(() =>
        keepRejection((keep) => leveled.execute((connection) => keep(this.#enter(connection, { attempt }, work))))
      )
    }, isConflict)
  }

  /** Begins a transaction on a connection of its own, which it has until somebody ends it. */
  async begin({ isolation }: { isolation?: string | undefined }): Promise<OpenTransaction> {
    const level = isolation === undefined ? undefined : readIsolation(isolation)
    const builder = this.#connection().startTransaction()
    const leveled = level === undefined ? builder : builder.setIsolationLevel(level)
    const open = await this.#translated(() => leveled.execute())
    const current: Current = { connection: open, handle: { attempt: 1 } }
    const end = async (how: 'kept' | 'undone', finish: () => Promise<unknown>): Promise<void> => {
      checkOpen(current)
      current.end = 'undone'
      await this.#translated(finish)
      current.end = how
    }
    return {
      run: async (work) => {
        checkOpen(current)
        return this.#current.run(current, work)
      },
      commit: async () => {
        const { failure } = current
        if (failure === undefined) return end('kept', () => open.commit().execute())
        await end('undone', () => open.rollback().execute())
        throw abortedBy(failure)
      },
      rollback: async () => end('undone', () => open.rollback().execute())
    }
  }

  /** Runs `work` on one connection, each statement by itself, or in the transaction that it belongs to already. */
  async onOneConnection<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#joined() !== undefined) return work()
    const connecting = this.#connection().connection()
    return this.#translated(() => connecting.execute((connection) => this.#enter(connection, { attempt: 1 }, work)))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const pool = this.#pool
    this.#pool = undefined
    await pool?.destroy()
  }

  /** Lets statements through again after `close`. */
  open(): void {
    this.#isClosed = false
  }

  async #enter<Result>(
    connection: Connection,
    handle: Transaction,
    work: (transaction: Transaction) => Promise<Result>
  ): Promise<Result> {
    const current: Current = { connection, handle }
    try {
      const result = await this.#current.run(current, () => work(handle))
      // The database would answer a commit by taking everything back, without calling that an error.
      if (current.failure !== undefined) throw abortedBy(current.failure)
      current.end = 'kept'
      return result
    } finally {
      current.end ??= 'undone'
    }
  }

  async #runWithin(current: Current, query: CompiledQuery, place: FaultPlace): Promise<QueryResult<RawRow>> {
    if (current.failure !== undefined) throw abortedBy(current.failure)
    try {
      return await this.#execute(current.connection, query, place)
    } catch (error) {
      if (current.connection.isTransaction && this.#isEndedBy(error)) current.failure = error
      throw error
    }
  }

  #isEndedBy(error: unknown): boolean {
    return this.#database.dialect.failsTransactions === true || isFatal(error)
  }

  #joined(): Current | undefined {
    const current = this.#current.getStore()
    // What was left behind by work that is undone must not take effect by itself.
    if (current?.end === 'undone') throw overError()
    return current?.end === 'kept' ? undefined : current
  }

  #connection(): Connection {
    if (this.#isClosed) throw new DataSourceUnavailable('the data source is disconnected')
    const log = this.#log
    this.#pool ??= new Kysely({
      dialect: this.#database.kysely(),
      ...(log && { log: ({ query, queryDurationMillis }) => log(query.sql, queryDurationMillis) })
    })
    return this.#pool
  }

  async #execute(connection: Connection, query: CompiledQuery, place: FaultPlace): Promise<QueryResult<RawRow>> {
    // Every statement selects columns by name, so that rows are objects.
    return this.#translated(() => connection.executeQuery(query) as Promise<QueryResult<RawRow>>, place)
  }

  async #translated<Result>(work: () => Promise<Result>, place: FaultPlace = {}): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw translateError(this.#database.dialect, error, place)
    }
  }
}

type Keep = <Result>(work: Promise<Result>) => Promise<Result>

/** When the work within a transaction rejects, so does the transaction, whatever becomes of its rollback. */
async function keepRejection<Result>(run: (keep: Keep) => Promise<Result>): Promise<Result> {
  const rejections: unknown[] = []
  const keep: Keep = async (work) => {
    try {
      return await work
    } catch (error) {
      rejections.push(error)
      throw error
    }
  }
  try {
    return await run(keep)
  } catch (error) {
    throw rejections.length > 0 ? rejections[0] : error
  }
}

/** Errors after which no database, or not every one, goes on with the transaction. */
function isFatal(error: unknown): boolean {
  return [TransactionConflict, DataSourceUnavailable, StatementTimeout, DatabaseFull].some(
    (kind) => error instanceof kind
  )
}

/** What a transaction rejects with whose work did not mind that a statement failed. */
function abortedBy(failure: unknown): unknown {
  if (isFatal(failure)) return failure
  return new TransactionAborted('a statement failed, and the database takes back its whole transaction', {
    cause: failure
  })
}

function checkOpen({ end }: Current): void {
  if (end !== undefined) throw overError()
}

function overError(): TransactionOver {
  return new TransactionOver('the transaction is over: it was committed or rolled back')
}

function isConflict(error: unknown): boolean {
  return error instanceof TransactionConflict
}
