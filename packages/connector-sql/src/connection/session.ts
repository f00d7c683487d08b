import { AsyncLocalStorage } from 'node:async_hooks'
import {
  abortedBy,
  isFatal,
  LockOutsideTransaction,
  type OpenTransaction,
  readIsolation,
  type Row,
  throwIfLeft,
  type Transaction,
  TransactionConflict,
  TransactionOver,
  tryAgain,
  AccessRefused,
  ConnectionTimeout
} from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect/dialect.ts'
import { StatementOutdated } from '../errors.ts'
import { translateError, type FaultPlace } from '../statement/translate-error.ts'
import { type Runner, writeChecked } from '../statement/run-statement.ts'
import { type Sql, type Statement, isRead } from '../sql.ts'
import type { StatementLog } from '../settings.ts'
import type { Column } from '../table/column.ts'
import { readRows } from '../values/decode-value.ts'
import { Connections } from './connections.ts'
import { beginParts } from './read-parts.ts'
import type { HeldConnection } from './held-connection.ts'
import type { StatementResult, StatementRunner, Database } from '../dialect/database.ts'
import { DataSourceUnavailable } from '@modelwire/core'

interface Current {
  readonly connection: HeldConnection
  readonly handle: Transaction
  /** Set when it ends: leftover work must not use its connection, which has another user by now. */
  end?: 'kept' | 'undone'
  /** The error of a statement after which the database rolls the transaction back, even if the error is caught. */
  failure?: unknown
}

type Work<Result> = (runner: StatementRunner, statement: Statement) => Promise<Result>

/** Runs statements on a database: individually, or in the transaction that the caller's work belongs to. */
export class Session implements Runner {
  /** Its statements and connections. */
  readonly activity: Connections
  readonly #dialect: SqlDialect
  readonly #connections: Connections
  readonly #current = new AsyncLocalStorage<Current>()
  #openTransactions = 0
  /** Whether to look for work of rolled-back transactions that is still running. */
  #hasUndone = false

  constructor({ dialect, open, parts }: Pick<Database, 'dialect' | 'open' | 'parts'>, log: StatementLog | undefined) {
    this.#dialect = dialect
    this.#connections = this.activity = new Connections(open, log, parts)
  }

  run(statement: Sql | Statement, place: FaultPlace): Promise<StatementResult> {
    return this.#perform(statement, place, (runner, written) => runner.run(written))
  }

  read(statement: Sql | Statement, columns: readonly Column[], place: FaultPlace): Promise<Row[]> {
    return this.#perform(statement, place, async (runner, written) =>
      readRows(this.#dialect, columns, await runner.run(written))
    )
  }

