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

/** Opens the database file. */
export type OpenDatabase = () => LibSql.Database

/**
 * Kysely's dialect over libsql, which has SQLite inside: one connection, and whoever wants it while a transaction has it
 * waits. A transaction takes the right to write when it begins, so that it cannot fail for want of it later.
 */
export function sqliteDriver(open: OpenDatabase): Dialect {
  return {
    createDriver: () => new SqliteDriver(open),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db)
  }
}

class SqliteDriver implements Driver {
  readonly #open: OpenDatabase
  #connection: SqliteConnection | undefined
  #last: Promise<void> = Promise.resolve()
  #endTurn: (() => void) | undefined

  constructor(open: OpenDatabase) {
    this.#open = open
  }

  async init(): Promise<void> {
    this.#connection = new SqliteConnection(this.#open())
  }

  /** Resolves when everybody who came before has given the connection back. */
  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last
    const turn = createTurn()
    this.#last = turn.isOver
    await before
    this.#endTurn = turn.end
    if (this.#connection === undefined) throw new Error('the database is closed')
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#endTurn?.()
  }

  async beginTransaction(): Promise<void> {
    this.#connection?.execute('begin immediate')
  }

  async commitTransaction(): Promise<void> {
    this.#connection?.execute('commit')
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection?.execute('rollback')
  }

  async destroy(): Promise<void> {
    await this.#last
    this.#connection?.close()
    this.#connection = undefined
  }
}

interface Turn {
  readonly isOver: Promise<void>
  readonly end: () => void
}

function createTurn(): Turn {
  const ends: (() => void)[] = []
  const isOver = new Promise<void>((resolve) => {
    ends.push(resolve)
  })
  return { isOver, end: () => ends.pop()?.() }
}

/** Statements that are kept prepared. */
const keptStatements = 200

class SqliteConnection implements DatabaseConnection {
  readonly #database: LibSql.Database
  readonly #statements = new Map<string, LibSql.Statement>()

  constructor(database: LibSql.Database) {
    this.#database = database
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as Row[] } // libsql knows nothing of the rows' type
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** A prepared statement that fails, as `begin` does while somebody else writes, would keep later commits from working. */
  execute(sql: string): void {
    this.#database.exec(sql)
  }

  // Rows of SQLite come all at once: nothing here reads them one by one.
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
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
