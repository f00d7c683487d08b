import {
  BusyConnection,
  type CancelPolicy,
  StatementCancelled,
  StatementTimeout,
  stopAfter,
  whenAborted
} from '@modelwire/core/connector'
import { Socket } from 'node:net'
import {
  type Connection,
  type ConnectionPool,
  createOpenSockets,
  type Statement,
  type StatementResult,
  type StatementRunner,
  type TargetSession,
  type Zone
} from '@modelwire/connector-sql'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { type SessionSettings, type Connect, createConnect, type Release, cancelMethods } from './connect.ts'
import { GuardedClient } from './guarded-client.ts'
import { driverTypes } from '../postgresql-types.ts'
import { prepareParameter } from '../values/timestamps.ts'
import { isMisplaced, isOutdated } from '../postgresql-fault.ts'
import {
  PreparedQuery,
  type QueryExtras,
  createPreparedStatements,
  type PreparedStatements,
  type StatementNames,
  unnamed,
  createStatementLimit,
  setLimit,
  type StatementLimit
} from './prepared-query.ts'
import { PartedQuery } from './parted-query.ts'

/** How the connections of a pool are used. */
export interface PoolUse {
  /** Statements are prepared under names. */
  readonly prepares: boolean
  readonly session: SessionSettings
  /** When statements of disconnected callers are cancelled. */
  readonly cancels: CancelPolicy
  /** The zone of times in columns without one; UTC when absent. */
  readonly zone?: Zone | undefined
  /** The required state of each connection's host; undefined: not checked. */
  readonly wanted?: TargetSession | undefined
}

/** The shared state of a pool's connections. */
interface PoolState {
  readonly connect: Connect
  readonly statementsOf: (client: PoolClient) => PreparedStatements
  readonly names: StatementNames
  readonly limit: StatementLimit
  readonly cancels: CancelPolicy
  readonly zone: Zone | undefined
  /** Milliseconds that a statement may take; 0: no limit. */
  readonly timeout: number
}

/**
 * Makes a pool of connections. Statements are prepared under a name, unless disabled, so that the server plans each of them
 * once. Closing it waits no longer than a connection may take to open.
 */
export function createPool(config: PoolConfig, { prepares, session, cancels, zone, wanted }: PoolUse): ConnectionPool {
  const sockets = createOpenSockets()
  const stream = (): Socket => sockets.add(new Socket())
  const pool = new Pool({ ...config, types: driverTypes, pipeline: true, stream, Client: GuardedClient })
  // An idle connection that breaks leaves the pool; the next caller gets another one.
  pool.on('error', () => {})
  // One that breaks in use fails its statements; without a listener, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const names = { isOn: prepares }
  const limit = createStatementLimit()
  const connect = createConnect(pool, { limit, session, wanted })
  const timeout = Number(config.statement_timeout ?? 0)
  const state = { connect, names, limit, cancels, zone, timeout, statementsOf: keepStatements(names) }
  return {
    connect: async () =>
      new Promise((resolve, fail) => {
        connect({ take: (client, release) => resolve(connectionOf(state, client, release)), fail })
      }),
    direct: runDirectly(state),
    state: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: async () => sockets.close(async () => pool.end(), config.connectionTimeoutMillis ?? 0)
  }
}

function keepStatements(names: StatementNames): PoolState['statementsOf'] {
  const prepared = new WeakMap<PoolClient, PreparedStatements>()
  return (client) => {
    const cached = prepared.get(client) ?? createPreparedStatements(names)
    prepared.set(client, cached)
    return cached
  }
}

/** Statements on whichever connection is free. A caller who leaves is refused at once, and the rows are dropped. */
function runDirectly(state: PoolState): StatementRunner {
  const useConnection = shareConnections(state.connect, state.cancels)
  const onAnyClient = (statement: Statement, isAgain = false): Promise<PreparedQuery> => {
    const { signal } = statement
    const values = statement.parameters.map((value) => prepareParameter(value, state.zone))
    return new Promise((resolve, reject) => {
      let drop: (() => void) | undefined
      const forget = whenAborted(signal, () => {
        drop?.()
        reject(new StatementCancelled())
      })
      const run: ConnectionUse['run'] = (client, done, leave) => {
        if (signal?.aborted === true) return done(undefined)
        const prepared = (isAgain ? undefined : state.statementsOf(client)(statement.sql)) ?? unnamed(statement.sql)
        const query = new PreparedQuery(prepared, values, extrasOf(state, statement))
        drop = () => {
          query.dropRows()
          leave()
        }
        send(client, query, (failure) => {
          forget()
          done(failureOf(state, query, failure))
          if (failure === undefined) resolve(query)
          // A name is all that is wrong with it: nothing was executed.
          else if (query.isNamed && isOutdated(failure) && signal?.aborted !== true)
            resolve(onAnyClient(statement, true))
          else reject(failure)
        })
      }
      const fail = (failure: Error): void => {
        forget()
        reject(failure)
      }
      useConnection({ run, fail }, statement.isLookup === true)
    })
  }
  return runnerOf(onAnyClient)
}

