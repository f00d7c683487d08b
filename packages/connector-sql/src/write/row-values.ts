import { ValueRefused, type Row, countDigits } from '@modelwire/core/connector'
import { randomUUID } from 'node:crypto'
import type { SqlDialect } from '../dialect/dialect.ts'
import { type Sql, sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { fitOf } from '../table/column-fit.ts'
import { copyUndeclared, undeclaredOf } from '../table/undeclared.ts'
import { isStorable } from '../values/decode-value.ts'
import { NumberNotExact } from '../errors.ts'

/** Databases go on counting after a chosen id: the next ones are whole numbers that JavaScript can hold, too. */
const mostChosenId = 2 ** 52

/** The value of a row for a column; undefined if there is none, or it cannot be written. */
export function valueOf({ property, declared, isComputed }: Column, row: Row): unknown {
  if (isComputed === true) return undefined
  return declared === undefined ? row[property.name] : undeclaredOf(declared, row)
}

/** Columns of the properties that `row` gives a value, null included. */
function columnsWithValue({ columns }: SqlTable, row: Row): readonly Column[] {
  return columns.filter((column) => valueOf(column, row) !== undefined)
}

/**
 * The value of `column` in `row` as a parameter.
 * @throws {ValueRefused} the database cannot hold a text in it
 * @throws {NumberNotExact} the column would hold another number
 */
export function storedValue(dialect: SqlDialect, column: Column, row: Row): Sql {
  const value = valueOf(column, row)
  if (value === undefined || value === null) return sql`null`
  checkStorable(dialect, column, value)
  checkExact(column, value)
  checkFit(column)
  checkLength(column, value)
  return dialect.stored(column.kind, value, column.type)
}

/** Databases would refuse the whole statement. */
function checkFit({ property, kind, type }: Column): void {
  const { written, why = '' } = type === undefined ? { written: true } : fitOf(type, kind)
  if (!written) throw new ValueRefused(`the property "${property.name}" cannot be stored: its column ${why}`)
}

/** Databases would refuse such a text, store another one, or store one that they cannot read. */
function checkStorable(dialect: SqlDialect, { property, declared }: Column, value: unknown): void {
  if (isStorable(dialect, value)) return
  const place = declared === undefined ? `the property "${property.name}"` : 'an undeclared property'
  throw new ValueRefused(
    `the database cannot store a string of ${place}: it is not well-formed Unicode, or contains U+0000`
  )
}

/** `column = value` for each property that `row` sets; an id never changes. Undeclared ones are merged with the stored ones. */
export function assignments(dialect: SqlDialect, table: SqlTable, row: Row): readonly Sql[] {
  return columnsWithValue(table, row)
    .filter(({ property }) => !property.id)
    .map((column) => sql`${column.sql} = ${patchedValue(dialect, table, column, row)}`)
}

function patchedValue(dialect: SqlDialect, table: SqlTable, column: Column, row: Row): Sql {
  const rest = column.declared && undeclaredOf(column.declared, row)
  if (rest === undefined) return storedValue(dialect, column, row)
  checkStorable(dialect, column, rest)
  // The name of the table distinguishes the stored value from that of an upsert.
  return dialect.json.merge(sql`${table.sql}.${column.sql}`, rest)
}

/**
 * The row with all declared properties in declared order, followed by stored undeclared ones, and with a string id if the
 * connector generates it.
 */
export function completeRow(table: SqlTable, row: Row): Row {
  const { byProperty, id, undeclared } = table
  const complete: Row = {}
  for (const [name, column] of byProperty) complete[name] = valueOf(column, row)
  if (undeclared !== undefined) copyUndeclared(complete, row, byProperty)
  // A null id is none: the database would take it for a value.
  if (id !== undefined && lacksId(table, row))
    complete[id.property.name] = id.kind === 'text' ? randomUUID() : undefined
  return complete
}

/** Whether the database generates the id of the row. */
export function lacksId({ id }: SqlTable, row: Row): boolean {
  return id?.property.generated === true && (row[id.property.name] ?? undefined) === undefined
}

/**
 * Refuses a string of which the column would only store a part: databases cut off spaces without an error.
 * @throws {ValueRefused} it has more characters than the column holds
 */
function checkLength({ property, kind, longest = Infinity }: Column, value: unknown): void {
  if (kind !== 'text' || typeof value !== 'string' || value.length <= longest) return
  if (Array.from(value).length > longest)
    throw new ValueRefused(`the property "${property.name}" allows at most ${longest} characters`)
}

/**
 * Refuses a number that its column would hold as another one: databases round what has more decimals than the column.
 * @throws {NumberNotExact} it has more digits behind the point, or is a whole number that was rounded before it came
 * here
 * @throws {ValueRefused} a text is not a decimal number
 */
function checkExact({ property, kind, exact }: Column, value: unknown): void {
  if (property.generated && typeof value === 'number' && Math.abs(value) > mostChosenId)
    throw new NumberNotExact(
      `the property "${property.name}" only allows numbers above ${mostChosenId} that were generated`
    )
  if (exact === undefined || (kind !== 'number' && kind !== 'decimal')) return
  const digits = countDigits(String(value))
  if (digits === undefined) throw new ValueRefused(`the property "${property.name}" must be a decimal number`)
  const { fraction = Infinity } = exact
  if (digits.fraction > fraction)
    throw new NumberNotExact(`the property "${property.name}" allows at most ${fraction} decimal places`)
  if (kind === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new NumberNotExact(
      `the property "${property.name}" does not allow integers above ${Number.MAX_SAFE_INTEGER}: declare it with the type "string" to send all digits`
    )
}
