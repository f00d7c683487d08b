import type { Connector } from '@modelwire/core'
import { readSettings, SqlConnector, SqlSettingsSchema } from '@modelwire/connector-sql'
import { Type, type Static } from '@sinclair/typebox'
import LibSql from 'libsql'
import { sqliteDialect } from './sqlite-dialect.ts'
import { sqliteDriver } from './sqlite-driver.ts'

/** Settings of the SQLite connector, with LoopBack's names. Others are ignored. */
export const SqliteSettingsSchema = Type.Composite([
  SqlSettingsSchema,
  Type.Object({
    file: Type.Optional(Type.String({ description: 'path of the file, or :memory:' })),
    url: Type.Optional(Type.String({ description: 'the same, in the place where other databases have it' })),
    database: Type.Optional(Type.String()),
    busyTimeout: Type.Optional(
      Type.Integer({ minimum: 0, description: 'milliseconds to wait for another process that writes; 5000 by default' })
    )
  })
])

/** Settings of the SQLite connector. */
export type SqliteSettings = Static<typeof SqliteSettingsSchema>

/**
 * A connector to an SQLite file; without one, to a database in memory that ends with the connector.
 * @throws {InvalidOption} a setting has the wrong type
 */
export function sqlite(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const known = readSettings(SqliteSettingsSchema, settings, 'SQLite')
  const dialect = sqliteDialect(known.like === 'part')
  return new SqlConnector({ dialect, kysely: () => sqliteDriver(() => open(known)), schema: undefined }, settings)
}

/** LB3: the file is named by `file`, or else in a place where other databases have their name. */
function open({ file, url, database, busyTimeout = 5000 }: SqliteSettings): LibSql.Database {
  const path = file ?? url?.replace(/^(?:sqlite3?|file):(?:\/\/)?/, '') ?? database ?? ':memory:'
  const opened = new LibSql(path)
  opened.exec(`pragma busy_timeout = ${busyTimeout}`)
  // Readers in other processes do not wait for a writer, nor it for them.
  opened.exec('pragma journal_mode = wal')
  opened.exec('pragma foreign_keys = on')
  return opened
}
