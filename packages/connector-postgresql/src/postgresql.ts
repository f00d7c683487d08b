import { changeChannel } from './postgresql-change-log.ts'
import { cancelPolicy, type Connector, readSettings } from '@modelwire/core/connector'
import type { WithDefaults } from '@modelwire/server'
import {
  type ServerAddress,
  openServers,
  serverAddresses,
  ServerSettingsSchema,
  SqlConnector,
  type LagDialect,
  sql,
  type StatementResult,
  createOpenSockets,
  zoneOf,
  connectionsSetting,
  zoneOptions
} from '@modelwire/connector-sql'
import { type Static, Type } from '@sinclair/typebox'
import { type PoolConfig, Client, type ClientConfig } from 'pg'
import { postgresqlDialect } from './postgresql-dialect.ts'
import { postgresqlFault } from './postgresql-fault.ts'
import { defaultSchema } from './postgresql-schema.ts'
import { createPool } from './client/postgresql-pool.ts'
import { Socket } from 'node:net'

/** Milliseconds until a connection that was lost is opened again. */
const pause = 1000

/** Milliseconds that a connection gets to be closed in good order. */
const closeTime = 1000

/** Closes the connection; resolves when it is closed. */
type EndListening = () => Promise<void>

/** Updates and deletions, also those that follow a `with`. */
const changes = /^\s*(?:update|delete|with(?![^]*\binsert\s+into\b))\b/i

/**
 * How far the standbys of PostgreSQL are: by positions in its log, which any user may ask for. The time of the last
 * transaction that was copied would tell nothing where none came, or where the way to the primary is cut.
 * @see https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-RECOVERY-CONTROL
 */
const postgresqlLag: LagDialect = {
  position: sql`select pg_current_wal_lsn()::text as position`,
  state: sql`select pg_last_wal_replay_lsn()::text as position, pg_is_in_recovery()::int as copies`,
  hasReached: (position, wanted) => readPosition(position) >= readPosition(wanted)
}

/** Settings of the PostgreSQL connector, with LoopBack's names. Others are ignored. */
export const PostgresqlSettingsSchema = Type.Composite([
  ServerSettingsSchema,
  Type.Object({
    schema: Type.Optional(
      Type.String({ default: defaultSchema, description: 'schema of tables whose model does not name one' })
    ),
    max: connectionsSetting,
    distributed: Type.Optional(
      Type.Boolean({
        default: false,
        description: "an engine that speaks PostgreSQL's protocol: features specific to PostgreSQL are not used"
      })
    ),
    min: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, unit: 'connections', description: 'idle connections to keep open' })
    ),
    idleTimeoutMillis: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 10_000,
        unit: 'ms',
        description: 'milliseconds after which an idle connection is closed; 0: never'
      })
    ),
    timestampZone: Type.Optional(
      Type.String({
        ...zoneOptions,
        description:
          'time zone of columns without one: Z for UTC, an offset, or local for that of the process, as in LoopBack'
      })
    ),
    preparedStatements: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'use named prepared statements, prepared once per connection; false: for poolers in transaction mode that do not support them, such as PgBouncer before 1.21'
      })
    ),
    ssl: Type.Optional(Type.Unknown({ title: 'boolean or object', description: 'true, or TLS options' }))
  })
])

/** Settings of the PostgreSQL connector. */
export type PostgresqlSettings = Static<typeof PostgresqlSettingsSchema>
type ReadSettings = WithDefaults<typeof PostgresqlSettingsSchema>

/**
 * Makes a connector to a PostgreSQL database.
 * @throws {InvalidOption} a setting has the wrong type, or a list of hosts is malformed
 */
