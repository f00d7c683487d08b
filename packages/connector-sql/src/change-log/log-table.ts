import { type Sql, sql } from '../sql.ts'
import type { SqlDialect } from '../dialect.ts'
import type { ChangeLogDialect } from './change-log-dialect.ts'

/** The table of logged changes. */
export const logName = 'modelwire_changes'
/** The table that counts batches of them. */
export const counterName = 'modelwire_change_counter'

/** Where the log lies, and how its parts are written. */
export interface LogTable {
  readonly schema: string | undefined
  readonly log: Sql
  readonly counter: Sql
}

/** The tables of a log in the schema of the data source. */
export function logTableIn(schema: string | undefined): LogTable {
  const named = (name: string): Sql => (schema === undefined ? sql.id(name) : sql.id(schema, name))
  return { schema, log: named(logName), counter: named(counterName) }
}

/** A statement that makes a part of a log, and what that is. */
export interface LogPart {
  readonly kind: 'createTable' | 'createIndex' | 'prepare'
  readonly description: string
  readonly sql: Sql
  /** What undoes it; absent where another part does. */
  readonly back?: Sql
}

const column = (name: string, type: string): Sql => sql`${sql.id(name)} ${sql.raw(type)}`

const loggedColumns = ({ id, text }: ChangeLogDialect): readonly Sql[] => [
  column('id', id),
  column('batch', 'bigint'),
  column('model', 'varchar(255) not null'),
  column('kind', 'varchar(6) not null'),
  column('made_at', 'bigint not null'),
  column('record', `${text} not null`)
]

const countedColumns: readonly Sql[] = [
  column('name', 'varchar(16) not null primary key'),
  column('batch', 'bigint not null'),
  column('purged_batch', 'bigint not null'),
  column('purged_id', 'bigint not null'),
  column('secret', 'varchar(32)')
]

/** What makes the tables. Entries have no batch until a reader gives them one after they were committed, which is their order. */
export function logParts(
  { schema, changeLog }: SqlDialect,
  { log, counter, schema: place }: LogTable,
  options: string
): readonly LogPart[] {
  if (changeLog === undefined) return []
  const table = (name: Sql, columns: readonly Sql[]): Sql =>
    sql`create table ${name} (${sql.join(columns)}) ${sql.raw(options)}`
  const index = schema.placeIndex(
    sql`create index`,
    `${logName}_batch`,
    { name: logName, schema: place, sql: log },
    sql`${sql.id('batch')}, ${sql.id('id')}`
  )
  const row = sql`insert into ${counter} values ('changes', 0, 0, 0, null)`
  return [
    {
      kind: 'createTable',
      description: `the table ${logName} of logged changes`,
      sql: table(log, loggedColumns(changeLog)),
      back: sql`drop table ${log}`
    },
    ...(changeLog.identify === undefined
      ? []
      : [
          { kind: 'prepare' as const, description: `the identity of rows of ${logName}`, sql: changeLog.identify(log) }
        ]),
    { kind: 'createIndex', description: `the index ${logName}_batch`, sql: index },
    {
      kind: 'createTable',
      description: `the table ${counterName}`,
      sql: table(counter, countedColumns),
      back: sql`drop table ${counter}`
    },
    { kind: 'prepare', description: `the row of ${counterName}`, sql: row }
  ]
}
