import {
  decodeValue,
  finite,
  insertDefaults,
  rowTriggers,
  standardSql,
  type ColumnKind,
  type LikePattern,
  type Sql,
  type SqlDialect,
  sql,
  type AggregateDialect,
  type ChangeLogDialect,
  writeStatement,
  type Fault,
  type TakenIndex,
  type PlainFault
} from '@modelwire/connector-sql'
import { sqliteJson } from './sqlite-json.ts'
import { sqliteCatalog, sqliteSchema } from './sqlite-schema.ts'
import { sqliteTypes } from './sqlite-types.ts'
import type { DatePart } from '@modelwire/core/connector'
import { readValue, writeValue } from './rows-as-json.ts'

const faultKinds: readonly (readonly [RegExp, PlainFault])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'timeout'],
  [/^SQLITE_FULL/, 'full'],
  [/^SQLITE_(?:CANTOPEN|IOERR|READONLY|CORRUPT|NOTADB|PERM|AUTH)/, 'lost'],
  [/^SQLITE_NO_TURN/, 'connectTimeout'],
  [/^SQLITE_(?:MISMATCH|RANGE)/, 'value']
]

/** One code stands for everything that is wrong in a statement; a file that cannot be opened has none. */
const messages: readonly (readonly [RegExp, Fault])[] = [
  [/unable to open/i, { kind: 'lost' }],
  [/cannot modify .* because it is a view/, { kind: 'notUpdatable' }],
  [/no such table|no such column|has no column/, { kind: 'missing' }],
  [/operand|unmatched|unclosed|regexp|regular expression/i, { kind: 'pattern' }],
  [/JSON path|malformed JSON/, { kind: 'value' }]
]

/** More arguments than a hundred are too many for a function. */
const membersAtOnce = 45

type Member = Parameters<ChangeLogDialect['object']>[0][number]

const objectOf = (members: readonly Member[]): Sql => sql`json_object(${sql.join(members.flat())})`

/** Dates are milliseconds, or texts that other programs wrote. */
const moment = (date: Sql): Sql =>
  sql`case when typeof(${date}) = 'text' then strftime('%Y-%m-%d %H:%M:%S', ${date}) else strftime('%Y-%m-%d %H:%M:%S', ${date} / 1000.0, 'unixepoch') end`

const number = (format: string) => (date: Sql) => sql`cast(strftime('${sql.raw(format)}', ${moment(date)}) as integer)`

const parts: Readonly<Record<DatePart, (date: Sql) => Sql>> = {
  date: (date) => sql`strftime('%Y-%m-%d', ${moment(date)})`,
  yearMonth: (date) => sql`strftime('%Y-%m', ${moment(date)})`,
  year: number('%Y'),
  quarter: (date) => sql`(${parts.month(date)} + 2) / 3`,
  month: number('%m'),
  weekday: (date) => sql`(${number('%w')(date)} + 6) % 7 + 1`,
  day: number('%d'),
  hour: number('%H'),
  minute: number('%M'),
  second: number('%S')
}

/** How SQLite writes sums and groups. It has no exact numbers, so that these are summed from rows. */
const sqliteAggregate: AggregateDialect = {
  datePart: (part, { sql: date }) => parts[part](date),
  average: (value) => sql`avg(${value})`,
  exactAverage: (value) => sql`avg(${value})`
}

const sqliteLike: SqlDialect['like'] = (text, pattern) =>
  pattern.ignoreCase ? sql`${text} like ${pattern.text} escape '\\'` : sql`${text} glob ${globOf(pattern)}`

// SQLite knows no groups that capture, nor a sign for those that do not.
const regexp: SqlDialect['regexp'] = (text, { source, ignoreCase }) =>
  sql`${sql.raw(ignoreCase ? 'regexpi' : 'regexp')}(${source.replaceAll('(?:', '(')}, ${text})`

// One parameter, however many values.
const isOneOf: NonNullable<SqlDialect['isOneOf']> = ({ kind, sql: column }, values) => {
  const list = JSON.stringify(values.map((value) => encode(kind, value)))
  return sql`${column} in (select value from json_each(${list}))`
}

