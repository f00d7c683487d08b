import { type Awaitable, andThen } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import type { Runner } from '../statement/run-statement.ts'
import { columnKindOf } from './column-kind.ts'
import { type ColumnTypes, readColumnTypes } from './column-types.ts'
import type { Column } from './column.ts'
import type { SqlTable } from './sql-table.ts'
import { TableFacts } from './table-facts.ts'

/** A column that holds a key. */
export interface KeyColumn {
  readonly table: SqlTable
  readonly column: Column
}

const comparable: ReadonlySet<string> = new Set(['text', 'number', 'decimal'])

/** The types of columns, and which can be compared with each other: the database is queried once per table. */
export class KeyTypes {
  readonly #dialect: SqlDialect
  readonly #known: TableFacts<SqlTable, ColumnTypes>

  constructor(dialect: SqlDialect, runner: Runner) {
    this.#dialect = dialect
    this.#known = new TableFacts(runner)
  }

  /** True where the first column, or each item of a list in it, can be compared with the other one. */
  compares(from: KeyColumn, to: KeyColumn): Awaitable<boolean> {
    const items = itemsOf(from.column)
    const kind = items ?? from.column.kind
    if (kind !== to.column.kind || !comparable.has(kind)) return false
    if (this.#dialect.comparesAllKeys === true) return true
    return andThen(this.of(to.table), (others) => {
      const other = others.get(to.column.name)?.type
      if (items !== undefined) return other?.startsWith(items) === true
      return andThen(this.of(from.table), (types) => other !== undefined && types.get(from.column.name)?.type === other)
    })
  }

  /** The types of all columns of a table. */
  of(table: SqlTable): Awaitable<ColumnTypes> {
    const { listTypes } = this.#dialect.exactness
    return this.#known.get(table, { table, list: () => listTypes(table), read: readColumnTypes })
  }

  /** The same where the database has answered. */
  known(table: SqlTable): ColumnTypes | undefined {
    return this.#known.known(table)
  }

  /** Forgets what is known, since the tables may be others now. */
  forget(): void {
    this.#known.forget()
  }
}

/** What a list holds; undefined where the column holds no list. */
function itemsOf({ property, declared }: Column): ReturnType<typeof columnKindOf> | undefined {
  const { type } = property
  return declared === undefined && type.kind === 'array' ? columnKindOf(type.items) : undefined
}