  async readInParts(
    statement: Statement,
    columns: readonly Column[],
    place: FaultPlace
  ): Promise<AsyncIterable<Row[]> | undefined> {
    if (this.#joined() !== undefined) return undefined
    const at = { ...place, statement }
    const translate = (error: unknown): unknown => translateError(this.#dialect, error, at)
    const read = { dialect: this.#dialect, statement, columns, translate }
    const begin = async (): Promise<AsyncIterable<Row[]> | undefined> => {
      const { readParts } = this.#connections
      return readParts && beginParts(readParts, read)
    }
    return tryAgain(
      () => this.#translated(begin, at),
      (error, attempt) => shouldRetry(statement, error, attempt)
    )
  }

  async runApart(statement: Sql, place: FaultPlace): Promise<StatementResult> {
    const written = this.compile(statement)
    const current = this.#joined()
    if (current === undefined) return this.run(written, place)
    if (current.failure !== undefined) throw abortedBy(current.failure)
    const inTurn = (): Promise<StatementResult> =>
      current.connection.inTurn((runner) => betweenSavepoints(runner, written))
    try {
      return await this.#translated(inTurn, { ...place, statement: written })
    } catch (error) {
      if (isFatal(error)) current.failure = error
      throw error
    }
  }

  conflict(message: string, cause?: unknown): TransactionConflict {
    const conflict = new TransactionConflict(message, { cause })
    const current = this.#joined()
    if (current?.connection.isTransaction === true) current.failure = conflict
    return conflict
  }

  isInTransaction(): boolean {
    return this.#joined() !== undefined
  }

  compile(statement: Sql): Statement {
    return writeChecked(this.#dialect, statement)
  }

  async atomically<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.transaction(work, {})
  }

  /** Runs `work` in a transaction, or in the one that it already belongs to; retried on a conflict. */
  async transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    { isolation }: { isolation?: string | undefined }
  ): Promise<Result> {
    const beginning = this.#beginning(isolation)
    const joined = this.#joined()
    if (joined !== undefined) return work(joined.handle)
    const attemptOnce = async (attempt: number): Promise<Result> => {
      const connection = await this.#begin(beginning)
      return connection.commitAfter(() => this.#enter(connection, { attempt }, work))
    }
    return tryAgain((attempt) => this.#translated(() => attemptOnce(attempt)), isConflict)
  }

  /** Begins a transaction on a separate connection, which is held until it ends. */
  async begin({ isolation }: { isolation?: string | undefined }): Promise<OpenTransaction> {
    const beginning = this.#beginning(isolation)
    const open = await this.#translated(() => this.#begin(beginning))
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
        if (failure === undefined) return end('kept', () => open.commitAfter(async () => {}))
        await end('undone', () => open.rollback())
        throw abortedBy(failure)
      },
      rollback: async () => end('undone', () => open.rollback())
    }
  }

  /** Runs `work` on one connection, each statement by itself, or in the transaction that it already belongs to. */
  async onOneConnection<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#joined() !== undefined) return work()
    return this.#translated(async () => {
      const connection = await this.#connections.hold()
      try {
        return await this.#enter(connection, { attempt: 1 }, work)
      } finally {
        await connection.release()
      }
    })
  }

  /** Waits for locks, which the caller's transaction then holds. @throws {TransactionConflict} one cannot be had */
  async lock(keys: readonly string[]): Promise<void> {
    const current = this.#joined()
    const { locks } = this.#dialect.transactions
    if (current === undefined || !current.connection.isTransaction)
      throw new LockOutsideTransaction('a lock requires a transaction')
    if (locks === undefined) return
    if (locks.release !== undefined) current.connection.atEnd(this.compile(locks.release(keys)))
    const { rows } = await this.run(locks.take(keys), {})
    if (!rows.every(({ taken }) => Number(taken) === 1))
      throw this.conflict('another transaction held the lock for too long')
  }

  async close(): Promise<void> {
    await this.#connections.close()
  }

  /** Accepts statements again after `close`. */
  open(): void {
    this.#connections.open()
  }

  /** The statements that begin a transaction. @throws {IsolationUnknown} there is no such level of isolation */
  #beginning(isolation: string | undefined): readonly string[] {
    return this.#dialect.transactions.begin(isolation === undefined ? undefined : readIsolation(isolation))
  }

  async #begin(beginning: readonly string[]): Promise<HeldConnection> {
    const connection = await this.#connections.hold()
    await connection.begin(beginning)
    return connection
  }

  async #enter<Result>(
    connection: HeldConnection,
    handle: Transaction,
    work: (transaction: Transaction) => Promise<Result>
  ): Promise<Result> {
    const current: Current = { connection, handle }
    this.#openTransactions++
    try {
      const result = await this.#workWithin(current, work)
      // The database would answer a commit by taking everything back, without calling that an error.
      if (current.failure !== undefined) throw abortedBy(current.failure)
      current.end = 'kept'
      return result
    } finally {
      current.end ??= 'undone'
      this.#ended(current)
    }
  }

  /** A conflict counts even if the work caught it: all of it can be retried. */
  async #workWithin<Result>(current: Current, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    try {
      return await this.#current.run(current, () => work(current.handle))
    } catch (error) {
      throw isConflict(current.failure) ? current.failure : error
    }
  }

  /** Stops tracking promises once no transaction is open. */
  #ended({ end }: Current): void {
    this.#openTransactions--
    if (end === 'undone') this.#hasUndone = true
    if (this.#openTransactions === 0 && !this.#hasUndone) this.#current.disable()
  }

  async #perform<Result>(statement: Sql | Statement, place: FaultPlace, work: Work<Result>): Promise<Result> {
    const written = typeof statement === 'function' ? this.compile(statement) : statement
    const current = this.#joined()
    if (current !== undefined) {
      const perform = (runner: StatementRunner): Promise<Result> => work(runner, written)
      return this.#performWithin(current, perform, { ...place, statement: written })
    }
    throwIfLeft(written.signal)
    const { direct } = this.#connections
    try {
      return await work(direct, written)
    } catch (error) {
      const fault = translateError(this.#dialect, error, { ...place, statement: written })
      if (!shouldRetry(written, fault, 1)) throw fault
    }
    const at = { ...place, statement: written }
    const again = (): Promise<Result> => this.#translated(() => work(this.#connections.direct, written), at)
    return tryAgain(again, (error, attempt) => shouldRetry(written, error, attempt), 2)
  }

  async #performWithin<Result>(
    current: Current,
    work: (runner: StatementRunner) => Promise<Result>,
    place: FaultPlace
  ): Promise<Result> {
    const { failure, connection } = current
    if (failure !== undefined) {
      if (isFatal(failure) || place.table === undefined || !isPlainRead(place)) throw abortedBy(failure)
      return this.#translated(() => connection.inTurn((runner) => readAfterwards(runner, work)), place)
    }
    try {
      return await this.#translated(() => connection.inTurn(work), place)
    } catch (error) {
      if (current.connection.isTransaction && this.#isEndedBy(error)) current.failure = error
      throw error
    }
  }

  #isEndedBy(error: unknown): boolean {
    return this.#dialect.transactions.failAsWhole === true || isFatal(error)
  }

  #joined(): Current | undefined {
    if (this.#openTransactions === 0 && !this.#hasUndone) return undefined
    const current = this.#current.getStore()
    // What was left behind by work that is undone must not take effect by itself.
    if (current?.end === 'undone') throw transactionLeakError()
    return current?.end === 'kept' ? undefined : current
  }

  async #translated<Result>(work: () => Promise<Result>, place: FaultPlace = {}): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw translateError(this.#dialect, error, place)
    }
  }
}

