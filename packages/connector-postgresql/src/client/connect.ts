import type { Pool, PoolClient } from 'pg'
import { type TargetSession, unsuitableHost, sessionMismatch, type ServerSettings } from '@modelwire/connector-sql'
import { checkLimit, isRefused, type StatementLimit, PreparedQuery, unnamed } from './prepared-query.ts'
import type { BusyConnection } from '@modelwire/core/connector'
import { connect as openSocket, type Socket } from 'node:net'
import { endConnection } from './guarded-client.ts'

/** The server's data about a connection, missing in the driver's types. */
interface ServerProcess {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

const cancelRequest = 80_877_102

const length = 16

const cancelTimeoutMs = 5000

/** Session settings of the server, by name. */
export type SessionSettings = NonNullable<ServerSettings['session']>

const stateOf =
  "select pg_is_in_recovery()::int as standby, (current_setting('transaction_read_only') = 'on')::int as read_only"

const isTrue = (value: unknown): boolean => Number(value) === 1

/** Returns a connection to its pool, which closes it if there is a failure. */
export type Release = (failure: Error | undefined) => void

/** Receives a connection. */
export interface Taker {
  readonly take: (client: PoolClient, release: Release) => void
  /** Called if no connection is available. */
  readonly fail: (error: Error) => void
}

/** Takes a connection from the pool, as soon as one is free. */
export type Connect = (taker: Taker) => void

/** How each connection of a pool is initialized. */
export interface Beginning {
  readonly limit: StatementLimit
  readonly session: SessionSettings
  /** The required state of the host. */
  readonly wanted: TargetSession | undefined
}

/** Makes the function that takes connections from a pool whose statements have a time limit, also with a pooler. */
export function createConnect(pool: Pool, { limit, session, wanted }: Beginning): Connect {
  const checked = new WeakSet<PoolClient>()
  const check = async (client: PoolClient): Promise<Error | undefined> => {
    try {
      await checkLimit(limit, pool, client)
      await applySession(session, pool, client)
      await checkTarget(wanted, pool, client)
      checked.add(client)
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
  const open = async (client: PoolClient, release: Release, { take, fail }: Taker): Promise<void> => {
    const failure = await check(client)
    if (failure === undefined) return take(client, release)
    release(failure)
    fail(failure)
  }
  const connect: Connect = (taker) => {
    const startsWithLimit = Boolean(pool.options.statement_timeout)
    pool.connect((error, client, release) => {
      if (client === undefined) {
        // Another start is made without what was refused.
        if (startsWithLimit && isRefused(limit, pool, error)) connect(taker)
        else taker.fail(error ?? new Error('the pool has no connection available'))
      } else if (checked.has(client)) taker.take(client, release)
      else void open(client, release, taker)
    })
  }
  return connect
}

/**
 * Checks that a new connection leads to a host that is what it has to be, as libpq does.
 * @throws an error for an unsuitable host, or the server's
 */
async function checkTarget(wanted: TargetSession | undefined, pool: Pool, client: PoolClient): Promise<void> {
  if (wanted === undefined || wanted === 'any' || wanted === 'prefer-standby') return
  const query = new PreparedQuery(unnamed(stateOf), [], { timeout: pool.options.connectionTimeoutMillis })
  await new Promise<void>((resolve, reject) => {
    query.callback = (failure) => (failure ? reject(failure) : resolve())
    client.query(query)
  })
  const [row = {}] = query.namedRows()
  const state = { isStandby: isTrue(row['standby']), isReadOnly: isTrue(row['read_only']) }
  const reason = sessionMismatch(wanted, state)
  if (reason !== undefined) throw unsuitableHost(reason)
}

/** Gives a new connection the settings of the data source. @throws the server's error where it knows no such setting or value */
async function applySession(settings: SessionSettings, pool: Pool, client: PoolClient): Promise<void> {
  const entries = Object.entries(settings)
  if (entries.length === 0) return
  const calls = entries.map((_entry, at) => `set_config($${at * 2 + 1}, $${at * 2 + 2}, false)`)
  const values = entries.flatMap(([name, value]) => [name, String(value)])
  const query = new PreparedQuery(unnamed(`select ${calls.join(', ')}`), values, {
    timeout: pool.options.connectionTimeoutMillis
  })
  await new Promise<void>((resolve, reject) => {
    query.callback = (failure) => (failure ? reject(failure) : resolve())
    client.query(query)
  })
}

/** How to stop the statement that a connection is running. */
export function cancelMethods(client: PoolClient): ConstructorParameters<typeof BusyConnection>[0] {
  return {
    cancel: () => sendCancel(client),
    end: () => endConnection(client.connection, new Error('the statement could not be cancelled'))
  }
}

/**
 * Asks the server to stop what it does for a connection, over a socket that the server closes once it has sent its
 * process the signal: a process that is idle by then ignores it. Whether the statement ended is not reported.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html, canceling requests in progress
 */
async function sendCancel(client: PoolClient): Promise<void> {
  // Every client of the driver that is connected has them.
  const { host, port, processID, secretKey } = client as unknown as ServerProcess
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(length)
  for (const [at, part] of [length, cancelRequest, processID, secretKey].entries()) message.writeInt32BE(part, at * 4)
  const socket: Socket = host.startsWith('/') ? openSocket(`${host}/.s.PGSQL.${port}`) : openSocket(port, host)
  await new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve())
    socket.on('error', reject)
    socket.setTimeout(cancelTimeoutMs, () => socket.destroy(new Error('the server did not accept the cancel request')))
    // Reading is what notices that the server has closed it.
    socket.resume()
    socket.end(message)
  })
}
