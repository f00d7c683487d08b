import { cancelPolicy, type Connector, readSettings } from '@modelwire/core/connector'
import type { WithDefaults } from '@modelwire/server'
import {
  type ServerAddress,
  openServers,
  ServerSettingsSchema,
  SqlConnector,
  type LagDialect,
  sql,
  type StatementResult,
  type ServerSettings,
  writeStatement,
  type Statement,
  connectionsSetting,
  zoneOptions
} from '@modelwire/connector-sql'
import { type Static, Type } from '@sinclair/typebox'
import type { PoolOptions } from 'mysql2'
import { mysqlDialect, quoteName } from './mysql-dialect.ts'
import { mysqlFault } from './mysql-fault.ts'
import { createPool } from './mysql-pool.ts'
import { timeZone, type TimeZone } from './mysql-zone.ts'

/**
 * How far the replicas of MariaDB are: by the numbers of transactions, which any user may ask for. The primary needs its
 * binary log. MySQL counts in another way: there replicas are not found to be current.
 * @see https://mariadb.com/docs/server/ha-and-performance/standard-replication/gtid
 */
const mysqlLag: LagDialect = {
  position: sql`select @@global.gtid_binlog_pos as position`,
  state: sql`select @@global.gtid_slave_pos as position, @@global.gtid_slave_pos <> '' as copies`,
  hasReached: (position, wanted) => {
    const reached = readPosition(position)
    return [...readPosition(wanted)].every(([domain, number]) => (reached.get(domain) ?? -1n) >= number)
  }
}

/** Settings of the MySQL connector, with LoopBack's names. Others are ignored. */
export const MysqlSettingsSchema = Type.Composite([
  ServerSettingsSchema,
  Type.Object({
    connectionLimit: connectionsSetting,
    socketPath: Type.Optional(Type.String({ description: 'Unix socket, instead of host and port' })),
    charset: Type.Optional(Type.String({ default: 'utf8mb4', description: 'character set of the connection' })),
    timezone: Type.Optional(
      Type.String({
        ...zoneOptions,
        description:
          'time zone in which dates are stored: Z for UTC, an offset, or local for that of the process, as in LoopBack'
      })
    ),
    ssl: Type.Optional(Type.Unknown({ title: 'object or string', description: 'TLS options, as in mysql2' }))
  })
])

/** Settings of the MySQL connector. */
export type MysqlSettings = Static<typeof MysqlSettingsSchema>
type ReadSettings = WithDefaults<typeof MysqlSettingsSchema>

/**
 * Makes a connector to a MySQL or MariaDB database.
 * @throws {InvalidOption} a setting has the wrong type, or a list of hosts is malformed
 */
export function mysql(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const checked = readSettings(MysqlSettingsSchema, settings, 'MySQL')
  const { connectTimeout, statementTimeout } = checked
  const cancels = cancelPolicy(checked.cancelAfter)
  const zone = timeZone(checked.timezone)
  const servers = openServers(checked, {
    fault: mysqlFault,
    lag: mysqlLag,
    open: (address, { wanted, connections: connectionLimit = checked.connectionLimit, migrates }) => {
      // A user of a table that a step changes would block all others behind the step.
      const session = sessionStatement(zone, { ...(migrates && { lock_wait_timeout: 2 }), ...checked.session })
      const limits = { connectTimeout, statementTimeout: migrates ? 0 : statementTimeout, cancels, session, wanted }
      return createPool(poolOptions({ ...checked, connectionLimit }, address), limits)
    }
  })
  const dialect = mysqlDialect(zone)
  const parts = { atOnce: Math.floor(checked.connectionLimit / 2), timeout: statementTimeout }
  return new SqlConnector({ dialect, resultOf: scriptResult, ...servers, parts, schema: undefined }, settings)
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

/** `0-1-27,1-4-12`: domain, server and number of the last transaction of each domain. */
function readPosition(text: string): ReadonlyMap<string, bigint> {
  const parts = text.split(',').map((part) => /^\s*(\d+)-\d+-(\d+)\s*$/.exec(part))
  return new Map(parts.map((part) => [part?.[1] ?? 'unreadable', BigInt(part?.[2] ?? 0)]))
}

/**
 * Rows; of a statement without rows the driver's result, and `count`.
 * @see LoopBack 3, loopback-connector-mysql, lib/mysql.js, executeSQL, which passes on the answer of the driver
 */
function scriptResult(_statement: string, result: StatementResult): unknown {
  const { rows, numAffectedRows, numChangedRows = 0n, insertId = 0n } = result
  if (numAffectedRows === undefined) return rows
  const count = Number(numAffectedRows)
  return { affectedRows: count, changedRows: Number(numChangedRows), insertId: Number(insertId), count }
}

/**
 * The first statement of each connection: the zone of its times, that values which do not fit are an error wherever the
 * server would cut them, and the settings of the data source. It is one statement, since each costs a round trip.
 */
function sessionStatement({ session: zone }: TimeZone, settings: ServerSettings['session'] = {}): Statement {
  const strict = sql`sql_mode = concat(@@sql_mode, ',STRICT_ALL_TABLES')`
  const own = Object.entries(settings).map(([name, value]) => sql`session ${sql.id(name)} = ${value}`)
  const parts = [strict, ...(zone === undefined ? [] : [sql`time_zone = ${zone}`]), ...own]
  return writeStatement({ quote: quoteName, placeholder: () => '?' }, sql`set ${sql.join(parts)}`)
}
