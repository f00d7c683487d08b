import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** A MariaDB server of a test's own. */
export interface MariadbPlace {
  /** Of its data, in a folder that is the test's. */
  readonly folder: string
  readonly port: number
  /** Its options, without dashes. */
  readonly settings: Readonly<Record<string, string | number>>
  /** A library that is loaded before all others. */
  readonly preload?: string | undefined
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
