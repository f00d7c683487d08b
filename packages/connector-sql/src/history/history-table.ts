import type { MigrationTask, RecordedMigration } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect/dialect.ts'
import { tableOptionsOf } from '../plan/planned-step.ts'
import { type Sql, sql, type RawRow } from '../sql.ts'
import type { Runner } from '../statement/run-statement.ts'

/** The table of applied migrations. */
export interface HistoryTable {
  /** False if the table has not been created yet. */
  readonly exists: () => Promise<boolean>
  readonly make: () => Promise<void>
  readonly read: () => Promise<readonly RecordedMigration[]>
  /** Adds or replaces the row of a migration; a new one gets the next position. */
  readonly write: (row: Omit<RecordedMigration, 'position'>) => Promise<void>
  readonly remove: (name: string) => Promise<void>
}

/** The location of the table. */
export interface HistoryPlace {
  readonly dialect: SqlDialect
  readonly runner: Runner
  readonly schema: string | undefined
  readonly table: string
}

/** The history in a table of that name, whose statements run on `runner`. */
export function historyTable(place: HistoryPlace): HistoryTable {
  const { runner, dialect, schema, table: name } = place
  const table = schema === undefined ? sql.id(name) : sql.id(schema, name)
  const exists = async (): Promise<boolean> =>
    (await runner.run(dialect.catalog.listColumns({ name, schema }), {})).rows.length > 0
  const read = async (): Promise<readonly RecordedMigration[]> => {
    const { rows } = await runner.run(sql`select ${columns} from ${table} order by ${sql.id('position')}`, {})
    return rows.map(readRow)
  }
  const write = async (row: Omit<RecordedMigration, 'position'>): Promise<void> => {
    const is = sql`${sql.id('name')} = ${row.name}`
    const { rows } = await runner.run(sql`select ${sql.id('position')} from ${table} where ${is}`, {})
    await runner.run(rows.length > 0 ? update(table, row, is) : await insert(place, table, row), {})
  }
  const remove = async (each: string): Promise<void> =>
    void (await runner.run(sql`delete from ${table} where ${sql.id('name')} = ${each}`, {}))
  return { exists, read, write, remove, make: async () => makeTable(place, table) }
}

/** The row of a task in a state. */
export function rowOf(
  { name, checksum }: Pick<MigrationTask, 'name' | 'checksum'>,
  state: RecordedMigration['state'],
  { stepsDone, started }: { stepsDone: number; started: number }
): Omit<RecordedMigration, 'position'> {
  const now = Date.now()
  return { name, checksum, state, stepsDone, appliedAt: new Date(now).toISOString(), duration: now - started }
}

const names = ['name', 'position', 'checksum', 'state', 'steps_done', 'applied_at', 'duration_ms'] as const
const columns = sql.join(names.map((name) => sql.id(name)))

async function makeTable({ runner, dialect, schema }: HistoryPlace, table: Sql): Promise<void> {
  const { schemas } = dialect.schema
  if (schema !== undefined && schemas !== undefined && (await runner.run(schemas.find(schema), {})).rows.length === 0)
    await runner.run(schemas.create(schema), {})
  const types = ['varchar(255) not null primary key', 'integer not null', 'varchar(64) not null']
  const more = ['varchar(20) not null', 'integer not null', 'varchar(30) not null', 'bigint not null']
  const defined = [...types, ...more].map((type, at) => sql`${sql.id(names[at] ?? '')} ${sql.raw(type)}`)
  const { text } = await tableOptionsOf({ dialect, runner })
  await runner.run(sql`create table if not exists ${table} (${sql.join(defined)}) ${sql.raw(text)}`, {})
}

async function insert({ runner }: HistoryPlace, table: Sql, row: Omit<RecordedMigration, 'position'>): Promise<Sql> {
  const { rows } = await runner.run(sql`select max(${sql.id('position')}) as ${sql.id('last')} from ${table}`, {})
  const values = [row.name, Number(rows[0]?.['last'] ?? 0) + 1, ...changing(row)]
  return sql`insert into ${table} (${columns}) values (${sql.join(values)})`
}

function update(table: Sql, row: Omit<RecordedMigration, 'position'>, is: Sql): Sql {
  const values = changing(row).map((value, at) => sql`${sql.id(names[at + 2] ?? '')} = ${value}`)
  return sql`update ${table} set ${sql.join(values)} where ${is}`
}

/** The values of the columns behind `position`. */
function changing({ checksum, state, stepsDone, appliedAt, duration }: Omit<RecordedMigration, 'position'>): unknown[] {
  return [checksum, state, stepsDone, appliedAt, Math.round(duration)]
}

const states: readonly RecordedMigration['state'][] = [
  'applied',
  'applying',
  'apply failed',
  'reverting',
  'revert failed'
]

function readRow(row: RawRow): RecordedMigration {
  const text = (name: (typeof names)[number]): string => String(row[name])
  const number = (name: (typeof names)[number]): number => Number(row[name])
  return {
    name: text('name'),
    checksum: text('checksum').trim(),
    state: states.find((state) => state === text('state')) ?? 'applying',
    stepsDone: number('steps_done'),
    position: number('position'),
    appliedAt: text('applied_at'),
    duration: number('duration_ms')
  }
}
