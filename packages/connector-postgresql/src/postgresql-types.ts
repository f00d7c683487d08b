import {
  type Column,
  type ColumnKind,
  type ColumnType,
  columnTypes,
  decodeValue,
  readNumber,
  sql,
  type Zone
} from '@modelwire/connector-sql'
import { TypeOverrides, types as driver } from 'pg'
import { readTimestamp } from './values/timestamps.ts'

/**
 * Reads the server's text for a value that is not null.
 * @param zone of times that know none; UTC when absent
 */
type ReadText = (text: string, zone?: Zone) => unknown

/** Reads the server's text for a column's value. */
export type ReadValue = (text: string) => unknown

/** A column type of PostgreSQL, with what the driver must know about it. */
interface PostgresqlType extends ColumnType {
  /** Its OID. */
  readonly oid?: number
  /** How its values are read for properties of a kind; absent: as the driver reads them, and strings as received. */
  readonly reads?: Readonly<Partial<Record<ColumnKind, ReadText>>>
  /** The driver does not parse the text, for scripts either. */
  readonly isSent?: true
}

const { builtins } = driver

/** How the driver reads a type of the server, by OID. */
export function readAsDriver(type: number): ReadValue {
  // The driver's types leave out that a parser of texts takes a text.
  return driverTypes.getTypeParser(type, 'text') as (text: never) => unknown as ReadValue
}

/** What the driver makes of a value, as a text. */
const driversText =
  (oid: number): ReadText =>
  (text) =>
    decodeValue('text', readAsDriver(oid)(text))

const collated = { kind: 'text', isText: true } as const

const number = { kind: 'number', keys: 'number' } as const

const whole = { ...number, digits: 'whole', reads: { number: Number } } as const

const floating = { ...number, reads: { number: Number, text: (sent: string) => String(Number(sent)) } }

const counted = 'CHARACTER VARYING(n) COLLATE "C"'

/** What is not a time, such as `infinity`, is read as the driver reads it. */
const times: PostgresqlType['reads'] = {
  date: (text, zone) => readTimestamp(text, zone) ?? readAsDriver(builtins.TIMESTAMPTZ)(text)
}

/** As the server reads one: other texts are an error, also in a comparison. */
const uuid = /^(?:\{[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}\}|[0-9a-f]{4}(?:-?[0-9a-f]{4}){7})$/i

