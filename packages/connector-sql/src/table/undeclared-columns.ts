import type { Awaitable } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import type { Runner } from '../statement/run-statement.ts'
import type { Column } from './column.ts'
import type { SqlTable } from './sql-table.ts'
import { TableFacts } from './table-facts.ts'

/**
 * Determines which tables have the columns of undeclared properties: the database is queried once per table, and from
 * time to time for a missing one.
 */
export class UndeclaredColumns {
  readonly #dialect: SqlDialect
  readonly #known: TableFacts<string, boolean>

  constructor(dialect: SqlDialect, runner: Runner) {
    this.#dialect = dialect
    this.#known = new TableFacts(runner)
  }

  /** True where the table has the column; a promise until the database has answered. */
  has(table: SqlTable, column: Column): Awaitable<boolean> {
    return this.#known.get(keyOf(table, column), {
      table,
      list: () => this.#dialect.schema.listColumns(table),
      read: (rows) => rows.some((row) => row['name'] === column.name),
      // A migration of another process may add it.
      mayChange: (isThere) => !isThere
    })
  }

  /** Remembers that a migration made all columns of these tables. */
  learn(tables: readonly SqlTable[]): void {
    for (const table of tables) {
      if (table.undeclared !== undefined) this.#known.learn(keyOf(table, table.undeclared), true)
    }
  }
}

const keys = new WeakMap<Column, string>()

/** Equal for the same column of the database, whichever model uses it. */
function keyOf({ schema, name }: SqlTable, column: Column): string {
  const cached = keys.get(column) ?? JSON.stringify([schema, name, column.name])
  keys.set(column, cached)
  return cached
}
