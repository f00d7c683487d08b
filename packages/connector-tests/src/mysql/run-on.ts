import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { randomBytes } from 'node:crypto'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** A MariaDB server of a test's own. */
interface MariadbPlace {
  /** Of its data, in a folder that is the test's. */
  readonly folder: string
  readonly port: number
  /** Its options, without dashes. */
  readonly settings: Readonly<Record<string, string | number>>
  /** A library that is loaded before all others. */
  readonly preload?: string | undefined
}

/** A database of its own on a MySQL or MariaDB server. */
export interface TestDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/**
 * Runs statements, or texts of several of them, on a connection outside of the connector. The rows of the last one, if
 * it gives any.
 */
export async function runOn(url: string, ...statements: readonly string[]): Promise<Rows> {
  const connection = await createConnection({ uri: url, multipleStatements: true })
  try {
    let rows: unknown = []
    for (const statement of statements) [rows] = await connection.query<RowDataPacket[]>(statement)
    // The driver's rows are objects; other statements have a result object.
    return Array.isArray(rows) ? (rows as Rows) : []
  } finally {
    await connection.end()
  }
}

/** Creates a database on the server of MODELWIRE_MYSQL_URL, or on the one that runs on this machine. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = serverUrl()
  const name = `modelwire_test_${randomBytes(6).toString('hex')}`
  await runOn(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = async (): Promise<void> => {
    await runOn(server, `drop database if exists ${name}`)
  }
  return { url: url.href, drop }
}

/** Why tests that need a server cannot run here; false where they can, and where MODELWIRE_MYSQL_URL is set. */
export async function whyNoServer(): Promise<string | false> {
  if (process.env['MODELWIRE_MYSQL_URL'] !== undefined) return false
  try {
    await runOn(serverUrl(), 'select 1')
    return false
  } catch {
    return 'needs MySQL or MariaDB: at 127.0.0.1:3306, or at MODELWIRE_MYSQL_URL'
  }
}

/** The server of MODELWIRE_MYSQL_URL, else the one at 127.0.0.1:3306: MySQL or MariaDB. */
function serverUrl(): string {
  return process.env['MODELWIRE_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/'
}

/** Kills a process as the system does when it runs out of memory; resolves when it is gone. */
export async function killProcess(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/**
 * Starts a server with an empty database of its own, or with what it has. The user `root` needs no password.
 *
 * Its temporary tables have a folder of their own: a server that starts removes those of all servers that share one.
 */
export function spawnMariadb({ folder, port, settings, preload }: MariadbPlace): ChildProcess {
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : []
  const ownEnv = { ...process.env, TMPDIR: `${folder}-tmp` }
  if (!existsSync(join(folder, 'mysql'))) {
    mkdirSync(folder, { recursive: true })
    mkdirSync(ownEnv.TMPDIR, { recursive: true })
    if (user.length > 0) execFileSync('chown', ['-R', 'mysql:mysql', join(folder, '..')])
    const authentication = ['--auth-root-authentication-method=normal', '--skip-test-db']
    execFileSync('mariadb-install-db', ['--no-defaults', ...user, `--datadir=${folder}`, ...authentication], {
      stdio: 'ignore',
      env: ownEnv
    })
  }
  const all = {
    datadir: folder,
    port,
    'bind-address': '127.0.0.1',
    socket: join(folder, 'socket'),
    'log-error': join(folder, 'err.log'),
    'innodb-buffer-pool-size': '64M',
    ...settings
  }
  const flags = Object.entries(all).map(([name, value]) => `--${name}=${value}`)
  const env = preload === undefined ? ownEnv : { ...ownEnv, LD_PRELOAD: preload }
  return spawn('mariadbd', ['--no-defaults', ...user, ...flags], { stdio: 'ignore', env })
}
