import { constants } from 'node:buffer'
import { type Connector, readSettings } from '@modelwire/core/connector'
import type { WithDefaults } from '@modelwire/server'
import { SqlConnector, SqlSettingsSchema, type StatementResult } from '@modelwire/connector-sql'
import { type Static, Type } from '@sinclair/typebox'
import LibSql from 'libsql'
import { sqliteDialect } from './sqlite-dialect.ts'
import { createPool, type SqliteFile } from './sqlite-pool.ts'

/** Settings of the SQLite connector, with LoopBack's names. Others are ignored. */
export const SqliteSettingsSchema = Type.Composite([
  SqlSettingsSchema,
  Type.Object({
    file: Type.Optional(
      Type.String({
        description:
          'path of the file, relative to the working directory; `:memory:` if `url` and `database` are absent, too'
      })
    ),
    url: Type.Optional(
      Type.String({ description: 'alias, used if file is absent; may start with sqlite:, sqlite3: or file:' })
    ),
    database: Type.Optional(Type.String({ description: 'alias, used if neither file nor url is set' })),
    busyTimeout: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 5000,
        unit: 'ms',
        description: 'milliseconds to wait for another process that is writing'
      })
    ),
    connectTimeout: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 10_000,
        unit: 'ms',
        description: 'milliseconds to wait for a transaction of the same process; 0: no limit'
      })
    )
  })
])

/** Settings of the SQLite connector. */
export type SqliteSettings = Static<typeof SqliteSettingsSchema>
type ReadSettings = WithDefaults<typeof SqliteSettingsSchema>

/**
 * Makes a connector to an SQLite file; without one, to a database in memory that ends with the connector.
 * @throws {InvalidOption} a setting has the wrong type
 */
export function sqlite(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const checked = readSettings(SqliteSettingsSchema, settings, 'SQLite')
  return new SqlConnector(
    { dialect: sqliteDialect, resultOf: scriptResult, open: () => createPool(fileOf(checked)), schema: undefined },
    settings
  )
}

/** LB3: the file is named by `file`, or else in a place where other databases have their name. */
function fileOf({ file, url, database, busyTimeout, connectTimeout }: ReadSettings): SqliteFile {
  // Generated files have empty settings, which are ignored.
  const path = file || url?.replace(/^(?:sqlite3?|file):(?:\/\/)?/, '') || database || inMemory
  if (path === inMemory)
    return { openWriter: () => openFile(path, writerPragmas), openReader: undefined, busyTimeout, connectTimeout }
  const openWriter = (): LibSql.Database => openFile(path, [...writerPragmas, heapLimit])
  const openReader = (): LibSql.Database => openFile(path, [...readerPragmas, heapLimit])
  return { openWriter, openReader, busyTimeout, connectTimeout }
}

const inMemory = ':memory:'
// Readers do not wait for a writer, nor it for them.
const writerPragmas = ['journal_mode = wal', 'foreign_keys = on']
const readerPragmas = ['query_only = on']
/**
 * libsql ends the process when it is to pass on a text that is longer than texts can be: what SQLite itself cannot hold
 * is an error instead. A database in memory lies there as a whole, and may be larger.
 */
const heapLimit = `hard_heap_limit = ${constants.MAX_STRING_LENGTH}`

/** Never waits for a lock itself: that would stop the process. */
function openFile(path: string, pragmas: readonly string[]): LibSql.Database {
  const opened = new LibSql(path)
  try {
    for (const pragma of ['busy_timeout = 0', ...pragmas]) opened.exec(`pragma ${pragma}`)
    return opened
  } catch (error) {
    opened.close()
    throw error
  }
}

/** Rows; of a statement that gives none how many it changed, and the id of the last row that was inserted. */
function scriptResult(_statement: string, { rows, numAffectedRows, insertId }: StatementResult): unknown {
  if (numAffectedRows === undefined || rows.length > 0) return rows
  const count = Number(numAffectedRows)
  return { affectedRows: count, count, ...(insertId !== undefined && { insertId: Number(insertId) }) }
}
