import { type ChangeLogDialect, type Column, sql, type Sql, type SqlTable } from '@modelwire/connector-sql'
import { schemaName } from './mysql-schema.ts'

const events = { create: 'insert', update: 'update', remove: 'delete' } as const
const kinds = ['create', 'update', 'remove'] as const

const triggerName = (name: string, { schema }: SqlTable): Sql =>
  schema === undefined ? sql.id(name) : sql.id(schema, name)

function createTrigger(
  table: SqlTable,
  { name, event, body }: Readonly<{ name: string; event: string; body: Sql }>
): Sql {
  return sql`create trigger ${triggerName(name, table)} after ${sql.raw(event)} on ${table.sql} for each row ${body}`
}

/** Whatever the character set and the zone of the session that writes. */
function write(value: Sql, { kind }: Column, type: string): Sql {
  if (kind === 'binary') return sql`hex(${value})`
  if (/^(?:point|geometry)/i.test(type)) return sql`st_astext(${value})`
  if (/^bit/i.test(type)) return sql`cast(${value} + 0 as char)`
  if (kind === 'date' && /^timestamp/i.test(type)) return sql`cast(unix_timestamp(${value}) * 1000 as char)`
  return sql`convert(${value} using utf8mb4)`
}

const point = /^POINT\((\S+) (\S+)\)$/

/** How MySQL and MariaDB log changes. @param decode reads texts as those of a column */
export function mysqlChangeLog(decode: ChangeLogDialect['read']): ChangeLogDialect {
  return {
    id: 'bigint not null auto_increment primary key',
    text: 'longtext',
    now: sql`cast(unix_timestamp(now(3)) * 1000 as unsigned)`,
    write,
    read: (kind, value) => {
      if (kind === 'binary') return Buffer.from(String(value), 'hex')
      const [, x, y] = (kind === 'point' && point.exec(String(value))) || []
      return x === undefined ? decode(kind, value) : { lat: Number(y), lng: Number(x) }
    },
    object: (members) => sql`json_object(${sql.join(members.flat())})`,
    listTriggers: ({ name, schema }) =>
      sql`select trigger_name as name, lower(event_manipulation) as event, action_statement as body from information_schema.triggers where event_object_schema = ${schemaName(schema)} and event_object_table = ${name}`,
    namesOf: (name) => kinds.map((kind) => `${name}_${kind}`),
    create: ({ name, table, insert }) =>
      kinds.map((kind) => createTrigger(table, { name: `${name}_${kind}`, event: events[kind], body: insert(kind) })),
    drop: (name, table) => sql`drop trigger if exists ${triggerName(name, table)}`,
    restore: ({ name, event, body }, table) => [createTrigger(table, { name, event, body: sql.raw(body) })]
  }
}
