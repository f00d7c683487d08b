import { type Sql, sql } from '../sql.ts'
import type { SqlDialect, ChangeLogDialect, ExistingTrigger } from '../dialect/dialect.ts'
import { InvalidDefinition } from '@modelwire/core/connector'
import { isSecretField } from '@modelwire/server'
import type { Runner } from '../statement/run-statement.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'

/** The table of logged changes. */
export const logName = 'modelwire_changes'
/** The table that counts batches of them. */
const counterName = 'modelwire_change_counter'

/** Where the log is, and how its parts are written in SQL. */
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

/** A statement that creates a part of a log, with its description. */
export interface LogPart {
  readonly kind: 'createTable' | 'createIndex' | 'prepare'
  readonly description: string
  readonly sql: Sql
  /** The statement that undoes it; absent if another part does. */
  readonly back?: Sql
}

const column = (name: string, type: string): Sql => sql`${sql.id(name)} ${sql.raw(type)}`

const logColumns = ({ id, text }: ChangeLogDialect): readonly Sql[] => [
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

/**
 * The statements that create the tables. Entries have no batch until a reader assigns one after they were committed, which
 * defines their order.
 */
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
      sql: table(log, logColumns(changeLog)),
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

/** The prefix of the names of such triggers. */
export const triggerPrefix = 'modelwire_changes_'

/** The error for a model that cannot have the setting with this database. */
export function cannotLog(model: string): InvalidDefinition {
  return new InvalidDefinition('the database cannot log changes: remove changeLog, or use another data source', {
    model,
    key: 'changeLog'
  })
}

/** The triggers that log changes of a table. */
export async function readTriggers(
  { dialect, runner }: { readonly dialect: SqlDialect; readonly runner: Pick<Runner, 'run'> },
  table: SqlTable
): Promise<readonly ExistingTrigger[]> {
  if (dialect.changeLog === undefined) return []
  const { rows } = await runner.run(dialect.changeLog.listTriggers(table), { table })
  return rows
    .map(({ name, event, body }) => ({ name: String(name), event: String(event ?? ''), body: String(body) }))
    .filter(({ name }) => name.startsWith(triggerPrefix))
}

/** The logged columns: no secrets, which would be kept longer than in their record. */
export function loggedColumns({ columns }: SqlTable): readonly Column[] {
  return columns.filter(({ property }) => !isSecretField(property.name))
}
