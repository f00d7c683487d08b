import { AsyncResource } from 'node:async_hooks'
import { randomBytes, createHash } from 'node:crypto'
import {
  type ConnectorChangeLog,
  type LogEntry,
  LogPositionUnknown,
  type ModelType,
  type LogOrder
} from '@modelwire/core/connector'
import type { Session } from '../connection/session.ts'
import type { SqlDialect, ChangeLogDialect } from '../dialect/dialect.ts'
import { sql, type Sql, type RawRow } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { type LogTable, logTableIn, cannotLog, readTriggers, loggedColumns } from './log-table.ts'
import { behindAll, type LogPlace, readPosition, writePosition } from './log-positions.ts'
import type { Runner } from '../statement/run-statement.ts'
import { readRow } from '../values/decode-value.ts'
import { isOneOf } from '../where/test-column.ts'
import type { Database } from '../dialect/database.ts'

/** Entries that are removed at once. */
const purgedAtOnce = 1000

/** The dependencies of a log. */
interface LogContext {
  readonly dialect: SqlDialect & { readonly changeLog: ChangeLogDialect }
  readonly runner: Session
  readonly database: Pick<Database, 'schema' | 'listen'>
  readonly tables: () => readonly SqlTable[]
}

/**
 * Opens the log of the changes of models.
 * @throws {InvalidDefinition} the database has no triggers
 */
export function openChangeLog(
  database: Database,
  { models, ...context }: Pick<LogContext, 'runner' | 'tables'> & { readonly models: readonly ModelType[] }
): ConnectorChangeLog {
  const { changeLog } = database.dialect
  if (changeLog === undefined) throw cannotLog(models[0]?.name ?? '')
  return createChangeLog({ ...context, database, dialect: { ...database.dialect, changeLog } })
}

/** Entries that get a batch at once. */
const chunk = 1000
const [id, batch] = [sql.id('id'), sql.id('batch')]

/** The state of a log as a whole. */
interface Counter {
  readonly batch: number
  /** The last entry that was purged. */
  readonly purged: LogPlace
  readonly secret: string | null
  /** Entries are waiting for their batch. */
  readonly isBehind: boolean
  /** No entry with a batch lies behind this place. */
  readonly end: LogPlace
}

/**
 * The log that triggers write into a table, in the transaction of each change. An entry gets its batch once it is committed, by
 * whichever process reads the log next: the entries that one snapshot sees get the next batch, in the order of their ids. Of two
 * changes of one record the second waits for the first one's commit before it is logged, so that a snapshot which sees the second one
 * sees the first, with a lower id. Nothing else orders changes: transactions commit in another order than they begin in.
 */
function createChangeLog(context: LogContext): ConnectorChangeLog {
  const { database } = context
  const table = logTableIn(database.schema)
  const state: LogState = { secret: undefined, read: undefined }
  // In no transaction of a caller: what it has not committed is not in the log.
  const resource = new AsyncResource('modelwire change log')
  const outside = <Result>(work: () => Promise<Result>): Promise<Result> => resource.runInAsyncScope(work)
  const place = (position: string): LogPlace | undefined => placeOf(state, position)
  return {
    unprepared: () => outside(() => listUnprepared(context)),
    latest: async () => {
      const counter = await outside(() => catchUp(context, table, state))
      return positionOf(state, endOf(counter.batch))
    },
    disguise: (position) => {
      const found = place(position)
      return found === undefined ? position : positionOf(state, found)
    },
    isBehind: (position, other) => {
      const [found, before] = [place(position), place(other)]
      return found !== undefined && before !== undefined && isBefore(before, found)
    },
    read: (after, limit) => outside(() => readFrom(context, table, state, { after, limit })),
    purge: (before) => outside(() => purgeLog(context.runner, table, before.getTime())),
    order: orderOf(() => outside(() => readLogSecret(context, table, state))),
    ...(database.listen && { listen: database.listen })
  }
}

/** What is known about a log once it has been read. */
interface LogState {
  secret: Buffer | undefined
  read: ReturnType<typeof entryReader> | undefined
}

const positionOf = ({ secret }: LogState, place: LogPlace): string => writePosition(secret ?? Buffer.alloc(0), place)

const placeOf = ({ secret }: LogState, position: string): LogPlace | undefined =>
  secret && readPosition(secret, position)

const purgedIn = (raw: RawRow): LogPlace => ({ batch: Number(raw['purged_batch']), id: Number(raw['purged_id']) })

const placeIn = (raw: RawRow): LogPlace => ({ batch: Number(raw['batch']), id: Number(raw['id']) })

