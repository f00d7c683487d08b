import { listenToChannel } from './client/listen-to-channel.ts'
import { changeChannel } from './postgresql-change-log.ts'
import { cancelPolicy, type Connector, readSettings, type WithDefaults } from '@modelwire/core/connector'
import {
  type ConnectionPool,
  type ListedHost,
  type ServerAddress,
  openHosts,
  replicaHosts,
  serverAddresses,
  ServerSettingsSchema,
  SqlConnector,
  type TargetSession
} from '@modelwire/connector-sql'
import { type Static, Type } from '@sinclair/typebox'
import type { PoolConfig } from 'pg'
import { postgresqlDialect } from './postgresql-dialect.ts'
import { postgresqlFault } from './postgresql-fault.ts'
import { defaultSchema } from './schema-of.ts'
import { postgresqlLag } from './postgresql-lag.ts'
import { createPool } from './client/postgresql-pool.ts'
import { timestampZone } from './values/timestamp-zone.ts'
import { scriptResult } from './script-result.ts'

/** Settings of the PostgreSQL connector, with LoopBack's names. Others are ignored. */
export const PostgresqlSettingsSchema = Type.Composite([
  ServerSettingsSchema,
  Type.Object({
    schema: Type.Optional(
      Type.String({ default: defaultSchema, description: 'schema of tables whose model names none' })
    ),
    max: Type.Optional(
      Type.Integer({ minimum: 1, default: 10, unit: 'connections', description: 'connections at most' })
    ),
    distributed: Type.Optional(
      Type.Boolean({
        default: false,
        description: "an engine with PostgreSQL's protocol: nothing that only PostgreSQL has is asked of it"
      })
    ),
    min: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, unit: 'connections', description: 'connections that are kept when idle' })
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
        pattern: '^(local|Z|[+-]\\d\\d:\\d\\d)$',
        default: 'Z',
        description:
          'zone of times in columns that know none: Z for UTC, an offset, or local for that of the process, as LoopBack reads them'
      })
    ),
    preparedStatements: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'statements are prepared under names, once per connection; false: for poolers in transaction mode that do not keep prepared statements, such as PgBouncer before 1.21'
      })
    ),
    ssl: Type.Optional(
      Type.Unknown({ title: 'boolean or object', description: 'true, or options of a TLS connection' })
    )
  })
])

/** Settings of the PostgreSQL connector. */
export type PostgresqlSettings = Static<typeof PostgresqlSettingsSchema>
type ReadSettings = WithDefaults<typeof PostgresqlSettingsSchema>

/**
 * A connector to a PostgreSQL database.
 * @throws {InvalidOption} a setting has the wrong type, or a list of hosts is malformed
 */
export function postgresql(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const checked = readSettings(PostgresqlSettingsSchema, settings, 'PostgreSQL')
  const { like, distributed, preparedStatements, session = {} } = checked
  const addresses = serverAddresses(checked)
  const zone = timestampZone(checked.timestampZone)
  const use = { prepares: preparedStatements, session, cancels: cancelPolicy(checked.cancelAfter), zone }
  const dialect = postgresqlDialect({ likeAnywhere: like === 'part', distributed, zone })
  const openHost = ({ address }: ListedHost, more: Partial<ReadSettings>, wanted?: TargetSession): ConnectionPool =>
    createPool(poolConfig({ ...checked, ...more }, address), { ...use, wanted })
  const openWith = (more: Partial<ReadSettings>) => (): ConnectionPool =>
    openHosts(addresses, {
      fault: postgresqlFault,
      readsRows: true,
      open: (host, wanted, max) => openHost(host, max === undefined ? more : { ...more, max, min: 0 }, wanted)
    })
  const replicas = replicaHosts(checked, { lag: postgresqlLag, open: (host) => openHost(host, {}) })
  const [open, schema] = [openWith({}), checked.schema]
  const forMigration = openWith({ statementTimeout: 0, max: 1, min: 0 })
  const configs = addresses.hosts.map(({ address }) => clientConfig(checked, address))
  const listen = async (wake: () => void): Promise<() => Promise<void>> => listenToChannel(configs, changeChannel, wake)
  return new SqlConnector({ dialect, resultOf: scriptResult, open, forMigration, listen, replicas, schema }, settings)
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
