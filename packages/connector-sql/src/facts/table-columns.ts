import type { Awaitable } from '@modelwire/server'
import type { SqlDialect } from '../dialect/dialect.ts'
import type { Runner } from '../statement/run-statement.ts'
import { columnKindOf, type Column } from '../table/column.ts'
import { keyClass, readStoredColumns, type StoredColumns } from '../table/stored-columns.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { TableFacts } from './table-facts.ts'

/** A column that contains a key. */
export interface KeyColumn {
  readonly table: SqlTable
  readonly column: Column
}

const comparable: ReadonlySet<string> = new Set(['text', 'number', 'decimal'])

/**
 * The columns of tables in the database, and which can be compared with each other: the database is queried once per table,
 * and repeatedly for a missing column of undeclared properties, which a migration of another process may add.
 */
export class TableColumns {
  readonly #dialect: SqlDialect
  readonly #known: TableFacts<SqlTable, StoredColumns>

  constructor(dialect: SqlDialect, runner: Runner) {
    this.#dialect = dialect
    this.#known = new TableFacts(runner)
  }

  /** True if the first column, or each item of a list in it, can be compared with the other one. */
  async compares(from: KeyColumn, to: KeyColumn): Promise<boolean> {
    const items = itemsOf(from.column)
    const kind = items ?? from.column.kind
    if (kind !== to.column.kind || !comparable.has(kind)) return false
    if (this.#dialect.comparesAllKeys === true) return true
    const other = this.#classOf(await this.of(to.table), to.column)
    if (items !== undefined) return other?.startsWith(items) === true
    return other !== undefined && this.#classOf(await this.of(from.table), from.column) === other
  }

  /** The columns of a table. */
  of(table: SqlTable): Awaitable<StoredColumns> {
    const { listColumns } = this.#dialect.catalog
    const { undeclared } = table
    const mayChange = (found: StoredColumns): boolean => undeclared !== undefined && !found.has(undeclared.name)
    return this.#known.get(table, { table, list: () => listColumns(table), read: readStoredColumns, mayChange })
  }

  #classOf(found: StoredColumns, { name }: Column): string | undefined {
    const stored = found.get(name)
    return stored && keyClass(this.#dialect.types, stored)
  }

  /** The same, if the database has already answered. */
  known(table: SqlTable): StoredColumns | undefined {
    return this.#known.known(table)
  }

  /** True if the table has the column. */
  async has(table: SqlTable, { name }: Column): Promise<boolean> {
    return (await this.of(table)).has(name)
  }

  /** Clears the cache, since the tables may have changed. */
  forget(): void {
    this.#known.forget()
  }
}

/** What a list holds; undefined where the column holds no list. */
function itemsOf({ property, declared }: Column): ReturnType<typeof columnKindOf> | undefined {
  const { type } = property
  return declared === undefined && type.kind === 'array' ? columnKindOf(type.items) : undefined
}
