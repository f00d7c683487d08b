import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Paths of the programs that the cluster consists of, beside Node. */
export interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly pgBasebackup: string
  readonly redis: string
  readonly haproxy: string
}

/** A program: what it is called, and what installs it on Debian. */
interface Wanted {
  readonly name: string
  readonly from: string
}

const wanted: Readonly<Record<keyof Programs, Wanted>> = {
  initdb: { name: 'initdb', from: 'postgresql' },
  postgres: { name: 'postgres', from: 'postgresql' },
  pgBasebackup: { name: 'pg_basebackup', from: 'postgresql' },
  redis: { name: 'redis-server', from: 'redis-server' },
  haproxy: { name: 'haproxy', from: 'haproxy' }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Debian's folder of each version of PostgreSQL, the newest first: they are in no PATH. */
function versionFolders(root: string): string[] {
  try {
    const versions = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}

/** Folders in which programs are looked for; `POSTGRESQL_BIN` comes first, so that one version can be chosen. */
export function programFolders(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const path = (env['PATH'] ?? '').split(delimiter)
  return [
    env['POSTGRESQL_BIN'] ?? '',
    ...versionFolders('/usr/lib/postgresql'),
    ...path,
    '/usr/sbin',
    '/usr/local/sbin'
  ].filter((folder) => folder !== '')
}

/** The programs, or what has to be installed. */
export type Found = { readonly programs: Programs } | { readonly missing: string }

/** Looks for the programs in these folders. */
export function findPrograms(folders: readonly string[] = programFolders()): Found {
  const paths = Object.entries(wanted).map(([key, { name }]) => {
    const path = folders.map((folder) => join(folder, name)).find((each) => isProgram(each))
    return [key, path] as const
  })
  const absent = paths.flatMap(([key, path]) => (path === undefined ? [wanted[key as keyof Programs]] : []))
  // Each key has its path: none is absent.
  if (absent.length === 0) return { programs: Object.fromEntries(paths) as unknown as Programs }
  const names = absent.map(({ name }) => name).join(', ')
  const packages = [...new Set(absent.map(({ from }) => from))].join(' ')
  return { missing: `${names} not found. On Debian and Ubuntu: apt-get install ${packages}` }
}