const types: readonly PostgresqlType[] = [
  // The text of a list is not JSON.
  { written: /\[\]$|^array$/, kind: 'json', logged: (value) => sql`to_json(${value})::text` },
  // Texts are ordered by their codes, so that indexes serve conditions and orders.
  { ...collated, name: 'text', written: /^(?:text|string)\b/, makes: 'text', made: 'TEXT COLLATE "C"', keys: 'text' },
  {
    ...collated,
    name: 'character varying',
    written: /^(?:character varying|varchar)\b/,
    makes: 'counted',
    made: counted,
    keys: 'text'
  },
  { ...collated, name: 'character', written: /^(?:character|char|bpchar)\b/ },
  { ...collated, name: 'citext', written: /(?:^|\.)citext\b/ },
  { ...collated, name: 'name', written: /^name$/ },
  { name: 'uuid', written: /^uuid$/, kind: 'text', holds: (sent) => uuid.test(sent) },
  { ...whole, name: 'smallint', written: /^(?:smallint|int2|smallserial|serial2)\b/, oid: builtins.INT2 },
  { ...whole, name: 'integer', written: /^(?:integer|int4?|serial4?)\b/, oid: builtins.INT4, counts: true },
  {
    ...whole,
    name: 'bigint',
    written: /^(?:bigint|int8|bigserial|serial8)\b/,
    oid: builtins.INT8,
    discovered: 'integer',
    makes: 'integer',
    reads: { number: readNumber }
  },
  {
    ...number,
    name: 'numeric',
    written: /^(?:numeric|decimal|dec|fixed)\b/,
    oid: builtins.NUMERIC,
    makes: 'decimal',
    digits: 'decimal',
    reads: { number: readNumber }
  },
  { ...floating, name: 'real', written: /^(?:real|float4)\b/, oid: builtins.FLOAT4 },
  {
    ...floating,
    name: 'double precision',
    written: /^(?:double precision|float8?)\b/,
    oid: builtins.FLOAT8,
    makes: 'number'
  },
  { name: 'money', written: /^money$/, discovered: 'number' },
  {
    name: 'boolean',
    written: /^bool/,
    oid: builtins.BOOL,
    kind: 'boolean',
    makes: 'boolean',
    reads: { boolean: (sent) => sent === 't', text: (sent) => String(sent === 't') }
  },
  { written: /^bit\b(?! varying)/, kind: 'boolean', discovered: 'string' },
  {
    name: 'timestamp with time zone',
    written: /^timestamptz|^timestamp\b.*\bwith time zone/,
    oid: builtins.TIMESTAMPTZ,
    kind: 'date',
    makes: 'date',
    hasNow: true,
    reads: { ...times, text: driversText(builtins.TIMESTAMPTZ) }
  },
  // The driver would take days and times without a zone for those of the process.
  {
    name: 'timestamp without time zone',
    written: /^timestamp\b/,
    oid: builtins.TIMESTAMP,
    kind: 'date',
    hasNow: true,
    reads: times,
    isSent: true
  },
  { name: 'date', written: /^date\b/, oid: builtins.DATE, kind: 'date', hasNow: true, reads: times, isSent: true },
  {
    name: 'time with time zone',
    written: /^timetz|^time\b.*\bwith time zone/,
    kind: 'date',
    discovered: 'string',
    hasNow: true
  },
  { name: 'time without time zone', written: /^time\b/, kind: 'date', discovered: 'string', hasNow: true },
  {
    name: 'bytea',
    written: /^bytea$/,
    oid: builtins.BYTEA,
    kind: 'binary',
    makes: 'binary',
    reads: { text: driversText(builtins.BYTEA) }
  },
  { name: 'point', written: /^point$/, kind: 'point', makes: 'point', isOpaque: true },
  { written: /^(?:circle|box|path|polygon|line|lseg|xml)$/, isOpaque: true },
  // JSON stays text: the connector reads it, as it does in columns of texts.
  { name: 'jsonb', written: /^jsonb$/, oid: builtins.JSONB, kind: 'json', makes: 'json', isSent: true },
  { name: 'json', written: /^json$/, oid: builtins.JSON, kind: 'json', isSent: true, isOpaque: true }
]

const byOid: ReadonlyMap<number | undefined, PostgresqlType> = new Map(types.map((type) => [type.oid, type]))

/** The column types of PostgreSQL. For others, the server's text is used, and their order is unknown. */
export const postgresqlTypes = columnTypes(types, {
  spell: ({ name, size, rest }, type) => {
    const full = type.name ?? `${name}${rest}`
    // The precision of a time stands before its zone.
    if (full.startsWith('timestamp')) return full.replace('timestamp', `timestamp${size}`)
    return `${full}${full === 'numeric' ? size.replace(/^\((\d+)\)$/, '($1,0)') : size}`
  }
})

/** The driver's parsers, for values that statements of scripts may see. */
export const driverTypes: TypeOverrides = new TypeOverrides()
for (const { oid, isSent } of types) if (oid !== undefined && isSent === true) driverTypes.setTypeParser(oid, String)

/** How a column of a model is read from a type of the server: directly if both match, else like any value of the driver. */
export function readColumn({ kind }: Pick<Column, 'kind'>, oid: number, zone?: Zone): ReadValue {
  const read = byOid.get(oid)?.reads?.[kind]
  if (read !== undefined) return zone === undefined ? read : (text) => read(text, zone)
  if (kind === 'text') return (text) => text
  const parse = readAsDriver(oid)
  return (text) => decode(kind, parse(text), zone)
}

/** Converts a value of the driver to the form of the model. `zone`: that of times without one. */
export function decode(kind: ColumnKind, value: unknown, zone?: Zone): unknown {
  if (kind === 'date' && typeof value === 'string') return readTimestamp(value, zone) ?? decodeValue(kind, value)
  const isPoint = kind === 'point' && typeof value === 'object' && value !== null && 'x' in value && 'y' in value
  return isPoint ? { lat: value.y, lng: value.x } : decodeValue(kind, value)
}
