import { type ChangeLogDialect, type Column, sql, type Sql, type SqlTable } from '@modelwire/connector-sql'
import { schemaName } from './mysql-schema.ts'

const events = { create: 'insert', update: 'update', remove: 'delete' } as const
const kinds = ['create', 'update', 'remove'] as const

const triggerName = (name: string, { schema }: SqlTable): Sql =>
  schema === undefined ? sql.id(name) : sql.id(schema, name)

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
      sql`select trigger_name as name from information_schema.triggers where event_object_schema = ${schemaName(schema)} and event_object_table = ${name}`,
    namesOf: (name) => kinds.map((kind) => `${name}_${kind}`),
    create: ({ name, table, insert }) =>
      kinds.map(
        (kind) =>
          sql`create trigger ${triggerName(`${name}_${kind}`, table)} after ${sql.raw(events[kind])} on ${table.sql} for each row ${insert(kind)}`
      ),
    drop: (name, table) => sql`drop trigger if exists ${triggerName(name, table)}`
  }
}
