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

/** Starts a server with an empty database of its own, or with what it has. The user `root` needs no password. */
export function spawnMariadb({ folder, port, settings, preload }: MariadbPlace): ChildProcess {
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : []
  if (!existsSync(join(folder, 'mysql'))) {
    mkdirSync(folder, { recursive: true })
    if (user.length > 0) execFileSync('chown', ['-R', 'mysql:mysql', join(folder, '..')])
    const authentication = ['--auth-root-authentication-method=normal', '--skip-test-db']
    execFileSync('mariadb-install-db', ['--no-defaults', ...user, `--datadir=${folder}`, ...authentication], {
      stdio: 'ignore'
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
  const env = preload === undefined ? process.env : { ...process.env, LD_PRELOAD: preload }
  return spawn('mariadbd', ['--no-defaults', ...user, ...flags], { stdio: 'ignore', env })
}
