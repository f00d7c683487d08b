import {
  finite,
  type Column,
  type ColumnKind,
  type Sql,
  type SqlDialect,
  type SqlTable,
  sql
} from '@modelwire/connector-sql'
import { postgresqlCatalog } from './postgresql-catalog.ts'
import { postgresqlAggregate } from './postgresql-aggregate.ts'
import { postgresqlFault } from './postgresql-fault.ts'
import { postgresqlItems, postgresqlJsonOrder } from './postgresql-json.ts'
import { postgresqlChangeLog } from './postgresql-change-log.ts'
import { postgresqlNotation } from './postgresql-notation.ts'
import { postgresqlSchema } from './postgresql-schema.ts'
import { schemaOf } from './schema-of.ts'
import { decode } from './values/read-column.ts'
import type { TimestampZone } from './values/timestamp-zone.ts'

/** The settings of the dialect. */
export interface DialectOptions {
  /** `like` finds a part of a text. */
  readonly likeAnywhere: boolean
  /** Other engines with PostgreSQL's protocol: nothing is written that they lack. */
  readonly distributed: boolean
  /** That of times in columns without one; UTC when absent. */
  readonly zone?: TimestampZone | undefined
}

/** How PostgreSQL writes what other databases write differently. */
export function postgresqlDialect({ likeAnywhere, distributed, zone }: DialectOptions): SqlDialect {
  const dialect = dialectOf(likeAnywhere, zone)
  if (!distributed) return dialect
  const { raiseIds: _raiseIds, changeLog: _changeLog, locks: _locks, ...common } = dialect
  // They have no column `xmax`, ids that are not counted by one sequence, no triggers or others, and transactions that are serializable.
  return { ...common, wasCreated: undefined, schema: postgresqlSchema(true, zone) }
}

const holds: Pick<SqlDialect, 'holdsNul' | 'longestName' | 'holdsDecimals'> = {
  holdsNul: false,
  longestName: { length: 63, unit: 'bytes' },
  holdsDecimals: true
}

const transactions: Pick<SqlDialect, 'begin' | 'failsTransactions' | 'locks' | 'fault'> = {
  begin: (isolation) => [isolation === undefined ? 'begin' : `start transaction isolation level ${isolation}`],
  failsTransactions: true,
  locks: {
    take: (keys) =>
      sql`select 1 as taken, pg_advisory_xact_lock(hashtextextended(key, 0))::text as lock from unnest(${[...keys]}::text[]) as key`
  },
  fault: postgresqlFault
}

function dialectOf(likeAnywhere: boolean, zone: TimestampZone | undefined): SqlDialect {
  return {
    name: 'postgresql',
    notation: postgresqlNotation,
    mappingKeys: ['postgresql', 'pgsql', 'postgres'],
    likeAnywhere,
    ...holds,
    forUpdate: sql` for update`,
    hasType: (dataType, text) => !/^uuid$/i.test(dataType) || uuid.test(text),
    returning: true,
    wasCreated: sql`(xmax = 0)`,
    noLimit: undefined,
    // LB3: names are in lower case unless the model file names them.
    defaultName: (name) => name.toLowerCase(),
    operand: (kind, value) => (kind === 'number' ? numberOperand(Number(value)) : sql`${value}`),
    stored,
    decode: (kind, value) => decode(kind, value, zone),
    byCode: (text) => sql`${text} collate "C"`,
    asText: (value) => sql`${value}::text`,
    // One parameter, however many values.
    isOneOf: ({ kind, sql: column }, values) => sql`${column} = any(${[...values]}${sql.raw(listType(kind, values))})`,
    like,
    regexp: (text, { source, ignoreCase }) => sql`${text} ${sql.raw(ignoreCase ? '~*' : '~')} ${translate(source)}`,
    jsonItems: postgresqlItems,
    jsonOrder: postgresqlJsonOrder,
    mergeJson: (document, patch) => sql`coalesce(${document}, '{}'::jsonb) || ${JSON.stringify(patch)}::jsonb`,
    // LB3: a point is kept as (longitude, latitude).
    coordinate: (point, part) => sql`(${point})[${sql.raw(part === 'lat' ? '1' : '0')}]`,
    direction: (descending) => (descending ? sql` desc nulls last` : sql` asc nulls first`),
    insertDefaults,
    raiseIds,
    exactness,
    ...transactions,
    aggregate: postgresqlAggregate(zone),
    changeLog: postgresqlChangeLog(zone),
    schema: postgresqlSchema(false, zone),
    catalog: postgresqlCatalog
  }
}

