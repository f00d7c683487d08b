import { type ChangeLogDialect, sql, type Sql, writeStatement } from '@modelwire/connector-sql'
import { readValue, writeValue } from './rows-as-json.ts'
import { sqliteNotation } from './sqlite-notation.ts'

const events = { create: 'insert', update: 'update', remove: 'delete' } as const
const kinds = ['create', 'update', 'remove'] as const
/** More arguments than a hundred are too many for a function. */
const membersAtOnce = 45

type Member = Parameters<ChangeLogDialect['object']>[0][number]

const objectOf = (members: readonly Member[]): Sql => sql`json_object(${sql.join(members.flat())})`

/** A patch of one object by the next. It leaves out what is null, which is read as that. */
function writeObject(members: readonly Member[]): Sql {
  if (members.length <= membersAtOnce) return objectOf(members)
  return sql`json_patch(${objectOf(members.slice(0, membersAtOnce))}, ${writeObject(members.slice(membersAtOnce))})`
}

/** How SQLite logs changes. @param decode reads values as those of a column */
export function sqliteChangeLog(decode: ChangeLogDialect['read']): ChangeLogDialect {
  return {
    id: 'integer primary key autoincrement',
    text: 'text',
    now: sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
    write: (value) => sql.raw(writeValue(writeStatement(sqliteNotation, value).sql)),
    read: (kind, value) => decode(kind, readValue(value)),
    object: writeObject,
    listTriggers: ({ name }) =>
      sql`select name as name, sql as body from sqlite_schema where type = 'trigger' and tbl_name = ${name} collate nocase`,
    namesOf: (name) => kinds.map((kind) => `${name}_${kind}`),
    create: ({ name, table, insert }) =>
      kinds.map(
        (kind) =>
          sql`create trigger ${sql.id(`${name}_${kind}`)} after ${sql.raw(events[kind])} on ${sql.id(table.name)} begin ${insert(kind)}; end`
      ),
    drop: (name) => sql`drop trigger if exists ${sql.id(name)}`,
    restore: ({ body }) => [sql.raw(body)]
  }
}
