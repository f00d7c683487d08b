import type { Awaitable } from '@modelwire/core'
import type { SqlDialect } from '../dialect.ts'
import type { Runner } from '../run-statement.ts'
import type { Column, SqlTable } from './sql-table.ts'

/** Knows which tables have the columns of undeclared properties: the database is asked once per table. */
export class KnownColumns {
  readonly #dialect: SqlDialect
  readonly #runner: Runner
  readonly #known = new Map<string, Awaitable<boolean>>()

  constructor(dialect: SqlDialect, runner: Runner) {
    this.#dialect = dialect
    this.#runner = runner
  }

  /** True where the table has the column; a promise of it as long as the database was not asked. */
  has(table: SqlTable, column: Column): Awaitable<boolean> {
    const key = keyOf(table, column)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const asking = this.#ask(table, column, key)
    this.#known.set(key, asking)
    return asking
  }

  /** Remembers that a migration made all columns of these tables. */
  learn(tables: readonly SqlTable[]): void {
    for (const table of tables) {
      if (table.undeclared !== undefined) this.#known.set(keyOf(table, table.undeclared), true)
    }
  }

  async #ask(table: SqlTable, { name }: Column, key: string): Promise<boolean> {
    try {
      const { rows } = await this.#runner.run(this.#dialect.schema.listColumns(table), { table })
      const has = rows.some((row) => row['name'] === name)
      // A table that is missing may come yet.
      if (rows.length > 0) this.#known.set(key, has)
      else this.#known.delete(key)
      return has
    } catch (error) {
      this.#known.delete(key)
      throw error
    }
  }
}

const keys = new WeakMap<Column, string>()

/** The same for the same column of the database, whichever model looks at it. */
function keyOf({ schema, name }: SqlTable, column: Column): string {
  const known = keys.get(column) ?? JSON.stringify([schema, name, column.name])
  keys.set(column, known)
  return known
}