/** LB3: loopback-connector-sqlite3 writes lists and objects as the JSON of a JSON text. */
function decodeColumn(kind: ColumnKind, value: unknown): unknown {
  const decoded = decodeValue(kind, value)
  return kind === 'json' && typeof decoded === 'string' && /^["[{]/.test(decoded) ? decodeValue(kind, decoded) : decoded
}

/** The only types of parameters that the driver knows are numbers, texts and bytes: another one ends the process. */
function encode(kind: ColumnKind, value: unknown): number | string | Buffer {
  return encoders[kind](value)
}

const encoders: Readonly<Record<ColumnKind, (value: unknown) => number | string | Buffer>> = {
  text: String,
  number: (value) => finite(Number(value)),
  decimal: String,
  boolean: (value) => (value === true ? 1 : 0),
  date: (value) => (value instanceof Date ? value.getTime() : String(value)),
  binary: (value) => (value instanceof Uint8Array ? Buffer.from(value) : String(value)),
  point: (value) => JSON.stringify(value),
  json: (value) => JSON.stringify(value) ?? 'null'
}

/** SQLite's `like` ignores case, its `glob` does not, and has other signs. */
function globOf({ text }: LikePattern): string {
  return text.replaceAll(/\\[%_\\]|[%_*?[]/g, (sign) => globSigns.get(sign) ?? sign.slice(1))
}

const globSigns: ReadonlyMap<string, string> = new Map([
  ['%', '*'],
  ['_', '?'],
  ['*', '[*]'],
  ['?', '[?]'],
  ['[', '[[]']
])

/** A patch of one object by the next. It leaves out what is null, which is read as that. */
function writeObject(members: readonly Member[]): Sql {
  if (members.length <= membersAtOnce) return objectOf(members)
  return sql`json_patch(${objectOf(members.slice(0, membersAtOnce))}, ${writeObject(members.slice(membersAtOnce))})`
}

/** What an error of libsql means. @see https://www.sqlite.org/rescode.html */
function sqliteFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const { code, message } = error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return { kind: 'duplicate', taken: takenIn(message) }
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return { kind: 'constraint', constraint: /^CHECK constraint failed: (.+)$/.exec(message)?.[1] }
  if (/^SQLITE_(?:NOMEM|TOOBIG)/.test(code)) return { kind: 'tooLarge' }
  const match = faultKinds.find(([pattern]) => pattern.test(code))
  if (match !== undefined) return { kind: match[1] }
  const byText = messages.find(([pattern]) => pattern.test(message))?.[1]
  return byText ?? (code.startsWith('SQLITE_') ? { kind: 'other' } : undefined)
}

/** `UNIQUE constraint failed: Item.a, Item.b`, or `…: index 'lower'` for one over expressions. */
function takenIn(message: string): TakenIndex {
  const [, list = ''] = /failed: (.+)$/s.exec(message) ?? []
  const [, name] = /^index '(.+)'$/s.exec(list) ?? []
  if (name !== undefined) return { name }
  return { columns: list.split(', ').map((each) => each.slice(each.indexOf('.') + 1)) }
}

const byCharacters = (text: Sql): Sql => sql`${text} collate binary`

const triggers = rowTriggers((insert) => sql`begin ${insert}; end`)

const sqliteChangeLog: ChangeLogDialect = {
  ...triggers,
  id: 'integer primary key autoincrement',
  text: 'text',
  now: sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  write: (value) => sql.raw(writeValue(writeStatement(standardSql.notation, value).sql)),
  read: (kind, value) => decodeColumn(kind, readValue(value)),
  object: writeObject,
  listTriggers: ({ name }) =>
    sql`select name as name, sql as body from sqlite_schema where type = 'trigger' and tbl_name = ${name} collate nocase`,
  // The table of a trigger is named without its schema.
  create: ({ table, ...trigger }) => triggers.create({ ...trigger, table: { ...table, sql: sql.id(table.name) } }),
  restore: ({ body }) => [sql.raw(body)]
}

/** The SQL of SQLite, where it differs from the standard. */
export const sqliteDialect: SqlDialect = {
  ...standardSql,
  name: 'sqlite',
  mappingKeys: ['sqlite3', 'sqlite'],
  types: sqliteTypes,
  // A transaction has the right to write from its beginning; there is one isolation.
  forUpdate: sql``,
  transactions: { begin: () => ['begin immediate'] },
  noLimit: sql`-1`,
  operand: (kind, value) => sql`${encode(kind, value)}`,
  stored: (kind, value) => sql`${encode(kind, value)}`,
  decode: decodeColumn,
  isOneOf,
  like: sqliteLike,
  regexp,
  json: sqliteJson,
  coordinate: (point, part) => sql`json_extract(${point}, ${`$.${part}`})`,
  insertDefaults: (table, count) => insertDefaults(table, count, sql`null`),
  comparesAllKeys: true,
  exactText: { text: byCharacters, pattern: byCharacters },
  fault: sqliteFault,
  aggregate: sqliteAggregate,
  changeLog: sqliteChangeLog,
  schema: sqliteSchema,
  catalog: sqliteCatalog
}
