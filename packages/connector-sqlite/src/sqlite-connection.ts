import type { Statement, StatementResult } from '@modelwire/connector-sql'
import { type AnswerBounds, AnswerTooLarge, countWithin } from '@modelwire/core/connector'
import type LibSql from 'libsql'
import { readJsonRows, rowsAsJson } from './rows-as-json.ts'

/** Statements that are kept prepared. */
const keptStatements = 200

/** A prepared statement; `names` are the columns of its rows, if it returns rows. */
interface Prepared {
  readonly statement: LibSql.Statement
  readonly names: readonly string[] | undefined
}

/** One open database file, and its prepared statements. */
export class SqliteConnection {
  readonly #database: LibSql.Database
  readonly #statements = new Map<string, Prepared>()

  constructor(database: LibSql.Database) {
    this.#database = database
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  run({ sql, parameters, atMost, readsFew = false }: Statement): StatementResult {
    const { statement, names } = this.#prepare(sql, readsFew)
    if (names !== undefined) {
      const pieces = this.#read(statement, parameters, atMost)
      return { rows: pieces.flatMap((json) => readJsonRows(names, json)) }
    }
    const { changes, lastInsertRowid } = statement.run([...parameters])
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /**
   * Runs a control statement unprepared: a prepared one that fails, as `begin` does during another write, would block later
   * commits.
   */
  control(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    this.#database.close()
  }

  /** Reads the rows as JSON, in one piece or several. */
  #read(statement: LibSql.Statement, values: readonly unknown[], atMost: AnswerBounds | undefined): Uint8Array[] {
    if (atMost === undefined) return (statement.all(values) as [Uint8Array][]).flat() // the statement determines the type
    const count = countWithin(atMost)
    const rows: Uint8Array[] = []
    const found = statement.iterate(values)
    try {
      // The statement determines the type.
      for (const [row] of found as Iterable<[Uint8Array]>) {
        count(row)
        rows.push(row)
      }
      return rows
    } catch (error) {
      if (error instanceof AnswerTooLarge) this.#interrupt(found)
      throw error
    }
  }

  /** Ends a statement early: left open, it would keep its snapshot of the file, and prevent checkpoints of the journal. */
  #interrupt(found: Iterator<unknown>): void {
    // Its types leave it out.
    const database = this.#database as LibSql.Database & { interrupt: () => void }
    database.interrupt()
    try {
      // libsql reads some rows ahead; the one after them fails.
      while (found.next().done !== true);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_INTERRUPT')) throw error
    }
  }

  #prepare(sql: string, isOne: boolean): Prepared {
    const key = isOne ? `${sql} -- in one piece` : sql
    const cached = this.#statements.get(key)
    if (cached !== undefined) return cached
    const listColumns = (select: string): string[] =>
      this.#database
        .prepare(select)
        .columns()
        .map(({ name }) => name)
    const asJson = rowsAsJson(sql, listColumns, isOne)
    const statement = this.#database.prepare(asJson?.sql ?? sql)
    const prepared = { statement: asJson === undefined ? statement : statement.raw(), names: asJson?.names }
    if (this.#statements.size >= keptStatements) this.#statements.clear()
    // What changes the schema is run once.
    if (/^(?:select|insert|update|delete)/.test(sql)) this.#statements.set(key, prepared)
    return prepared
  }
}
