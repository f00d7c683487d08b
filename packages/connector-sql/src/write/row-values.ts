import { randomUUID } from 'node:crypto'
import type { Row } from '@modelwire/core'
import { sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import type { Sql } from '../sql.ts'
import type { Column, SqlTable } from '../table/sql-table.ts'

/** Columns of the properties that `row` gives a value, null included. */
export function givenColumns({ columns }: SqlTable, row: Row): readonly Column[] {
  return columns.filter(({ property }) => row[property.name] !== undefined)
}

/** The value of `column` in `row` as a parameter. */
export function storedValue(dialect: SqlDialect, { property, kind }: Column, row: Row): Sql {
  const value = row[property.name]
  return value === undefined || value === null ? sql`null` : dialect.stored(kind, value)
}

/** `column = value` for each property that `row` gives; an id never changes. */
export function assignments(dialect: SqlDialect, table: SqlTable, row: Row): readonly Sql[] {
  return givenColumns(table, row)
    .filter(({ property }) => !property.id)
    .map((column) => sql`${column.sql} = ${storedValue(dialect, column, row)}`)
}

/** The row with all declared properties in declared order, and a text id where the connector makes it. */
export function completeRow(table: SqlTable, row: Row): Row {
  const { columns, id } = table
  const complete: Row = {}
  for (const { property } of columns) complete[property.name] = row[property.name]
  // A null id is none: the database would take it for a value.
  if (id !== undefined && lacksId(table, row))
    complete[id.property.name] = id.kind === 'text' ? randomUUID() : undefined
  return complete
}

/** The database makes the id of the row. */
export function lacksId({ id }: SqlTable, row: Row): boolean {
  return id?.property.generated === true && (row[id.property.name] ?? undefined) === undefined
}
