import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@modelwire/test-waits'
import { findPort } from '../test-case.ts'
import { runOn } from './own-server.ts'

/** A PgBouncer of a test's own. */
export interface Pooler {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** How the pooler differs from a plain installation. */
export interface PoolerOptions {
  /** It passes over `statement_timeout` when a connection starts with it, which a plain installation refuses. */
  readonly takesTimeout: boolean
}

/** Why tests that need a pooler cannot run here; false where they can. */
export function whyNoPooler(): string | false {
  const { status } = spawnSync('pgbouncer', ['--version'])
  return status === 0 ? false : 'needs pgbouncer'
}

/**
 * Starts PgBouncer on a free port before the database of `url`. It gives each transaction any free one of its few
 * connections (`pool_mode = transaction`), and leaves prepared statements to them.
 */
export async function startPooler(url: string, { takesTimeout }: PoolerOptions): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-pgbouncer-'))
  const [target, port] = [new URL(url), await findPort()]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, settingsOf({ target, port, folder, takesTimeout }))
  const user = ownUser(folder, file)
  const child = spawn('pgbouncer', [file], { stdio: 'ignore', ...user })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const pooled = new URL(target.pathname, `postgres://${target.username}@127.0.0.1:${port}`)
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilAnswering(pooled.href)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: pooled.href, stop }
}

interface PoolerPlace extends PoolerOptions {
  readonly target: URL
  readonly port: number
  readonly folder: string
}

function settingsOf({ target, port, folder, takesTimeout }: PoolerPlace): string {
  const { hostname, port: targetPort, username, password } = target
  const login = `user=${username} ${password === '' ? '' : `password=${decodeURIComponent(password)}`}`
  return `[databases]
* = host=${hostname} port=${targetPort === '' ? 5432 : targetPort} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = 3
${preparesStatements() ? 'max_prepared_statements = 0' : ''}
${takesTimeout ? 'ignore_startup_parameters = statement_timeout' : ''}
unix_socket_dir =
logfile = ${join(folder, 'log')}
`
}

/** From 1.21 on PgBouncer can prepare statements on each of its connections: so that is switched off. */
function preparesStatements(): boolean {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' })
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(stdout) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

/** PgBouncer refuses to run as the system's administrator. */
function ownUser(folder: string, file: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const nobody = 65_534
  for (const path of [folder, file]) chownSync(path, nobody, nobody)
  return { uid: nobody, gid: nobody }
}

async function untilAnswering(url: string): Promise<void> {
  let failure: unknown
  const isAnswering = async (): Promise<boolean> => {
    try {
      await runOn(url, 'select 1')
      return true
    } catch (error) {
      failure = error
      return false
    }
  }
  await until(isAnswering, () => `the pooler to answer: ${String(failure)}`)
}
