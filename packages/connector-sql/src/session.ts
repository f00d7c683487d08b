import { AsyncLocalStorage } from 'node:async_hooks'
import { DataSourceUnavailable, type OpenTransaction, readIsolation, type Row, type Transaction } from '@modelwire/core'
import { Kysely } from 'kysely'
import type { Connection, Database, DirectRunner } from './dialect.ts'
import { StatementOutdated, TransactionConflict, TransactionOver } from './errors.ts'
import { translateError, type FaultPlace } from './faults/translate-error.ts'
import { runOnConnection } from './run-on-connection.ts'
import type { Runner, StatementResult } from './run-statement.ts'
import type { StatementLog } from './settings.ts'
import type { Sql, Statement } from './sql.ts'
import type { Column } from './table/column.ts'
import { abortedBy, isFatal } from './transaction/aborted-by.ts'
import { commitOrRelease } from './transaction/commit-or-release.ts'
import { isWorthAnother } from './transaction/is-worth-another.ts'
import { keepRejection } from './transaction/keep-rejection.ts'
import { tryAgain } from './transaction/try-again.ts'
import { withLog } from './with-log.ts'
import { writeChecked } from './write-checked.ts'

interface Current {
  readonly connection: Connection
  readonly handle: Transaction
  /** Work that was left behind by a transaction must not reach its connection, which somebody else has by now. */
  end?: 'kept' | 'undone'
  /** The error of a statement after which the database takes the transaction back, whatever becomes of the error. */
  failure?: unknown
}

interface Pool {
  readonly kysely: Connection
  readonly direct: DirectRunner
}

type Work<Result> = (runner: DirectRunner, statement: Statement) => Promise<Result>

/** Runs statements on a database: alone, or in the transaction that the caller's work belongs to. */
export class Session implements Runner {
  readonly #database: Database
  readonly #log: StatementLog | undefined
  readonly #current = new AsyncLocalStorage<Current>()
  #openTransactions = 0
  /** Work that an undone transaction left behind has to be found, whenever it comes. */
  #hasUndone = false
  #pool: Pool | undefined
  #isClosed = false

  constructor(database: Database, log: StatementLog | undefined) {
    this.#database = database
    this.#log = log
  }

  run(statement: Sql | Statement, place: FaultPlace): Promise<StatementResult> {
    return this.#perform(statement, place, (runner, written) => runner.run(written))
  }

  read(statement: Sql | Statement, columns: readonly Column[], place: FaultPlace): Promise<Row[]> {
    return this.#perform(statement, place, (runner, written) => runner.read(written, columns))
  }

  isInTransaction(): boolean {
    return this.#joined() !== undefined
  }

  compile(statement: Sql): Statement {
    return writeChecked(this.#database.dialect, statement)
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
      const builder = this.#connections().kysely.transaction()
      const leveled = level === undefined ? builder : builder.setIsolationLevel(level)
      return this.#translated(() =>
        keepRejection((keep) => leveled.execute((connection) => keep(this.#enter(connection, { attempt }, work))))
      )
    }, isConflict)
  }

  /** Begins a transaction on a connection of its own, which it has until somebody ends it. */
  async begin({ isolation }: { isolation?: string | undefined }): Promise<OpenTransaction> {
    const level = isolation === undefined ? undefined : readIsolation(isolation)
    const builder = this.#connections().kysely.startTransaction()
    const leveled = level === undefined ? builder : builder.setIsolationLevel(level)
    const open = await this.#translated(() => leveled.execute())
    const current: Current = { connection: open, handle: { attempt: 1 } }
    this.#openTransactions++
    const end = async (how: 'kept' | 'undone', finish: () => Promise<unknown>): Promise<void> => {
      checkOpen(current)
      current.end = 'undone'
      try {
        await this.#translated(finish)
        current.end = how
      } finally {
        this.#ended(current)
      }
    }
    return {
      run: async (work) => {
        checkOpen(current)
        return this.#current.run(current, work)
      },
      commit: async () => {
        const { failure } = current
        if (failure === undefined) return end('kept', () => commitOrRelease(open))
        await end('undone', () => open.rollback().execute())
        throw abortedBy(failure)
      },
      rollback: async () => end('undone', () => open.rollback().execute())
    }
  }

  /** Runs `work` on one connection, each statement by itself, or in the transaction that it belongs to already. */
  async onOneConnection<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#joined() !== undefined) return work()
    const connecting = this.#connections().kysely.connection()
    return this.#translated(() => connecting.execute((connection) => this.#enter(connection, { attempt: 1 }, work)))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const pool = this.#pool
    this.#pool = undefined
    await pool?.kysely.destroy()
    await pool?.direct.close?.()
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
    this.#openTransactions++
    try {
      const result = await this.#current.run(current, () => work(handle))
      // The database would answer a commit by taking everything back, without calling that an error.
      if (current.failure !== undefined) throw abortedBy(current.failure)
      current.end = 'kept'
      return result
    } finally {
      current.end ??= 'undone'
      this.#ended(current)
    }
  }

