import { execFileSync } from 'node:child_process'
import { ClusterFailed } from './errors.ts'

/** Whom PostgreSQL runs as: undefined where that is the user of this process. @throws {ClusterFailed} it is root, and there is no user `postgres` */
export function databaseUser(): Readonly<{ uid: number; gid: number }> | undefined {
  if (process.getuid?.() !== 0) return undefined
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' })))
    return { uid: uid ?? NaN, gid: gid ?? NaN }
  } catch (cause) {
    throw new ClusterFailed('PostgreSQL does not run as root, and there is no user postgres', { cause })
  }
}
