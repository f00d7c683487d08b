import { Socket } from 'node:net'
import { createOpenSockets, type DirectRunner, type Statement, type StatementResult } from '@modelwire/connector-sql'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { isOutdated } from './postgresql-fault.ts'
import { type Prepared, PreparedQuery } from './prepared-query.ts'
import { createPreparedStatements, type PreparedStatements } from './prepared-statements.ts'
import { driverTypes } from './read-column.ts'
import { type ConnectionUse, shareConnections } from './share-connections.ts'

/** A pool of connections: transactions take one through kysely, a statement of its own takes any. */
export interface OpenPool {
  readonly pool: PostgresPool
  readonly direct: DirectRunner
}

/**
 * A pool of connections in which statements are prepared under a name: the server plans each of them once. Its end waits
 * no longer than a connection may take to open.
 */
export function createPool(config: PoolConfig): OpenPool {
  const sockets = createOpenSockets()
  const pool = new Pool({ ...config, types: driverTypes, pipeline: true, stream: () => sockets.add(new Socket()) })
  // A connection that breaks while nobody uses it leaves the pool; whoever comes next gets another one.
  pool.on('error', () => {})
  // One that breaks in the hands of somebody fails his statements; the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const prepared = new WeakMap<PoolClient, PreparedStatements>()
  const statementsOf: StatementsOf = (client) => {
    const known = prepared.get(client) ?? createPreparedStatements()
    prepared.set(client, known)
    return known
  }
  let ending: Promise<void> | undefined
  const end = async (): Promise<void> =>
    (ending ??= sockets.close(async () => pool.end(), config.connectionTimeoutMillis ?? 0))
  return {
    pool: {
      connect: async () => {
        const client = await pool.connect()
        return nameStatements(client, statementsOf(client))
      },
      end
    },
    direct: { ...runDirectly(pool, statementsOf), close: end }
  }
}

type StatementsOf = (client: PoolClient) => PreparedStatements

/** Statements on whichever connection is free. */
function runDirectly(pool: Pool, statementsOf: StatementsOf): DirectRunner {
  const share = shareConnections(pool)
  const onOwnClient = ({ run, fail }: ConnectionUse): void =>
    pool.connect((error, client, release) => {
      if (client === undefined) fail(error ?? new Error('the pool gives no connection'))
      else run(client, release)
    })
  const onAnyClient = ({ sql, parameters, isLookup }: Statement): Promise<PreparedQuery> =>
    new Promise((resolve, reject) => {
      const values = parameters.map((value) => prepareValue(value))
      const run: ConnectionUse['run'] = (client, done) => {
        const query = new PreparedQuery(statementsOf(client)(sql) ?? unnamed(sql), values)
        query.callback = (failure) => {
          done(failure && isBroken(failure) ? failure : undefined)
          if (failure) reject(failure)
          else resolve(query)
        }
        client.query(query)
      }
      if (isLookup === true) share({ run, fail: reject })
      else onOwnClient({ run, fail: reject })
    })
  return {
    run: async (statement) => toResult(await onAnyClient(statement)),
    read: async (statement, columns) => (await onAnyClient(statement)).rowsOf(columns)
  }
}

/** A statement that the server forgets when it has run. */
function unnamed(text: string): Prepared {
  return { name: '', text, fields: undefined, isDescribed: false, reading: undefined }
}

function toResult(query: PreparedQuery): StatementResult {
  const { command, rowCount } = query.outcome()
  const numAffectedRows = command === 'SELECT' ? undefined : BigInt(rowCount)
  return { rows: query.namedRows(), numAffectedRows }
}

/** The connection of a transaction, for kysely. */
function nameStatements(client: PoolClient, statements: PreparedStatements): PostgresPoolClient {
  let failed: Error | undefined
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    // Whatever came next would wait behind the statement that was not answered.
    if (failed !== undefined) throw failed
    const prepared = statements(text)
    try {
      return await (prepared === undefined
        ? client.query({ text, values: [...values] })
        : runPrepared(client, prepared, values))
    } catch (error) {
      if (error instanceof Error && isBroken(error)) failed = error
      throw error
    }
  }
  // Kysely asks for results with the fields that the driver gives them.
  return { query, release: () => client.release(failed) } as PostgresPoolClient
}

async function runPrepared(client: PoolClient, prepared: Prepared, values: readonly unknown[]): Promise<object> {
  const query = new PreparedQuery(
    prepared,
    values.map((value) => prepareValue(value))
  )
  await new Promise<void>((resolve, reject) => {
    query.callback = (failure) => (failure ? reject(failure) : resolve())
    client.query(query)
  })
  return { ...query.outcome(), rows: query.namedRows() }
}

/**
 * After an error that is not the server's nobody knows what the connection is doing; the server ends it with errors of
 * some classes. One with statements that were prepared before their tables changed is of no use either.
 */
function isBroken(error: Error): boolean {
  return !(error instanceof DatabaseError) || isOutdated(error) || /^(?:08|57P|25P0[34])/.test(error.code ?? '')
}