  /** Where nobody can find a transaction any more, promises stop paying for being followed. */
  #ended({ end }: Current): void {
    this.#openTransactions--
    if (end === 'undone') this.#hasUndone = true
    if (this.#openTransactions === 0 && !this.#hasUndone) this.#current.disable()
  }

  async #perform<Result>(statement: Sql | Statement, place: FaultPlace, work: Work<Result>): Promise<Result> {
    const written = typeof statement === 'function' ? this.compile(statement) : statement
    const current = this.#joined()
    if (current !== undefined) {
      const runner = runOnConnection(this.#database.dialect, current.connection)
      // What a transaction has begun it ends, whoever waits for it.
      const { signal: _signal, ...own } = written
      return this.#performWithin(current, () => work(runner, own), { ...place, statement: written })
    }
    const { direct } = this.#connections()
    try {
      return await work(direct, written)
    } catch (error) {
      const fault = translateError(this.#database.dialect, error, { ...place, statement: written })
      if (!isWorthAnother(written, fault, 1)) throw fault
    }
    const at = { ...place, statement: written }
    const again = (): Promise<Result> => this.#translated(() => work(this.#connections().direct, written), at)
    return tryAgain(again, (error, attempt) => isWorthAnother(written, error, attempt), 2)
  }

  async #performWithin<Result>(current: Current, work: () => Promise<Result>, place: FaultPlace): Promise<Result> {
    if (current.failure !== undefined) throw abortedBy(current.failure)
    try {
      return await this.#translated(work, place)
    } catch (error) {
      if (current.connection.isTransaction && this.#isEndedBy(error)) current.failure = error
      throw error
    }
  }

  #isEndedBy(error: unknown): boolean {
    return this.#database.dialect.failsTransactions === true || isFatal(error)
  }

  #joined(): Current | undefined {
    if (this.#openTransactions === 0 && !this.#hasUndone) return undefined
    const current = this.#current.getStore()
    // What was left behind by work that is undone must not take effect by itself.
    if (current?.end === 'undone') throw overError()
    return current?.end === 'kept' ? undefined : current
  }

  #connections(): Pool {
    if (this.#isClosed) throw new DataSourceUnavailable('the data source is disconnected')
    return (this.#pool ??= this.#createPool())
  }

  #createPool(): Pool {
    const { kysely: dialect, direct } = this.#database.open()
    const log = this.#log
    const kysely = new Kysely<unknown>({
      dialect,
      ...(log && { log: ({ query, queryDurationMillis }) => log(query.sql, queryDurationMillis) })
    })
    if (direct === undefined) return { kysely, direct: runOnConnection(this.#database.dialect, kysely) }
    return { kysely, direct: log === undefined ? direct : withLog(direct, log) }
  }

  async #translated<Result>(work: () => Promise<Result>, place: FaultPlace = {}): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw translateError(this.#database.dialect, error, place)
    }
  }
}

function checkOpen({ end }: Current): void {
  if (end !== undefined) throw overError()
}

function overError(): TransactionOver {
  return new TransactionOver('the transaction is over: it was committed or rolled back')
}

const isConflict = (error: unknown): boolean =>
  error instanceof TransactionConflict || error instanceof StatementOutdated
