import { whyNoRealServer } from '@modelwire/connector-tests/mongodb'
import { createTestDatabase as createMysqlDatabase } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresqlDatabase } from '@modelwire/connector-tests/postgresql'
import { readFileSync } from 'node:fs'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { Client } from 'pg'
import { objectIdText } from './bench-data.ts'
import { childrenOf, parentOf, programOf } from './process-cpu.ts'
import type { MongodbMessage } from './servers/mongodb-child.ts'
import { spawnChild } from './spawn-child.ts'

/** A database that one server has to itself. */
export interface OpenDatabase {
  readonly url: string
  /** Name and version of the server. */
  readonly version: string
  /** The processes that run now of the server that it is on; none where they cannot be seen from here. */
  readonly pids: () => readonly number[]
  readonly drop: () => Promise<void>
}

/** A place for records that is none of the processes of the servers. */
export interface BenchDatabase {
  /** Records are rows of tables, of which there are several kinds; a hand-written server can let it write JSON. */
  readonly hasTables: boolean
  /** Makes a database for that many products. */
  readonly create: (rows: number) => Promise<OpenDatabase>
  /** The id of the product that was made as the first, second, … one. */
  readonly idOf: (at: number) => string
  /** How many products there are where the command line does not say. */
  readonly rows: () => number
  /** Which server it is, and what has to be known of it. */
  readonly describe: () => string
}

/** For whatever is as quick as it should be. */
export const usualRows = 10_000

/** With more the process of the database takes all of the time, and little of it is left for the servers that are measured. */
const rowsOfTestServer = 120

/** All databases, by the name of `--database`. */
export const databases = {
  postgresql: {
    hasTables: true,
    create: createPostgresql,
    idOf: String,
    rows: () => usualRows,
    describe: () => 'PostgreSQL'
  },
  mysql: {
    hasTables: true,
    create: createMysql,
    idOf: String,
    rows: () => usualRows,
    describe: () => 'MySQL or MariaDB'
  },
  mongodb: {
    hasTables: false,
    create: spawnMongodb,
    idOf: objectIdText,
    rows: () => (whyNoRealServer() === false ? usualRows : rowsOfTestServer),
    describe: () =>
      whyNoRealServer() === false
        ? 'MongoDB at MODELWIRE_MONGODB_URL'
        : 'CongoServer, the MongoDB server of the tests, which looks at every document: hence few records'
  }
} as const satisfies Readonly<Record<string, BenchDatabase>>

/** The name of a database. */
export type DatabaseName = keyof typeof databases

/** The databases whose records are rows of tables. */
export type SqlDatabase = Exclude<DatabaseName, 'mongodb'>

/** All processes of the server count: those of connections, and those that write for all. */
async function createPostgresql(): Promise<OpenDatabase> {
  const database = await createPostgresqlDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ pid: number; version: string }>(
    `select pg_backend_pid() as pid, current_setting('server_version') as version`
  )
  const own = rows[0]?.pid ?? 0
  // The number of a server on another machine is that of some other process here, or of none.
  const main = programOf(own) === 'postgres' ? parentOf(own) : undefined
  await client.end()
  const version = `PostgreSQL ${rows[0]?.version.split(' ')[0] ?? ''}`
  return { ...database, version, pids: () => (main === undefined ? [] : childrenOf(main)) }
}

/** One process, by the file that the server names. */
async function createMysql(): Promise<OpenDatabase> {
  const database = await createMysqlDatabase()
  const connection = await createConnection(database.url)
  const [rows] = await connection.query<RowDataPacket[]>('select @@pid_file as path, version() as version')
  await connection.end()
  const pids = readPid(String(rows[0]?.['path']))
  const name = String(rows[0]?.['version']).split('-')
  const version = `${name.includes('MariaDB') ? 'MariaDB' : 'MySQL'} ${name[0] ?? ''}`
  return { ...database, version, pids: () => pids }
}

function readPid(path: string): readonly number[] {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    return /^(?:mariadbd|mysqld)/.test(programOf(pid) ?? '') ? [pid] : []
  } catch {
    return []
  }
}

/** A MongoDB database with the records in it: by a process of its own, in which its server runs, too, where it is that of the tests. */
async function spawnMongodb(rows: number): Promise<OpenDatabase> {
  const child = spawnChild<never, MongodbMessage>('./servers/mongodb-child.js', { rows })
  const { url, version } = await child.next()
  const pids = whyNoRealServer() === false ? [] : [child.pid]
  return { url, version, pids: () => pids, drop: child.stop }
}
