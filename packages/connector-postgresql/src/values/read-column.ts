import {
  type Column,
  type ColumnKind,
  decodeValue,
  readNumber,
  rowLayout,
  type SentReading,
  writeDigits,
  writeString,
  writeTime
} from '@modelwire/connector-sql'
import type { SentLayout } from '@modelwire/core/connector'
import { type FieldDef, TypeOverrides, types } from 'pg'
import { readTimestamp } from './read-timestamp.ts'
import type { TimestampZone } from './timestamp-zone.ts'

/** Reads the text that the server sends for a value that is not null. */
export type ReadValue = (text: string) => unknown

const { builtins } = types

/** JSON stays text: the connector reads it, as it does in columns of texts. */
export const driverTypes: TypeOverrides = new TypeOverrides()
driverTypes.setTypeParser(builtins.JSON, String)
driverTypes.setTypeParser(builtins.JSONB, String)
// The driver would take days and times without a zone for those of the process.
driverTypes.setTypeParser(builtins.DATE, String)
driverTypes.setTypeParser(builtins.TIMESTAMP, String)

/** How values of a type are read and written. The server sends texts. */
interface Reading {
  readonly read: ReadValue
  readonly write?: (text: string) => string | undefined
}

const text: Reading = { read: (value) => value, write: writeString }

const whole: Reading = { read: Number, write: (digits) => digits }
const float: Reading = { read: Number, write: writeDigits }
const exact: Reading = { read: readNumber, write: writeDigits }
const flag: Reading = { read: (value) => value === 't', write: (value) => (value === 't' ? 'true' : 'false') }

/** What is not a time, such as `infinity`, is read as the driver reads it. */
const readTime: ReadValue = (value) => readTimestamp(value) ?? readAsDriver(builtins.TIMESTAMPTZ)(value)
const utc = '+00'
const zonedTime: Reading = {
  read: readTime,
  write: (value) => (value.endsWith(utc) ? writeTime(value.slice(0, -utc.length)) : undefined)
}
const zonelessTime: Reading = { read: readTime, write: writeTime }

const quickReadings: Readonly<Partial<Record<ColumnKind, ReadonlyMap<number, Reading>>>> = {
  text: new Map([builtins.TEXT, builtins.VARCHAR, builtins.BPCHAR, builtins.UUID].map((type) => [type, text])),
  number: new Map([
    ...[builtins.INT2, builtins.INT4].map((type) => [type, whole] as const),
    ...[builtins.FLOAT4, builtins.FLOAT8].map((type) => [type, float] as const),
    ...[builtins.INT8, builtins.NUMERIC].map((type) => [type, exact] as const)
  ]),
  boolean: new Map([[builtins.BOOL, flag]]),
  date: new Map([
    [builtins.TIMESTAMPTZ, zonedTime],
    [builtins.TIMESTAMP, zonelessTime],
    [builtins.DATE, { read: readTime }]
  ])
}

/** How the driver reads a type of the server, by its number. */
export function readAsDriver(type: number): ReadValue {
  // The driver's types leave out that a parser of texts takes a text.
  return driverTypes.getTypeParser(type, 'text') as (text: never) => unknown as ReadValue
}

const zonelessTypes: ReadonlySet<number> = new Set([builtins.TIMESTAMP, builtins.DATE])

/**
 * How a column of a model is read from a type of the server: at once where both fit, else as any value of the driver.
 * @param zone of times that know none; UTC when absent
 */
export function readColumn({ kind }: Pick<Column, 'kind'>, type: number, zone?: TimestampZone): Reading {
  if (zone !== undefined && kind === 'date' && zonelessTypes.has(type))
    return { read: (value) => readTimestamp(value, zone) ?? readTime(value) }
  const quick = quickReadings[kind]?.get(type)
  if (quick !== undefined) return quick
  const parse = readAsDriver(type)
  return { read: (value) => decode(kind, parse(value), zone) }
}

/** The columns of a data source's table are the same object each time; their types change where the table does. */
const layouts = new WeakMap<readonly Column[], { readonly types: string; readonly layout: SentLayout }>()

/** The layout of rows with these columns, whose types are in `fields`: one for all connections. */
export function layoutFor(columns: readonly Column[], fields: readonly FieldDef[], zone?: TimestampZone): SentLayout {
  const typesOf = fields.map(({ dataTypeID }) => dataTypeID).join()
  const cached = layouts.get(columns)
  if (cached?.types === typesOf) return cached.layout
  // The driver gives texts for all values.
  const readingOf = (column: Column, at: number) => readColumn(column, fields[at]?.dataTypeID ?? 0, zone) as SentReading
  const layout = rowLayout(columns, readingOf)
  layouts.set(columns, { types: typesOf, layout })
  return layout
}

/** The value of a column as the driver returns it, in the form of the model. `zone`: that of times that know none. */
export function decode(kind: ColumnKind, value: unknown, zone?: TimestampZone): unknown {
  if (kind === 'date' && typeof value === 'string') return readTimestamp(value, zone) ?? decodeValue(kind, value)
  const isPoint = kind === 'point' && typeof value === 'object' && value !== null && 'x' in value && 'y' in value
  return isPoint ? { lat: value.y, lng: value.x } : decodeValue(kind, value)
}
