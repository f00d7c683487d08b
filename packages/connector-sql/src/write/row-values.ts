import { randomUUID } from 'node:crypto'
import type { Row } from '@modelwire/core'
import type { SqlDialect } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'
import type { Column, SqlTable } from '../table/sql-table.ts'
import { copyUndeclared, undeclaredOf } from '../table/undeclared.ts'

/** What a row has for a column; undefined for nothing. */
export function valueOf({ property, declared }: Column, row: Row): unknown {
  return declared === undefined ? row[property.name] : undeclaredOf(declared, row)
}

/** Columns of the properties that `row` gives a value, null included. */
export function givenColumns({ columns }: SqlTable, row: Row): readonly Column[] {
  return columns.filter((column) => valueOf(column, row) !== undefined)
}

/** The value of `column` in `row` as a parameter. */
export function storedValue(dialect: SqlDialect, column: Column, row: Row): Sql {
  const value = valueOf(column, row)
  return value === undefined || value === null ? sql`null` : dialect.stored(column.kind, value)
}

/** `column = value` for each property that `row` gives; an id never changes. Undeclared ones join those that are stored. */
export function assignments(dialect: SqlDialect, table: SqlTable, row: Row): readonly Sql[] {
  return givenColumns(table, row)
    .filter(({ property }) => !property.id)
    .map((column) => sql`${column.sql} = ${patchedValue(dialect, table, column, row)}`)
}

function patchedValue(dialect: SqlDialect, table: SqlTable, column: Column, row: Row): Sql {
  const rest = column.declared && undeclaredOf(column.declared, row)
  // The name of the table tells the stored value from the one that an upsert brings.
  return rest === undefined
    ? storedValue(dialect, column, row)
    : dialect.mergeJson(sql`${table.sql}.${column.sql}`, rest)
}

/** The row with all declared properties in declared order, what is not declared but stored, and a text id where the connector makes it. */
export function completeRow(table: SqlTable, row: Row): Row {
  const { byProperty, id, undeclared } = table
  const complete: Row = {}
  for (const name of byProperty.keys()) complete[name] = row[name]
  if (undeclared !== undefined) copyUndeclared(complete, row, byProperty)
  // A null id is none: the database would take it for a value.
  if (id !== undefined && lacksId(table, row))
    complete[id.property.name] = id.kind === 'text' ? randomUUID() : undefined
  return complete
}

/** The database makes the id of the row. */
export function lacksId({ id }: SqlTable, row: Row): boolean {
  return id?.property.generated === true && (row[id.property.name] ?? undefined) === undefined
}
