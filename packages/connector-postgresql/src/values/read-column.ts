import { decodeValue, readNumber, type Column, type ColumnKind } from '@modelwire/connector-sql'
import { TypeOverrides, types } from 'pg'
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

const asText: ReadValue = (text) => text

/** What is not a time, such as `infinity`, is read as the driver reads it. */
const readTime: ReadValue = (text) => readTimestamp(text) ?? readAsDriver(builtins.TIMESTAMPTZ)(text)

const quickReads: Readonly<Partial<Record<ColumnKind, ReadonlyMap<number, ReadValue>>>> = {
  text: new Map([builtins.TEXT, builtins.VARCHAR, builtins.BPCHAR, builtins.UUID].map((type) => [type, asText])),
  number: new Map([
    ...[builtins.INT2, builtins.INT4, builtins.FLOAT4, builtins.FLOAT8].map((type) => [type, Number] as const),
    ...[builtins.INT8, builtins.NUMERIC].map((type) => [type, readNumber] as const)
  ]),
  boolean: new Map([[builtins.BOOL, (text: string) => text === 't']]),
  date: new Map([builtins.TIMESTAMPTZ, builtins.TIMESTAMP, builtins.DATE].map((type) => [type, readTime]))
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
export function readColumn({ kind }: Pick<Column, 'kind'>, type: number, zone?: TimestampZone): ReadValue {
  if (zone !== undefined && kind === 'date' && zonelessTypes.has(type))
    return (text) => readTimestamp(text, zone) ?? readTime(text)
  const quick = quickReads[kind]?.get(type)
  if (quick !== undefined) return quick
  const parse = readAsDriver(type)
  return (text) => decode(kind, parse(text), zone)
}

/** The value of a column as the driver returns it, in the form of the model. `zone`: that of times that know none. */
export function decode(kind: ColumnKind, value: unknown, zone?: TimestampZone): unknown {
  if (kind === 'date' && typeof value === 'string') return readTimestamp(value, zone) ?? decodeValue(kind, value)
  const isPoint = kind === 'point' && typeof value === 'object' && value !== null && 'x' in value && 'y' in value
  return isPoint ? { lat: value.y, lng: value.x } : decodeValue(kind, value)
}
