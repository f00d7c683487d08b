import {
  type Column,
  type ColumnKind,
  type ColumnType,
  columnKindOf,
  columnTypes,
  decodeValue,
  readNumber,
  readTimestamp,
  type Sql,
  sql,
  type Zone
} from '@modelwire/connector-sql'
import { TypeOverrides, types as driver } from 'pg'
import { isIPv4 } from 'node:net'
import { isPlainObject } from '@modelwire/server'
import { readList, writeList } from './values/lists.ts'

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
  /** What stands between the items of its lists. Default: a comma. */
  readonly separator?: ';'
  /** Its values in JSON, as properties write them there. Default: as the server does. */
  readonly json?: (value: Sql) => Sql
}

const { builtins } = driver

/** The driver has no name for it. */
const pointOid = 600

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

const counted = 'CHARACTER VARYING(n) COLLATE "C"'

/** What is not a time, such as `infinity`, is read as the driver reads it. */
const times: PostgresqlType['reads'] = {
  date: (text, zone) => readTimestamp(text, zone) ?? readAsDriver(builtins.TIMESTAMPTZ)(text)
}

/** As the server reads one: other texts are an error, also in a comparison. */
const uuid = /^(?:\{[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}\}|[0-9a-f]{4}(?:-?[0-9a-f]{4}){7})$/i

const isTime = (text: string): boolean =>
  /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{0,5}[1-9])?$/.test(text) || text === '24:00:00'

/** Years of four digits: their strings are in the order of the days. */
function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const isTimestamp = (text: string): boolean =>
  text[10] === ' ' && isDay(text.slice(0, 10)) && isTime(text.slice(11)) && !text.endsWith(' 24:00:00')

const isBits = (text: string): boolean => /^[01]+$/.test(text)

const isMac = (text: string): boolean => /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/.test(text)

const isMac8 = (text: string): boolean => /^[0-9a-f]{2}(?::[0-9a-f]{2}){7}$/.test(text)

/** Addresses of version 4 in their shortest form. Those of version 6 have many forms: their strings are compared. */
function isAddress(text: string): boolean {
  const [, address = '', bits] = /^([\d.]+)(?:\/(\d|[12]\d|3[01]))?$/.exec(text) ?? []
  return isIPv4(address) && (bits === undefined || text.endsWith(`/${Number(bits)}`))
}

const isNumeral = String.raw`^\s*[-+]?(\d{1,200}\.?\d{0,200}|\.\d{1,200})([eE][-+]?\d{1,2})?\s*$`

/** What strings are compared as where properties are of another kind, as they are read. */
const asOther: ColumnType['comparedAs'] = {
  number: (text) => sql`(case when ${text} ~ ${sql.raw(`'${isNumeral}'`)} then ${text}::float8 end)`,
  boolean: (text) => sql`(${text} ~* '^[yt1]')`,
  binary: (text) => sql`convert_to(${text}, 'UTF8')`
}

/** Numbers are false if they are 0, and dates if they are times in milliseconds. */
const numberAsOther: ColumnType['comparedAs'] = {
  boolean: (number) => sql`(${number} <> 0)`,
  date: (number) => sql`to_timestamp(${number} / 1000.0)`
}

const bits = {
  kind: 'text',
  isOwnForm: isBits,
  ordersAsText: true,
  comparedAs: { boolean: (value: Sql) => sql`(left(${value}::text, 1) = '1')` }
} as const

/** Texts that are not the zone's own: those of properties are in UTC, as JavaScript writes them. */
const instantText = (time: Sql): Sql =>
  sql`(case when isfinite(${time}) then to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') else ${time}::text end)`

const collated = { kind: 'text', isText: true, comparedAs: asOther, datesAsText: true } as const

const number = { kind: 'number', keys: 'number', comparedAs: numberAsOther } as const

/** What a number is as another kind: the driver leaves large ones texts. */
const numberReads: PostgresqlType['reads'] = {
  boolean: (sent) => Number(sent) !== 0,
  date: (sent) => new Date(Number(sent))
}

const whole = { ...number, keeps: /^/, digits: 'whole', reads: { ...numberReads, number: Number } } as const

const floating = { ...number, reads: { ...numberReads, number: Number } }

