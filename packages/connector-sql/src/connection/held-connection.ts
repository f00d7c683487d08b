import type { Statement } from '../sql.ts'
import type { Connection, StatementRunner } from '../dialect/database.ts'

/** A connection that is held for several statements, which run one at a time, in order. */
export class HeldConnection {
  readonly #connection: Connection
  #last: Promise<unknown> | undefined
  #isTransaction = false
  /** Statements for effects that the end of the transaction does not undo. */
  readonly #endings: Statement[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get isTransaction(): boolean {
    return this.#isTransaction
  }

  /** Does `work` after all previous work is done. */
  async inTurn<Result>(work: (connection: StatementRunner) => Promise<Result>): Promise<Result> {
    const turn = this.#after(this.#last, work)
    this.#last = turn
    return turn
  }

  /** Begins a transaction with these statements. If that fails, the connection is returned. */
  async begin(statements: readonly string[]): Promise<void> {
    this.#isTransaction = true
    try {
      for (const sql of statements) await this.#control(sql)
    } catch (error) {
      // It may have begun, or have been set up for one.
      this.#connection.release(true)
      throw error
    }
  }

  /** Commits the effects of `work` and returns the connection; rolls back if `work` or the commit fails. */
  async commitAfter<Result>(work: () => Promise<Result>): Promise<Result> {
    let committed: Result
    try {
      const result = await work()
      await this.#control('commit')
      committed = result
    } catch (error) {
      // This error is more specific than one of the rollback.
      await Promise.allSettled([this.rollback()])
      throw error
    }
    await this.#giveBack()
    return committed
  }

  /** Runs a statement after the transaction, however it ends. */
  atEnd(statement: Statement): void {
    this.#endings.push(statement)
  }

  /** Rolls back and returns the connection; if that fails, it is closed, and the database rolls back. */
  async rollback(): Promise<void> {
    try {
      await this.#control('rollback')
    } catch (error) {
      this.#connection.release(true)
      throw error
    }
    await this.#giveBack()
  }

  /** A connection whose last statements fail is closed, which has the same effect. */
  async #giveBack(): Promise<void> {
    let isBroken = true
    try {
      for (const statement of this.#endings) await this.inTurn((connection) => connection.run(statement))
      isBroken = false
    } catch {
      // What the transaction came to does not change.
    } finally {
      this.#connection.release(isBroken)
    }
  }

  /** Returns the connection once all previous work is done. */
  async release(): Promise<void> {
    await this.inTurn(async () => this.#connection.release(false))
  }

  async #control(sql: string): Promise<void> {
    await this.inTurn((connection) => connection.run({ sql, parameters: [] }))
  }

  async #after<Result>(
    previous: Promise<unknown> | undefined,
    work: (connection: StatementRunner) => Promise<Result>
  ): Promise<Result> {
    // The caller of the statement before gets its error.
    if (previous !== undefined) await Promise.allSettled([previous])
    return work(this.#connection)
  }
}