/** As the server reads one: other texts are an error, also in a comparison. */
const uuid = /^(?:\{[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}\}|[0-9a-f]{4}(?:-?[0-9a-f]{4}){7})$/i

/** Types such as citext have operators of their own. */
const byCharacters = (text: Sql): Sql => sql`(${text})::text collate "C"`

const exactness: SqlDialect['exactness'] = {
  text: byCharacters,
  pattern: byCharacters,
  listTypes,
  isExact: (type) => !/^(?:wide|other citext)\b/.test(type)
}

/** Bits of an index's column: 1 is descending, 2 has nulls first, as a descending order has them by itself. */
const plainOrders = sql.raw('0, 3')

/** Texts of two collations of columns' own cannot be compared. Nondeterministic ones, which older versions lack, may ignore case. */
function listTypes({ schema, name }: SqlTable): Sql {
  return sql`
    select column_name as name, case
      when udt_name in ('int2', 'int4', 'int8', 'float4', 'float8', 'numeric') then 'number'
      when exists (select 1 from pg_collation c where c.collname = collation_name and to_jsonb(c) ->> 'collisdeterministic' = 'false')
        then concat('wide ', udt_name, ' ', collation_name)
      when udt_name in ('text', 'varchar') then concat('text ', collation_name)
      else concat('other ', udt_name, ' ', collation_name) end as type,
      exists (
        select 1 from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = table_schema and c.relname = table_name and i.indkey[0] = ordinal_position and i.indisvalid
          and i.indpred is null and i.indoption[0] in (${plainOrders})
      ) as plain
    from information_schema.columns where table_schema = ${schema} and table_name = ${name}`
}

/** Ids that are chosen do not move the sequence by themselves. */
function raiseIds(table: SqlTable, id: Column, highest: number): Sql {
  return sql`
    select setval(made.ids, ${highest}::bigint)
    from (select pg_get_serial_sequence(${`${postgresqlNotation.quote(schemaOf(table))}.${postgresqlNotation.quote(table.name)}`}, ${id.name})::regclass as ids) as made
    where made.ids is not null and ${highest}::bigint > coalesce(pg_sequence_last_value(made.ids), 0)`
}

/** Whole numbers fit indexes of all types of numbers; others are only equal to what can hold them. */
function numberOperand(value: number): Sql {
  return Number.isSafeInteger(value) ? sql`${value}::bigint` : sql`${finite(value)}::float8`
}

function listType(kind: ColumnKind, values: readonly unknown[]): string {
  if (kind !== 'number') return ''
  return values.every(Number.isSafeInteger) ? '::bigint[]' : '::float8[]'
}

const like: SqlDialect['like'] = (text, pattern) =>
  sql`${text} ${sql.raw(pattern.ignoreCase ? 'ilike' : 'like')} ${pattern.text} escape '\\'`

function insertDefaults({ sql: table, id }: SqlTable, count: number): Sql {
  if (count === 1 || id === undefined) return sql`insert into ${table} default values`
  return sql`insert into ${table} (${id.sql}) values ${sql.join(Array.from({ length: count }, () => sql`(default)`))}`
}

function stored(kind: ColumnKind, value: unknown): Sql {
  if (kind === 'json') return sql`${JSON.stringify(value)}`
  return kind === 'point' ? sql`${writePoint(value)}::point` : sql`${value}`
}

function writePoint(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('lat' in value) || !('lng' in value)) return null
  return `(${Number(value.lng)},${Number(value.lat)})`
}

/** What PostgreSQL's expressions write in another way than JavaScript's: the borders of words. */
function translate(source: string): string {
  return source.replaceAll(/\\./gs, (sign) => borders.get(sign) ?? sign)
}

const borders: ReadonlyMap<string, string> = new Map([
  [String.raw`\b`, String.raw`\y`],
  [String.raw`\B`, String.raw`\Y`]
])
