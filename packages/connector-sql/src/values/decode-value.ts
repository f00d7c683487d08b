import type { StatementResult } from '../dialect/database.ts'
import type { Column } from '../table/column.ts'
import type { ColumnKind } from '../table/column-types.ts'
import { isRoundedNumber, NumberNotRepresentable, type Row } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect/dialect.ts'
import { addUndeclared } from '../table/undeclared.ts'
import { readTimestamp } from './read-timestamp.ts'

/** What limits strings. */
type TextLimits = Pick<SqlDialect, 'holdsNul'>

/**
 * Converts a driver's value of a column of this kind to the declared type of the property. Existing tables may store it in
 * another type: numbers as strings, booleans as 0 and 1 or `Y` and `N`, JSON in a string column.
 */
export function decodeValue(kind: ColumnKind, value: unknown): unknown {
  return decoders[kind](value)
}

const decoders: Readonly<Record<ColumnKind, (value: unknown) => unknown>> = {
  text: decodeText,
  number: (value) => (typeof value === 'number' ? value : readNumber(String(value))),
  decimal: String,
  boolean: decodeBoolean,
  date: (value) => (value instanceof Date ? value : readDate(value)),
  binary: decodeBinary,
  point: decodeJson,
  json: decodeJson
}

function decodeText(value: unknown): unknown {
  if (typeof value === 'string') return value
  return value instanceof Date ? value.toISOString() : String(value)
}

function decodeBinary(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value
  if (value instanceof ArrayBuffer || value instanceof Uint8Array) return Buffer.from(new Uint8Array(value))
  return typeof value === 'string' ? Buffer.from(value) : value
}

function decodeBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  // MySQL's BIT(1)
  if (value instanceof Uint8Array) return value[0] === 1
  return typeof value === 'string' ? /^[yt1]/i.test(value) : Number(value) !== 0
}

/** A date without a zone is one of UTC, as SQLite's own functions write it. */
function readDate(value: unknown): unknown {
  if (typeof value === 'number') return new Date(value)
  const text = String(value)
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return new Date(Number(text))
  const date =
    readTimestamp(text) ??
    new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
  return Number.isNaN(date.getTime()) ? value : date
}

/** Columns that other programs fill may hold texts that are not valid JSON. */
function decodeJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** The number, or the greatest that databases support if it is infinite: comparisons have the same result. */
export function finite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)
}

/**
 * Parses a number written by a database.
 * @throws {NumberNotRepresentable} it has more digits than a number can hold
 */
export function readNumber(text: string): number {
  if (!isRoundedNumber(text)) return Number(text)
  throw new NumberNotRepresentable(
    `the stored number ${text} has more digits than a number can hold: declare the property as "string", with the column's dataType, to read it as a string`
  )
}

/**
 * True for a string that the database stores unchanged: it is well-formed Unicode, since drivers replace lone surrogates,
 * and does not contain U+0000 if the database does not support it.
 */
export function isStorableText({ holdsNul }: TextLimits, text: string): boolean {
  return text.isWellFormed() && (holdsNul || !text.includes('\0'))
}

/** True if every string in `value`, and every name in its objects, can be stored. */
export function isStorable(limits: TextLimits, value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(limits, value)
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value)) return true
  if (Array.isArray(value)) return value.every((item) => isStorable(limits, item))
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return isStorable(limits, JSON.parse(JSON.stringify(value) ?? 'null'))
  return Object.entries(value).every(([name, item]) => isStorableText(limits, name) && isStorable(limits, item))
}

/** The rows of the model in the result of a statement that starts with these columns. */
export function readRows(dialect: SqlDialect, columns: readonly Column[], result: StatementResult): Row[] {
  // Drivers may parse `rows` when they are looked at.
  return result.rowsOf?.(columns) ?? result.rows.map((raw) => readRow(dialect, columns, raw))
}

/** Converts the driver's values of `columns` to a row of the model. */
export function readRow(dialect: SqlDialect, columns: readonly Column[], raw: Readonly<Record<string, unknown>>): Row {
  const row: Row = {}
  for (const { property, name, kind, type, declared } of columns) {
    const value = raw[name]
    if (declared !== undefined) addUndeclared(row, value && dialect.decode(kind, value), declared)
    else row[property.name] = value === null || value === undefined ? null : dialect.decode(kind, value, type)
  }
  return row
}