/** A runner of the function that sends a statement and waits until it is answered. */
function runnerOf(ask: (statement: Statement) => Promise<PreparedQuery>): StatementRunner {
  return { run: async (statement) => toResult(await ask(statement)) }
}

function send(client: PoolClient, query: PreparedQuery, answered: (failure: Error | undefined) => void): void {
  query.callback = (failure) => answered(failure ?? undefined)
  try {
    client.query(query)
  } catch (error) {
    query.handleError(error instanceof Error ? error : new Error(String(error)))
  }
}

/** The error after which a connection is of no use; undefined for another one. */
function failureOf({ names }: PoolState, query: PreparedQuery, error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  noteLostName(names, query, error)
  return isBroken(error) ? error : undefined
}

/**
 * Prepares nothing any more where a connection has lost what it prepared, or another client has prepared it already: a
 * pooler has switched connections.
 */
function noteLostName(names: StatementNames, query: PreparedQuery, failure: Error): void {
  if (!names.isOn || !query.isNamed || !isMisplaced(failure)) return
  if (!query.wasPrepared && !isTaken(failure)) return
  names.isOn = false
  process.emitWarning(
    'PostgreSQL: prepared statements are lost between transactions, as with a pooler in transaction mode; they are disabled from now on. Set "preparedStatements": false to disable them from the start.',
    { code: 'MODELWIRE_PREPARED_STATEMENTS_LOST' }
  )
}

const isTaken = (failure: Error): boolean => 'code' in failure && failure.code === '42P05'

/** A limit of time is for what works on records: `begin` must come first, and `commit` waits for no lock. */
function extrasOf({ limit, zone }: PoolState, { sql, atMost }: Pick<Statement, 'sql' | 'atMost'>): QueryExtras {
  return { atMost, zone, before: /^\s*(?:select|with|insert|update|delete)/.test(sql) ? limit.before : undefined }
}

function toResult(query: PreparedQuery): StatementResult {
  const { command, rowCount } = query.outcome()
  const numAffectedRows = command === 'SELECT' ? undefined : BigInt(rowCount)
  return {
    // Whoever reads rows of a model does not look at them.
    get rows() {
      return query.namedRows()
    },
    numAffectedRows,
    rowsOf: (columns) => query.rowsOf(columns)
  }
}

/** The server's own limit counts the whole statement, while a client reads: each part has one of this process instead. */
const withoutLimit = setLimit(0)

/** A client that is held. */
interface HeldClient {
  readonly state: PoolState
  readonly client: PoolClient
  readonly busy: BusyConnection
}

/** @param fail called with the error after which the connection is of no use; undefined for another one */
async function* readParts(
  { state, client, busy }: HeldClient,
  statement: Statement,
  fail: (failure: Error | undefined) => void
): AsyncGenerator<StatementResult> {
  const values = statement.parameters.map((value) => prepareParameter(value, state.zone))
  const prepared = state.statementsOf(client)(statement.sql) ?? unnamed(statement.sql)
  const before = state.timeout > 0 ? withoutLimit : undefined
  const query = new PartedQuery(prepared, values, { ...extrasOf(state, statement), before })
  const sent = busy.add()
  const forget = whenAborted(statement.signal, () => busy.leave(sent))
  let late: Error | undefined
  const stop = (): void => {
    late = new StatementTimeout('the database did not answer in time')
    busy.stop(sent)
  }
  try {
    send(client, query, (failure) => query.finish(failure))
    while (await stopAfter(state.timeout, stop, query.arrive())) {
      yield toResult(query)
      query.proceed()
    }
    yield toResult(query)
  } catch (error) {
    fail(failureOf(state, query, error))
    throw late ?? (sent.isCancelled ? new StatementCancelled() : error)
  } finally {
    forget()
    await query.end()
    busy.remove(sent)
    await busy.settling
  }
}

