import { cancelPolicy, type Connector, readSettings, type WithDefaults } from '@modelwire/core/connector'
import {
  type ConnectionPool,
  type ListedHost,
  type ServerAddress,
  openHosts,
  replicaHosts,
  serverAddresses,
  ServerSettingsSchema,
  SqlConnector
} from '@modelwire/connector-sql'
import { type Static, Type } from '@sinclair/typebox'
import type { PoolOptions } from 'mysql2'
import { mysqlDialect } from './mysql-dialect.ts'
import { mysqlFault } from './mysql-fault.ts'
import { mysqlLag } from './mysql-lag.ts'
import { createPool } from './mysql-pool.ts'
import { sessionStatement } from './session-statement.ts'
import { timeZone } from './mysql-zone.ts'
import { scriptResult } from './script-result.ts'

/** Settings of the MySQL connector, with LoopBack's names. Others are ignored. */
export const MysqlSettingsSchema = Type.Composite([
  ServerSettingsSchema,
  Type.Object({
    connectionLimit: Type.Optional(
      Type.Integer({ minimum: 1, default: 10, unit: 'connections', description: 'connections at most' })
    ),
    socketPath: Type.Optional(Type.String({ description: 'Unix socket in place of host and port' })),
    charset: Type.Optional(Type.String({ default: 'utf8mb4', description: 'character set of the connection' })),
    timezone: Type.Optional(
      Type.String({
        pattern: '^(local|Z|[+-]\\d\\d:\\d\\d)$',
        default: 'Z',
        description:
          'zone in which dates are stored: Z for UTC, an offset, or local for that of the process, as LoopBack stores them'
      })
    ),
    ssl: Type.Optional(
      Type.Unknown({ title: 'object or string', description: 'options of a TLS connection, as mysql2 takes them' })
    )
  })
])

/** Settings of the MySQL connector. */
export type MysqlSettings = Static<typeof MysqlSettingsSchema>
type ReadSettings = WithDefaults<typeof MysqlSettingsSchema>

/**
 * A connector to a MySQL or MariaDB database.
 * @throws {InvalidOption} a setting has the wrong type, or a list of hosts is malformed
 */
export function mysql(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const checked = readSettings(MysqlSettingsSchema, settings, 'MySQL')
  const { connectTimeout, statementTimeout } = checked
  const cancels = cancelPolicy(checked.cancelAfter)
  const addresses = serverAddresses(checked)
  const zone = timeZone(checked.timezone)
  const openWith =
    (limit: number, more: Partial<ReadSettings> = {}) =>
    (): ConnectionPool => {
      const session = sessionStatement(zone, { ...more.session, ...checked.session })
      return openHosts(addresses, {
        fault: mysqlFault,
        readsRows: false,
        open: ({ address }, wanted, connections) => {
          const only = connections === undefined ? {} : { connectionLimit: connections }
          const options = poolOptions({ ...checked, ...more, ...only }, address)
          return createPool(options, { connectTimeout, statementTimeout: limit, cancels, session, wanted })
        }
      })
    }
  const openReplica = ({ address }: ListedHost): ConnectionPool => {
    const session = sessionStatement(zone, checked.session)
    const limits = { connectTimeout, statementTimeout, cancels, session, wanted: undefined }
    return createPool(poolOptions(checked, address), limits)
  }
  const open = openWith(statementTimeout)
  // A user of a table that a step changes would block all others behind the step.
  const forMigration = openWith(0, { connectionLimit: 1, session: { lock_wait_timeout: 2 } })
  const replicas = replicaHosts(checked, { lag: mysqlLag, open: openReplica })
  const dialect = mysqlDialect(checked.like === 'part', zone)
  return new SqlConnector(
    { dialect, resultOf: scriptResult, open, forMigration, replicas, schema: undefined },
    settings
  )
}

function poolOptions(settings: ReadSettings, { url, ...server }: ServerAddress): PoolOptions {
  const { ssl, connectionLimit, socketPath, charset } = settings
  return {
    ...(url === undefined ? server : { uri: url }),
    ...(socketPath !== undefined && { socketPath }),
    // What the schema leaves open goes to the driver, which knows what TLS needs.
    ...(ssl !== undefined && { ssl: ssl as NonNullable<PoolOptions['ssl']> }),
    connectionLimit,
    charset,
    // The dialect reads them: the driver takes the first years for those of this century.
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    enableKeepAlive: true,
    // Objects never become parts of a statement.
    stringifyObjects: true
  }
}