/** Gives batches to what is committed, and gives the counter afterwards. */
async function catchUp(context: LogContext, table: LogTable, state: LogState): Promise<Counter> {
  let counter = await readCounter(context, table)
  while (counter.isBehind) {
    const given = await giveBatch(context, table)
    // Another process was quicker where there was nothing to give.
    counter =
      given === undefined ? await readCounter(context, table) : { ...counter, ...given, end: endOf(given.batch) }
  }
  state.secret ??= counter.secret === null ? await makeSecret(context, table) : Buffer.from(counter.secret, 'hex')
  return counter
}

async function readLogSecret(context: LogContext, table: LogTable, state: LogState): Promise<Buffer> {
  if (state.secret === undefined) await catchUp(context, table, state)
  return state.secret ?? Buffer.alloc(0)
}

/** @throws {LogPositionUnknown} the position is malformed, or what follows it was purged */
async function readFrom(
  context: LogContext,
  table: LogTable,
  state: LogState,
  { after, limit }: { readonly after: string; readonly limit: number }
): Promise<readonly LogEntry[]> {
  const counter = await catchUp(context, table, state)
  const place = placeOf(state, after)
  if (place === undefined || place.batch > counter.batch)
    throw new LogPositionUnknown('unknown position of the change log')
  const raws = isBefore(place, counter.end) ? await readEntries(context, table, { place, limit }) : []
  // What is purged meanwhile is missed by who finds nothing: the next read says so.
  const purged = raws[0] === undefined ? counter.purged : purgedIn(raws[0])
  if (isBefore(place, purged)) throw new LogPositionUnknown('changes after the position were purged')
  const read = (state.read ??= entryReader(context.dialect, context.tables()))
  const entries = raws.flatMap((raw) => read(raw, positionOf(state, placeIn(raw))) ?? [])
  const end = raws.at(-1)
  // A page of models that are not logged any more would look like the end.
  if (entries.length > 0 || end === undefined) return entries
  return readFrom(context, table, state, { after: positionOf(state, placeIn(end)), limit })
}

const isBefore = (place: LogPlace, other: LogPlace): boolean =>
  place.batch < other.batch || (place.batch === other.batch && place.id < other.id)

/** The place behind all entries of a batch. */
const endOf = (ofBatch: number): LogPlace => ({ batch: ofBatch, id: behindAll })

async function readCounter({ runner }: LogContext, { log, counter }: LogTable): Promise<Counter> {
  const columns = ['batch', 'purged_batch', 'purged_id', 'secret'].map((name) => sql.id('c', name))
  const waiting = sql`(select min(${id}) from ${log} where ${batch} is null)`
  const last = sql`(select max(${id}) from ${log} where ${batch} = ${sql.id('c', 'batch')})`
  const { rows } = await runner.run(
    sql`select ${sql.join(columns)}, ${waiting} as ${sql.id('waiting')}, ${last} as ${sql.id('last')} from ${counter} ${sql.id('c')}`,
    {}
  )
  const row = rows[0] ?? {}
  const text = row['secret']
  return {
    batch: Number(row['batch']),
    purged: purgedIn(row),
    secret: typeof text === 'string' ? text : null,
    isBehind: row['waiting'] !== null && row['waiting'] !== undefined,
    end: { batch: Number(row['batch']), id: Number(row['last'] ?? 0) }
  }
}

/**
 * Assigns the next batch to committed entries; undefined if there are none. One process does so at a time: the row of the counter
 * is its lock.
 */
async function giveBatch(
  { dialect, runner }: LogContext,
  { log, counter }: LogTable
): Promise<Pick<Counter, 'batch' | 'isBehind'> | undefined> {
  return runner.atomically(async () => {
    await runner.run(sql`update ${counter} set ${batch} = ${batch} + 1`, {})
    const { rows } = await runner.run(
      sql`select ${id}, (select ${batch} from ${counter}) as ${sql.id('next')} from ${log} where ${batch} is null order by ${id} limit ${sql.lit(chunk)}`,
      {}
    )
    const [first] = rows
    if (first === undefined) return undefined
    const next = Number(first['next'])
    const ids = rows.map((row) => Number(row['id']))
    const isOne = isOneOf(dialect, { kind: 'number', sql: id, isText: false }, ids)
    // By a key where there is one: a search by batches would lock the gaps into which others insert.
    const found = dialect.changeLog.identify === undefined ? isOne : sql`${batch} is null and ${isOne}`
    await runner.run(sql`update ${log} set ${batch} = ${next} where ${found}`, {})
    if (dialect.changeLog.notify !== undefined) await runner.run(dialect.changeLog.notify, {})
    return { batch: next, isBehind: rows.length === chunk }
  })
}

/** The secret of all processes: the first one to write it decides. */
async function makeSecret({ runner }: LogContext, { counter }: LogTable): Promise<Buffer> {
  const name = sql.id('secret')
  await runner.run(sql`update ${counter} set ${name} = ${randomBytes(16).toString('hex')} where ${name} is null`, {})
  const { rows } = await runner.run(sql`select ${name} from ${counter}`, {})
  return Buffer.from(String(rows[0]?.['secret']), 'hex')
}

