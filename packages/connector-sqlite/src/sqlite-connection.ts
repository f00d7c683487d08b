import type { CompiledQuery, QueryResult } from 'kysely'
import type LibSql from 'libsql'

/** Statements that are kept prepared. */
const keptStatements = 200

/** One open database file, and its prepared statements. */
export class SqliteConnection {
  readonly #database: LibSql.Database
  readonly #statements = new Map<string, LibSql.Statement>()

  constructor(database: LibSql.Database) {
    this.#database = database
  }

  /** SQLite takes a transaction back by itself after some errors, such as a full disk. */
  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  run<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row> {
    const statement = this.#prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as Row[] } // libsql knows nothing of the rows' type
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** A prepared statement that fails, as `begin` does while somebody else writes, would keep later commits from working. */
  control(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    this.#database.close()
  }

  #prepare(sql: string): LibSql.Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    if (this.#statements.size >= keptStatements) this.#statements.clear()
    // What changes the schema is run once.
    if (/^(?:select|insert|update|delete)/.test(sql)) this.#statements.set(sql, statement)
    return statement
  }
}
