import {
  decodeValue,
  type Exactness,
  finite,
  type ColumnKind,
  type LikePattern,
  type Sql,
  type SqlDialect,
  sql
} from '@modelwire/connector-sql'
import { sqliteCatalog } from './sqlite-catalog.ts'
import { sqliteAggregate } from './sqlite-aggregate.ts'
import { sqliteChangeLog } from './sqlite-change-log.ts'
import { sqliteFault } from './sqlite-fault.ts'
import { sqliteItems, sqliteJsonOrder, sqliteMergeJson } from './sqlite-json.ts'
import { sqliteNotation } from './sqlite-notation.ts'
import { sqliteSchema } from './sqlite-schema.ts'

const sqliteLike: SqlDialect['like'] = (text, pattern) =>
  pattern.ignoreCase ? sql`${text} like ${pattern.text} escape '\\'` : sql`${text} glob ${globOf(pattern)}`

/** How SQLite writes what other databases write differently. `like` compares whole texts unless `likeAnywhere`. */
export function sqliteDialect(likeAnywhere: boolean): SqlDialect {
  return {
    name: 'sqlite',
    notation: sqliteNotation,
    mappingKeys: ['sqlite3', 'sqlite'],
    likeAnywhere,
    holdsNul: false,
    // A type of its own would have SQLite turn the digits into a number.
    holdsDecimals: false,
    // A transaction has the right to write from its beginning.
    forUpdate: undefined,
    returning: true,
    // An insert that becomes an update cannot be distinguished from another one.
    wasCreated: undefined,
    noLimit: sql`-1`,
    // LB3: names are in lower case unless the model file names them.
    defaultName: (name) => name.toLowerCase(),
    operand: (kind, value) => sql`${encode(kind, value)}`,
    stored: (kind, value) => sql`${encode(kind, value)}`,
    decode,
    byCode: (text) => text,
    asText: (value) => sql`cast(${value} as text)`,
    isOneOf,
    like: sqliteLike,
    regexp,
    ...json,
    coordinate: (point, part) => sql`json_extract(${point}, ${`$.${part}`})`,
    direction: (descending) => (descending ? sql` desc` : sql``),
    insertDefaults,
    comparesAllKeys: true,
    exactness,
    // One who writes at a time: there is one isolation.
    begin: () => ['begin immediate'],
    fault: sqliteFault,
    aggregate: sqliteAggregate,
    changeLog: sqliteChangeLog(decode),
    schema: sqliteSchema,
    catalog: sqliteCatalog
  }
}

const json: Pick<SqlDialect, 'jsonItems' | 'jsonOrder' | 'mergeJson'> = {
  jsonItems: sqliteItems,
  jsonOrder: sqliteJsonOrder,
  mergeJson: sqliteMergeJson
}

// SQLite knows no groups that capture, nor a sign for those that do not.
const regexp: SqlDialect['regexp'] = (text, { source, ignoreCase }) =>
  sql`${sql.raw(ignoreCase ? 'regexpi' : 'regexp')}(${source.replaceAll('(?:', '(')}, ${text})`

// One parameter, however many values.
const isOneOf: SqlDialect['isOneOf'] = ({ kind, sql: column }, values) => {
  const list = JSON.stringify(values.map((value) => encode(kind, value)))
  return sql`${column} in (select value from json_each(${list}))`
}

const insertDefaults: SqlDialect['insertDefaults'] = (table, count) =>
  count === 1 || table.id === undefined
    ? sql`insert into ${table.sql} default values`
    : sql`insert into ${table.sql} (${table.id.sql}) values ${sql.join(Array.from({ length: count }, () => sql`(null)`))}`

const byCharacters = (text: Sql): Sql => sql`${text} collate binary`

/** Collations of columns stand in the text of their table alone. */
const exactness: Exactness = {
  text: byCharacters,
  pattern: byCharacters,
  isExact: (type) => type !== 'collated',
  listTypes: ({ name, schema }) => sql`
    select c.name as name, case when t.type = 'view' or t.sql like '%collate%' then 'collated' else 'binary' end as type
    from ${schema === undefined ? sql.id('sqlite_schema') : sql.id(schema, 'sqlite_schema')} t, pragma_table_xinfo(t.name) c
    where t.name = ${name} collate nocase and t.type in ('table', 'view')`
}

/** LB3: loopback-connector-sqlite3 writes lists and objects as the JSON of a JSON text. */
function decode(kind: ColumnKind, value: unknown): unknown {
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