/** Entries behind a place, in their order, each with what was purged at that moment. */
async function readEntries(
  { runner }: LogContext,
  { log, counter }: LogTable,
  { place, limit }: { readonly place: LogPlace; readonly limit: number }
): Promise<readonly RawRow[]> {
  const columns = ['id', 'batch', 'model', 'kind', 'made_at', 'record'].map((name) => sql.id('l', name))
  const purged = ['purged_batch', 'purged_id'].map((name) => sql.id('c', name))
  const behind = sql`${batch} >= ${place.batch} and (${batch} > ${place.batch} or ${id} > ${place.id})`
  const page = sql`select * from ${log} where ${behind} order by ${batch}, ${id} limit ${sql.lit(limit)}`
  const { rows } = await runner.run(
    sql`select ${sql.join([...columns, ...purged])} from (${page}) ${sql.id('l')} cross join ${counter} ${sql.id('c')} order by ${sql.id('l', 'batch')}, ${sql.id('l', 'id')}`,
    {}
  )
  return rows
}

/**
 * The tables of models that have no triggers. Those of another version of the model log it as well: processes of both run while one
 * replaces the other.
 */
async function listUnprepared({ dialect, runner, tables }: LogContext): Promise<readonly string[]> {
  const unprepared: string[] = []
  for (const table of tables())
    if ((await readTriggers({ dialect, runner }, table)).length === 0) unprepared.push(table.model.name)
  return unprepared
}

/** How the positions of a log are ordered. @param readSecret gives the secret that only its processes know */
function orderOf(readSecret: () => Promise<Buffer>): LogOrder {
  return {
    async identity() {
      const hash = createHash('sha256').update(await readSecret())
      return hash.digest('base64url').slice(0, 16)
    },
    async placeOf(position) {
      const place = readPosition(await readSecret(), position)
      return place && [place.batch, place.id]
    }
  }
}

/**
 * Removes the entries that were made before a time in milliseconds; gives how many there were. Readers learn what was purged before it
 * is gone.
 */
async function purgeLog(runner: Runner, { log, counter }: LogTable, before: number): Promise<number> {
  let removed = 0
  for (;;) {
    const made = sql.id('made_at')
    const { rows } = await runner.run(
      sql`select ${id}, ${batch}, ${made} from ${log} where ${batch} is not null order by ${batch}, ${id} limit ${sql.lit(purgedAtOnce)}`,
      {}
    )
    const kept = rows.findIndex((row) => Number(row['made_at']) >= before)
    const last = rows.at(kept === -1 ? -1 : kept - 1)
    if (last === undefined || kept === 0) return removed
    const to: LogPlace = { batch: Number(last['batch']), id: Number(last['id']) }
    removed += await removeTo(runner, { log, counter }, to)
    if (kept !== -1) return removed
  }
}

async function removeTo(
  runner: Runner,
  { log, counter }: Pick<LogTable, 'log' | 'counter'>,
  to: LogPlace
): Promise<number> {
  const { numAffectedRows } = await runner.atomically(async () => {
    const set = sql`${sql.id('purged_batch')} = ${to.batch}, ${sql.id('purged_id')} = ${to.id}`
    const [marked, markedId] = [sql.id('purged_batch'), sql.id('purged_id')]
    const isLower = sql`${marked} < ${to.batch} or (${marked} = ${to.batch} and ${markedId} < ${to.id})`
    await runner.run(sql`update ${counter} set ${set} where ${isLower}`, {})
    const older: Sql = sql`${batch} < ${to.batch} or (${batch} = ${to.batch} and ${id} <= ${to.id})`
    return runner.run(sql`delete from ${log} where ${older}`, {})
  })
  return Number(numAffectedRows ?? 0)
}

/** Makes the function that reads the row of an entry; undefined for one of a model that is not logged any more. */
function entryReader(
  dialect: SqlDialect,
  tables: readonly SqlTable[]
): (raw: RawRow, position: string) => LogEntry | undefined {
  const { changeLog } = dialect
  const reading = { ...dialect, ...(changeLog && { decode: changeLog.read }) }
  const columns = new Map(tables.map((table) => [table.model.name, loggedColumns(table)]))
  return (raw, position) => {
    const model = String(raw['model'])
    const logged = columns.get(model)
    if (logged === undefined) return undefined
    // A trigger wrote it.
    const record = JSON.parse(String(raw['record'])) as Record<string, unknown>
    const kind = String(raw['kind']) as LogEntry['kind'] // as triggers write it
    return { position, model, kind, at: new Date(Number(raw['made_at'])), row: readRow(reading, logged, record) }
  }
}
