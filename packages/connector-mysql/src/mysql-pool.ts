import { connect, type Socket } from 'node:net'
import {
  type ConnectionPool,
  createOpenSockets,
  type Statement,
  type TargetSession,
  unsuitableHost,
  sessionMismatch,
  type Connection
} from '@modelwire/connector-sql'
import type { CancelPolicy } from '@modelwire/core/connector'
import mysql from 'mysql2'
import { endConnection, MysqlConnection } from './mysql-connection.ts'

/** Galera's own facts, which a server without it has, too. MySQL has none of them. */
const galera = "show global status where variable_name in ('wsrep_ready', 'wsrep_local_state')"

const settings = "show global variables where variable_name in ('wsrep_on', 'read_only')"

/** The value of `wsrep_local_state` for a node that takes part in everything. */
const synced = '4'

const isOn = (value: string | undefined): boolean => value !== undefined && /^(?:on|1)$/i.test(value)

/** The pool options in addition to the driver's own. */
export interface PoolLimits {
  /** Milliseconds that a connection may take to open, to become free, or to close; 0: no limit. */
  readonly connectTimeout: number
  /** Milliseconds that a statement may take; 0: no limit. */
  readonly statementTimeout: number
  /** When statements of disconnected callers are cancelled. */
  readonly cancels: CancelPolicy
  /** The first statement of each connection. */
  readonly session: Statement
  /** The required state of each connection's host; undefined: not checked. */
  readonly wanted: TargetSession | undefined
}

/** Makes a pool with time limits for waiting for a connection and for statements. */
export function createPool(
  options: mysql.PoolOptions,
  { connectTimeout, statementTimeout, cancels, session, wanted }: PoolLimits
): ConnectionPool {
  const sockets = createOpenSockets()
  const stream = ({ config }: { config: Server }): Socket => sockets.add(openSocket(config))
  const pool = mysql.createPool({ ...options, stream, ...(connectTimeout > 0 && { connectTimeout }) })
  // A connection that breaks leaves the pool with its first error; another one would end the process.
  pool.on('connection', (connection) => connection.on('error', () => {}))
  const begin = createBegin(session, wanted)
  const { connectionLimit: _limit, ...server } = options
  const limits = { timeout: statementTimeout, cancels, server }
  // A connection that breaks while it is closed is closed.
  const endPool = async (): Promise<void> => new Promise((resolve) => pool.end(() => resolve()))
  const counted = countConnections(sockets.count, async () => {
    return new MysqlConnection(await takeConnection({ pool, begin, connectTimeout }), limits)
  })
  return {
    ...counted,
    end: async () => sockets.close(endPool, connectTimeout)
  }
}

/** Where the driver connects to, according to its own parsing of the options. */
interface Server {
  readonly host: string
  readonly port: number
  readonly socketPath?: string
}

/** As the driver would open it. */
function openSocket({ host, port, socketPath }: Server): Socket {
  return socketPath ? connect(socketPath) : connect({ host, port, keepAlive: true, noDelay: true })
}

type Begin = (connection: mysql.PoolConnection, begun: (failure: Error | null) => void) => void

/** Makes the function that runs the first statement of a new connection; one that fails there is discarded. */
function createBegin({ sql, parameters }: Statement, wanted: TargetSession | undefined): Begin {
  const begun = new WeakSet<object>()
  return (connection, done) => {
    // The pool returns one object per connection.
    if (begun.has(connection)) return done(null)
    const finish = (failure: Error | null): void => {
      if (failure === null) begun.add(connection)
      else endConnection(connection)
      done(failure)
    }
    connection.query({ sql, values: [...parameters] }, (failure) => {
      if (failure === null) checkTarget(wanted, connection, finish)
      else finish(failure)
    })
  }
}

interface Taking {
  readonly pool: mysql.Pool
  readonly begin: Begin
  readonly connectTimeout: number
}

/** A connection of the pool; one that comes too late goes back. */
async function takeConnection({ pool, begin, connectTimeout }: Taking): Promise<mysql.PoolConnection> {
  return new Promise((resolve, reject) => {
    let isOver = false
    const giveUp = (): void => {
      isOver = true
      reject(poolExhausted())
    }
    const timer = connectTimeout > 0 ? setTimeout(giveUp, connectTimeout) : undefined
    const finish = (failure: Error | null, connection: mysql.PoolConnection): void => {
      clearTimeout(timer)
      if (failure !== null) reject(failure)
      else if (isOver) connection.release()
      else resolve(connection)
    }
    pool.getConnection((error, connection) => {
      if (error) finish(error, connection)
      else begin(connection, (failure) => finish(failure, connection))
    })
  })
}

function poolExhausted(): Error {
  return Object.assign(new Error('no connection became available in time'), { code: 'POOL_EXHAUSTED' })
}

/**
 * Checks that a new connection leads to a host that is what it has to be, and to a node that its Galera cluster counts on.
 * A read-only host counts as a standby. `done` gets an error for an unsuitable host, or the server's.
 * @see https://galeracluster.com/library/documentation/galera-status-variables.html, wsrep_local_state
 */
function checkTarget(
  wanted: TargetSession | undefined,
  connection: mysql.PoolConnection,
  done: (failure: Error | null) => void
): void {
  if (wanted === undefined) return done(null)
  ask(connection, settings, done, (own) => {
    const isReadOnly = isOn(own.get('read_only'))
    const reason = sessionMismatch(wanted, { isReadOnly, isStandby: isReadOnly })
    if (reason !== undefined) return done(unsuitableHost(reason))
    if (!isOn(own.get('wsrep_on'))) return done(null)
    ask(connection, galera, done, (node) => {
      const isReady = isOn(node.get('wsrep_ready')) && node.get('wsrep_local_state') === synced
      done(isReady ? null : unsuitableHost('the node is not in sync with its cluster'))
    })
  })
}

function ask(
  connection: mysql.PoolConnection,
  statement: string,
  fail: (failure: Error) => void,
  use: (values: ReadonlyMap<string, string>) => void
): void {
  connection.query({ sql: statement, rowsAsArray: true }, (failure, rows) => {
    if (failure !== null) return fail(failure)
    // Two columns of text, as the driver is told to give them.
    use(new Map(rows as unknown as readonly [string, string][]))
  })
}

/**
 * Counts what the driver does not tell of its pool: who waits for a connection, and which ones are in use.
 * @param opened how many are open, in use or not
 */
function countConnections(
  opened: () => number,
  take: () => Promise<MysqlConnection>
): Required<Pick<ConnectionPool, 'connect' | 'state'>> {
  let [used, waiting] = [0, 0]
  return {
    connect: async () => {
      waiting++
      try {
        const connection = await take()
        used++
        const release: Connection['release'] = (isBroken) => {
          used--
          connection.release(isBroken)
        }
        return {
          run: (statement) => connection.run(statement),
          readParts: (statement) => connection.readParts(statement),
          release
        }
      } finally {
        waiting--
      }
    },
    state: () => ({ open: opened(), idle: Math.max(0, opened() - used), waiting })
  }
}
