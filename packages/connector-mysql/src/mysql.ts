import type { Connector } from '@modelwire/core'
import {
  type OpenDatabase,
  defaultConnectTimeout,
  defaultStatementTimeout,
  readSettings,
  ServerSettingsSchema,
  SqlConnector
} from '@modelwire/connector-sql'
import { Type, type Static } from '@sinclair/typebox'
import { MysqlDialect } from 'kysely'
import type { PoolOptions } from 'mysql2'
import { mysqlDialect } from './mysql-dialect.ts'
import { createPool } from './mysql-pool.ts'

/** Settings of the MySQL connector, with LoopBack's names. Others are ignored. */
export const MysqlSettingsSchema = Type.Composite([
  ServerSettingsSchema,
  Type.Object({
    connectionLimit: Type.Optional(
      Type.Integer({ minimum: 1, default: 10, unit: 'connections', description: 'connections at most' })
    ),
    socketPath: Type.Optional(Type.String({ description: 'Unix socket in place of host and port' })),
    charset: Type.Optional(Type.String({ default: 'utf8mb4', description: 'character set of the connection' })),
    timezone: Type.Optional(Type.String({ default: 'local', description: 'zone in which dates are stored' })),
    ssl: Type.Optional(
      Type.Unknown({ title: 'object or string', description: 'options of a TLS connection, as mysql2 takes them' })
    )
  })
])

/** Settings of the MySQL connector. */
export type MysqlSettings = Static<typeof MysqlSettingsSchema>

/**
 * A connector to a MySQL or MariaDB database.
 * @throws {InvalidOption} a setting has the wrong type
 */
export function mysql(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const known = readSettings(MysqlSettingsSchema, settings, 'MySQL')
  const { connectTimeout = defaultConnectTimeout, statementTimeout = defaultStatementTimeout } = known
  const openWith = (more: Partial<MysqlSettings>, limit: number) => (): OpenDatabase => ({
    kysely: new MysqlDialect({
      pool: async () => createPool(poolOptions({ ...known, ...more }), { connectTimeout, statementTimeout: limit })
    })
  })
  const open = openWith({}, statementTimeout)
  const forMigration = openWith({ connectionLimit: 1 }, 0)
  const dialect = mysqlDialect(known.like === 'part')
  return new SqlConnector({ dialect, open, forMigration, schema: undefined }, settings)
}

function poolOptions(settings: MysqlSettings): PoolOptions {
  const { url, ssl, connectionLimit = 10, socketPath, charset = 'utf8mb4', timezone = 'local' } = settings
  return {
    ...(url === undefined ? serverOf(settings) : { uri: url }),
    ...(socketPath !== undefined && { socketPath }),
    // What the schema leaves open goes to the driver, which knows what TLS needs.
    ...(ssl !== undefined && { ssl: ssl as NonNullable<PoolOptions['ssl']> }),
    connectionLimit,
    charset,
    timezone,
    jsonStrings: true,
    supportBigNumbers: true,
    enableKeepAlive: true,
    // Objects never become parts of a statement.
    stringifyObjects: true
  }
}

function serverOf({ host, hostname, port, user, username, password, database }: MysqlSettings): PoolOptions {
  const name = user ?? username
  return {
    host: host ?? hostname ?? 'localhost',
    ...(port !== undefined && { port: Number(port) }),
    ...(name !== undefined && { user: name }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database })
  }
}