/** A client that is held for several statements. */
function connectionOf(state: PoolState, client: PoolClient, release: Release): Connection {
  let failed: Error | undefined
  const busy = new BusyConnection(cancelMethods(client), state.cancels)
  const ask = async (statement: Statement): Promise<PreparedQuery> => {
    // Whatever came next would wait behind the statement that was not answered.
    if (failed !== undefined) throw failed
    const values = statement.parameters.map((value) => prepareParameter(value, state.zone))
    const prepared = state.statementsOf(client)(statement.sql) ?? unnamed(statement.sql)
    const query = new PreparedQuery(prepared, values, extrasOf(state, statement))
    const sent = busy.add()
    const forget = whenAborted(statement.signal, () => busy.leave(sent))
    const failure = await new Promise<Error | undefined>((resolve) => send(client, query, resolve))
    forget()
    busy.remove(sent)
    await busy.settling
    if (failure === undefined) return query
    failed = failureOf(state, query, failure)
    throw sent.isCancelled ? new StatementCancelled() : failure
  }
  return {
    ...runnerOf(ask),
    readParts: (statement) =>
      readParts({ state, client, busy }, statement, (failure) => {
        failed = failure
      }),
    release: (isClosed) =>
      release(failed ?? (isClosed ? new Error('the connection was left in a transaction') : undefined))
  }
}

/**
 * After an error that is not the server's the state of the connection is unknown; the server ends it with errors of
 * some classes. One to a host that only reads, or with statements that were prepared before their tables changed, is of
 * no use either.
 */
function isBroken(error: Error): boolean {
  return !(error instanceof DatabaseError) || isOutdated(error) || /^(?:08|57P|25P0[34]|25006)/.test(error.code ?? '')
}

/** An operation that requires a connection. */
interface ConnectionUse {
  /**
   * Runs the operation. `done` reports its completion, with the error after which the connection is unusable. `leave`
   * reports that no caller waits for the result any more.
   */
  readonly run: (client: PoolClient, done: (failure: Error | undefined) => void, leave: () => void) => void
  /** Called if no connection is available. */
  readonly fail: (error: Error) => void
}

/** Milliseconds without an answer after which no statement is queued behind the waiting ones. */
const busyTimeoutMs = 20

/** A connection of a pool from its first use to its last answer. */
class SharedConnection {
  readonly #policy: CancelPolicy
  readonly #waiting: ConnectionUse[] = []
  #open: { readonly client: PoolClient; readonly busy: BusyConnection } | undefined
  #isOver = false
  #release: Release = () => {}

  constructor(policy: CancelPolicy, connect: Connect, first: ConnectionUse) {
    this.#policy = policy
    this.#waiting.push(first)
    connect({ take: (client, release) => this.#take(client, release), fail: (error) => this.#failAll(error) })
  }

  /** Takes one more; false where it should look for another connection. */
  add(use: ConnectionUse): boolean {
    if (this.#isOver) return false
    if (this.#open === undefined) return this.#waiting.push(use) > 0
    const { client, busy } = this.#open
    if (busy.isCancelling || busy.runningTime > busyTimeoutMs) return false
    this.#send(client, busy, [use])
    return true
  }

  #take(client: PoolClient, release: Release): void {
    const busy = new BusyConnection(cancelMethods(client), this.#policy)
    this.#open = { client, busy }
    this.#release = release
    this.#send(client, busy, this.#waiting.splice(0))
  }

  #send(client: PoolClient, busy: BusyConnection, uses: readonly ConnectionUse[]): void {
    // All are added before the first one may be done, which would release the connection.
    const added = uses.map((use) => ({ use, statement: busy.add() }))
    for (const { use, statement } of added) {
      const done = (failure: Error | undefined): void => {
        busy.remove(statement)
        if (failure !== undefined) this.#end(failure)
        else if (busy.isIdle) this.#endAfter(busy.settling)
      }
      use.run(client, done, () => busy.leave(statement))
    }
  }

  #endAfter(settling: Promise<void> | undefined): void {
    if (settling === undefined) this.#end(undefined)
    else void this.#endWhenSettled(settling)
  }

  async #endWhenSettled(settling: Promise<void>): Promise<void> {
    await settling
    this.#end(undefined)
  }

  /** The pool closes a broken one: its callers get the error. */
  #end(failure: Error | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#release(failure)
  }

  #failAll(error: Error): void {
    this.#isOver = true
    for (const { fail } of this.#waiting.splice(0)) fail(error)
  }
}

/** Runs an operation on a connection of the pool, exclusive or shared. */
type UseConnection = (use: ConnectionUse, mayShare: boolean) => void

/**
 * Makes the function that lets short statements share a connection: the next one is sent before the last one is
 * answered, so that many travel in one packet. It goes back to the pool as soon as all are answered, and nothing that
 * cancels one of them can reach a later statement. Nothing is queued behind a slow one.
 */
function shareConnections(connect: Connect, policy: CancelPolicy): UseConnection {
  let current: SharedConnection | undefined
  return (use, mayShare) => {
    if (mayShare && current?.add(use) === true) return
    const opened = new SharedConnection(policy, connect, use)
    if (mayShare) current = opened
  }
}