const types: readonly PostgresqlType[] = [
  // Texts are ordered by their codes, so that indexes serve conditions and orders.
  {
    ...collated,
    name: 'text',
    written: /^(?:text|string)\b/,
    makes: 'text',
    made: 'TEXT COLLATE "C"',
    keys: 'text',
    keeps: /^/
  },
  {
    ...collated,
    name: 'character varying',
    written: /^(?:character varying|varchar)\b/,
    makes: 'counted',
    made: counted,
    keeps: /^/,
    keys: 'text'
  },
  { ...collated, name: 'character', written: /^(?:character|char|bpchar)\b/ },
  { ...collated, name: 'citext', written: /(?:^|\.)citext\b/ },
  { ...collated, name: 'name', written: /^name$/ },
  {
    name: 'uuid',
    written: /^uuid$/,
    kind: 'text',
    holds: (sent) => uuid.test(sent),
    isOwnForm: (sent) => uuid.test(sent),
    ordersAsText: true
  },
  { ...whole, name: 'smallint', written: /^(?:smallint|int2|smallserial|serial2)\b/, oid: builtins.INT2 },
  { ...whole, name: 'integer', written: /^(?:integer|int4?|serial4?)\b/, oid: builtins.INT4, counts: true },
  {
    ...whole,
    name: 'bigint',
    written: /^(?:bigint|int8|bigserial|serial8)\b/,
    oid: builtins.INT8,
    discovered: 'integer',
    makes: 'integer',
    reads: { ...numberReads, number: readNumber }
  },
  {
    ...number,
    name: 'numeric',
    written: /^(?:numeric|decimal|dec|fixed)\b/,
    oid: builtins.NUMERIC,
    makes: 'decimal',
    digits: 'decimal',
    reads: { ...numberReads, number: readNumber }
  },
  // What is read of it is the shortest decimal, which is no value of its own as a longer number.
  {
    ...floating,
    name: 'real',
    written: /^(?:real|float4)\b/,
    oid: builtins.FLOAT4,
    comparedAs: { ...numberAsOther, number: (value) => sql`${value}::text::float8` }
  },
  {
    ...floating,
    name: 'double precision',
    written: /^(?:double precision|float8?)\b/,
    oid: builtins.FLOAT8,
    keeps: /^/,
    makes: 'number'
  },
  {
    name: 'money',
    written: /^money$/,
    kind: 'text',
    reads: { number: (sent) => Number(sent.replaceAll(/[^\d.-]/g, '')) },
    comparedAs: { number: (money) => sql`${money}::numeric` }
  },
  {
    name: 'boolean',
    written: /^bool/,
    oid: builtins.BOOL,
    kind: 'boolean',
    keeps: /^/,
    makes: 'boolean',
    reads: { boolean: (sent) => sent === 't', text: (sent) => String(sent === 't') },
    isOwnForm: (sent) => sent === 'true' || sent === 'false',
    ordersAsText: true
  },
  { ...bits, name: 'bit varying', written: /^(?:bit varying|varbit)\b/ },
  { ...bits, name: 'bit', written: /^bit\b/ },
  {
    name: 'inet',
    written: /^inet$/,
    kind: 'text',
    isOwnForm: isAddress,
    text: (value) => sql`nullif(concat(${value}), '')`
  },
  { name: 'macaddr', written: /^macaddr$/, kind: 'text', isOwnForm: isMac, ordersAsText: true },
  { name: 'macaddr8', written: /^macaddr8$/, kind: 'text', isOwnForm: isMac8, ordersAsText: true },
  {
    name: 'timestamp with time zone',
    written: /^timestamptz|^timestamp\b.*\bwith time zone/,
    oid: builtins.TIMESTAMPTZ,
    kind: 'date',
    makes: 'date',
    hasNow: true,
    keeps: /^[^(]*$/,
    reads: { ...times, text: driversText(builtins.TIMESTAMPTZ) },
    text: instantText,
    json: instantText
  },
  // The driver would take days and times without a zone for those of the process.
  {
    name: 'timestamp without time zone',
    written: /^timestamp\b/,
    oid: builtins.TIMESTAMP,
    keeps: /^[^(]*$/,
    kind: 'date',
    hasNow: true,
    reads: times,
    isSent: true,
    isOwnForm: isTimestamp,
    json: (time) => instantText(sql`(${time} at time zone 'UTC')`),
    ordersAsText: true
  },
  {
    name: 'date',
    written: /^date\b/,
    oid: builtins.DATE,
    kind: 'date',
    hasNow: true,
    reads: times,
    isSent: true,
    isOwnForm: isDay,
    json: (day) => instantText(sql`(${day}::timestamp at time zone 'UTC')`),
    ordersAsText: true
  },
  {
    name: 'time with time zone',
    written: /^timetz|^time\b.*\bwith time zone/,
    kind: 'text',
    hasNow: true
  },
  {
    name: 'time without time zone',
    written: /^time\b/,
    kind: 'text',
    hasNow: true,
    isOwnForm: isTime,
    ordersAsText: true
  },
  {
    name: 'bytea',
    written: /^bytea$/,
    oid: builtins.BYTEA,
    kind: 'binary',
    keeps: /^/,
    makes: 'binary',
    reads: { text: driversText(builtins.BYTEA) },
    text: (bytes) => sql`encode(${bytes}, 'escape')`
  },
  { name: 'point', written: /^point$/, oid: pointOid, kind: 'point', makes: 'point', keeps: /^/ },
  { name: 'box', written: /^box$/, kind: 'text', separator: ';' },
  // JSON stays text: the connector reads it, as it does in columns of texts.
  { name: 'jsonb', written: /^jsonb$/, oid: builtins.JSONB, kind: 'json', makes: 'json', isSent: true, keeps: /^/ },
  // What nothing in the catalog is called would be an error of the statement.
  {
    written: /^reg(?:class|collation|config|dictionary|namespace|oper(?:ator)?|proc(?:edure)?|role|type)$/,
    kind: 'text',
    readOnly: 'refers to the catalog of the database'
  },
  { name: 'json', written: /^json$/, oid: builtins.JSON, kind: 'json', isSent: true, keeps: /^/ }
]

const byOid: ReadonlyMap<number | undefined, PostgresqlType> = new Map(types.map((type) => [type.oid, type]))

/** The column types of PostgreSQL. For others, the server's text is used, and their order is unknown. */
export const postgresqlTypes = columnTypes(types, {
  listOf: ({ name }) => ({
    ...(name !== undefined && { name: `${name}[]` }),
    // The text of a list is not JSON.
    logged: (value) => sql`to_json(${value})::text`
  }),
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
export function readColumn({ kind, type, property }: ReadColumn, oid: number, zone?: Zone): ReadValue {
  if (kind === 'json' && type?.items !== undefined) return readItems(type.items, property, zone)
  return readScalar(kind, byOid.get(oid), oid, zone)
}

/** What of a column decides how it is read. */
type ReadColumn = Pick<Column, 'kind'> & Partial<Pick<Column, 'type' | 'property'>>

function readScalar(
  kind: ColumnKind,
  { reads }: Pick<PostgresqlType, 'reads'> = {},
  oid: number | undefined,
  zone?: Zone
): ReadValue {
  const read = reads?.[kind]
  if (read !== undefined) return zone === undefined ? read : (text) => read(text, zone)
  if (kind === 'text') return (text) => text
  const parse = oid === undefined ? String : readAsDriver(oid)
  return (text) => decode(kind, parse(text), zone)
}

/** Items are of the kind that the property declares for them, or else of that of their type. */
function readItems(items: ColumnType, property: Column['property'] | undefined, zone?: Zone): ReadValue {
  const type: PostgresqlType = items
  const declared = property?.type.kind === 'array' ? columnKindOf(property.type.items) : 'json'
  const kind = declared === 'json' ? plainKind(type) : declared
  const readItem = readScalar(kind, type, type.oid, zone)
  return (text) => readList(text, readItem, type.separator) ?? text
}

/** JSON has no dates: they stay as the server writes them. */
function plainKind({ kind = 'text' }: ColumnType): ColumnKind {
  return kind === 'date' || kind === 'binary' ? 'text' : kind
}

/** Converts a value of the driver to the form of the model. `zone`: that of times without one. */
export function decode(kind: ColumnKind, value: unknown, zone?: Zone): unknown {
  if (kind === 'date' && typeof value === 'string') return readTimestamp(value, zone) ?? decodeValue(kind, value)
  const isPoint = kind === 'point' && typeof value === 'object' && value !== null && 'x' in value && 'y' in value
  return isPoint ? { lat: value.y, lng: value.x } : decodeValue(kind, value)
}

/** A list in the server's form: times with their offset, objects as JSON. */
export function writeItems(list: readonly unknown[], items: ColumnType): string {
  const { separator }: PostgresqlType = items
  return writeList(list, (item) => writeItem(item, items), separator)
}

function writeItem(item: unknown, { kind }: ColumnType): string {
  if (item instanceof Date) return item.toISOString()
  if (Buffer.isBuffer(item)) return `\\x${item.toString('hex')}`
  if (kind === 'point' && isPlainObject(item)) return `(${Number(item['lng'])},${Number(item['lat'])})`
  return kind === 'json' || typeof item === 'object' ? JSON.stringify(item) : String(item)
}

/** The JSON in a column; of a list, and of a value of another type, what it is in JSON. */
export function documentOf({ sql: value, type }: Pick<Column, 'sql' | 'type'>): Sql {
  if (type === undefined || type.isText === true || (type.kind === 'json' && type.items === undefined))
    return sql`${value}::jsonb`
  const { json }: PostgresqlType = type.items ?? type
  if (json === undefined) return sql`to_jsonb(${value})`
  if (type.items === undefined) return sql`to_jsonb(${json(value)})`
  const items = sql`select coalesce(jsonb_agg(${json(sql`item`)}), '[]') from unnest(${value}) as item`
  return sql`(case when ${value} is not null then (${items}) end)`
}