export function postgresql(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const checked = readSettings(PostgresqlSettingsSchema, settings, 'PostgreSQL')
  const { distributed, preparedStatements, session = {}, schema } = checked
  const zone = zoneOf(checked.timestampZone)
  const use = { prepares: preparedStatements, session, cancels: cancelPolicy(checked.cancelAfter), zone }
  const dialect = postgresqlDialect({ distributed, zone })
  const servers = openServers(checked, {
    fault: postgresqlFault,
    lag: postgresqlLag,
    open: (address, { wanted, connections, migrates }) => {
      const only = connections === undefined ? {} : { max: connections, min: 0 }
      const limits = migrates ? { statementTimeout: 0 } : {}
      return createPool(poolConfig({ ...checked, ...only, ...limits }, address), { ...use, wanted })
    }
  })
  const configs = serverAddresses(checked).hosts.map(({ address }) => clientConfig(checked, address))
  const listen = async (wake: () => void): Promise<() => Promise<void>> => listenToChannel(configs, changeChannel, wake)
  const parts = { atOnce: Math.floor(checked.max / 2), timeout: checked.statementTimeout }
  return new SqlConnector({ dialect, resultOf: scriptResult, ...servers, listen, parts, schema }, settings)
}

/** How one connection is opened. */
function clientConfig({ ssl, connectTimeout }: ReadSettings, { url, ...server }: ServerAddress): PoolConfig {
  return {
    ...(url === undefined ? server : { connectionString: url }),
    // What the schema leaves open goes to the driver, which knows what TLS needs.
    ...(ssl !== undefined && { ssl: ssl as NonNullable<PoolConfig['ssl']> }),
    connectionTimeoutMillis: connectTimeout
  }
}

function poolConfig(settings: ReadSettings, address: ServerAddress): PoolConfig {
  const { max, min, idleTimeoutMillis, statementTimeout } = settings
  return {
    ...clientConfig(settings, address),
    max,
    min,
    idleTimeoutMillis,
    keepAlive: true,
    ...timeouts(statementTimeout)
  }
}

/** The server ends the statement; should it be gone, the driver does soon after. */
function timeouts(statementTimeout: number): PoolConfig {
  return statementTimeout === 0 ? {} : { statement_timeout: statementTimeout, query_timeout: statementTimeout + 1000 }
}

/** `16/B374D848`: two numbers of 32 bits. -1 for anything else. */
function readPosition(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? -1n : BigInt(`0x${high}`) * 0x1_0000_0000n + BigInt(`0x${low}`)
}

/**
 * Rows; of an update or a deletion how many there were, and the rows that it returns.
 * @see LoopBack 3, loopback-connector-postgresql, lib/postgresql.js, executeSQL
 */
function scriptResult(statement: string, { rows, numAffectedRows }: StatementResult): unknown {
  if (numAffectedRows === undefined || !changes.test(statement)) return rows
  const count = Number(numAffectedRows)
  return { affectedRows: count, count, rows }
}

/**
 * Calls `wake` for each notification on a channel, on a connection of its own, until the returned function is called. A connection that
 * is lost is opened again, to the next of the hosts where there are several; `wake` is called then, too, since notifications may have been missed.
 * @param channel a name that needs no quotes
 */
function listenToChannel(configs: readonly ClientConfig[], channel: string, wake: () => void): EndListening {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let attempts = 0
  const sockets = createOpenSockets()
  const stream = (): Socket => sockets.add(new Socket())
  const open = async (): Promise<void> => {
    // A standby notifies nobody: it refuses to listen.
    const opened = new Client({ ...configs[attempts++ % configs.length], keepAlive: true, stream })
    client = opened
    // Each of these may come, or several.
    let isLost = false
    const lose = (): void => {
      if (isLost || isOver) return
      isLost = true
      void Promise.allSettled([opened.end()])
      timer = setTimeout(() => void open(), pause).unref()
    }
    opened.on('error', lose)
    opened.on('end', lose)
    opened.on('notification', wake)
    try {
      await opened.connect()
      await opened.query(`listen ${channel}`)
      wake()
    } catch {
      // The statements of the data source meet the same server, and report what is wrong with it.
      lose()
    }
  }
  void open()
  return async () => {
    isOver = true
    clearTimeout(timer)
    await sockets.close(async () => void (await Promise.allSettled([client?.end()])), closeTime)
  }
}