const isPlainRead = ({ statement }: FaultPlace): boolean =>
  statement !== undefined && isRead(statement) && !statement.sql.endsWith(' for update')

/**
 * A read behind a statement that failed, such as one that decides what of the error a caller may know: the transaction is
 * taken back already, and what is read is what others see. Nothing can be written any more.
 */
async function readAfterwards<Result>(
  runner: StatementRunner,
  work: (runner: StatementRunner) => Promise<Result>
): Promise<Result> {
  for (const sql of ['rollback', 'start transaction read only']) await runner.run({ sql, parameters: [] })
  return work(runner)
}

async function betweenSavepoints(runner: StatementRunner, statement: Statement): Promise<StatementResult> {
  const control = (sql: string): Promise<StatementResult> => runner.run({ sql, parameters: [] })
  await control('savepoint apart')
  try {
    const result = await runner.run(statement)
    await control('release savepoint apart')
    return result
  } catch (error) {
    await control('rollback to savepoint apart')
    throw error
  }
}

function checkOpen({ end }: Current): void {
  if (end !== undefined) throw transactionLeakError()
}

function transactionLeakError(): TransactionOver {
  return new TransactionOver('the transaction is over: it was committed or rolled back')
}

const isConflict = (error: unknown): boolean =>
  error instanceof TransactionConflict || error instanceof StatementOutdated

/** A read that met a lost connection is tried once more: another connection may be alive. */
function shouldRetry(statement: Statement, error: unknown, attempt: number): boolean {
  if (error instanceof TransactionConflict || error instanceof StatementOutdated) return true
  const isLost =
    error instanceof DataSourceUnavailable && !(error instanceof ConnectionTimeout || error instanceof AccessRefused)
  return attempt === 1 && isLost && isRead(statement)
}
