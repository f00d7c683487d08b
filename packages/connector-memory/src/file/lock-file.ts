import { link, lstat, mkdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DataFileLocked, DataFileUnusable } from '../errors.ts'

/** Releases the lock. */
export type Unlock = () => Promise<void>

/**
 * Takes the lock of a data file, whose folder it creates, so that no other process and no other connector writes it. The
 * lock is a file with the id of the process that holds it; the lock of a dead process is taken over.
 *
 * Processes that cannot see each other, on two machines or in two containers, do not notice each other's locks.
 * @throws {DataFileLocked} a living process holds it
 * @throws {DataFileUnusable} the lock cannot be created
 */
export async function lockFile(file: string): Promise<Unlock> {
  const lock = `${file}.lock`
  const own = `${lock}.${process.pid}.${lockCount++}`
  try {
    await mkdir(dirname(file), { recursive: true })
    try {
      await writeHolder(own, await describeProcess(process.pid))
      await takeLock(file, lock, own)
    } finally {
      await rm(own, { force: true })
    }
  } catch (cause) {
    if (cause instanceof DataFileLocked) throw cause
    throw new DataFileUnusable('the lock of the data file cannot be created', { file }, { cause })
  }
  return () => rm(lock, { force: true })
}

// Only makes names of files differ within the process.
let lockCount = 0

/** Linking fails when the lock exists, which makes taking it one step. */
async function takeLock(file: string, lock: string, own: string): Promise<void> {
  if (await tryLink(own, lock)) return
  const holder = await readHolder(lock)
  if (await isAlive(holder))
    throw new DataFileLocked(`process ${holder.split(' ', 1)[0]} has the data file open`, { file })
  await removeStale(lock, `${own}.stale`, holder)
  if (!(await tryLink(own, lock))) throw new DataFileLocked('another process has just opened the data file', { file })
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/** On a full disk there is still room for the text of a link, which lies in the folder's own records. */
async function writeHolder(path: string, holder: string): Promise<void> {
  try {
    await writeFile(path, holder)
  } catch (error) {
    if (!isCode(error, 'ENOSPC') && !isCode(error, 'EDQUOT')) throw error
    await rm(path, { force: true })
    await symlink(holder, path)
  }
}

async function readHolder(lock: string): Promise<string> {
  try {
    return (await lstat(lock)).isSymbolicLink() ? await readlink(lock) : await readFile(lock, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return ''
    throw error
  }
}

/** Another process may have taken the stale lock over meanwhile: what is moved aside must be what was read. */
async function removeStale(lock: string, aside: string, holder: string): Promise<void> {
  try {
    await rename(lock, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  if ((await readHolder(aside)) !== holder) await tryLink(aside, lock)
  await rm(aside, { force: true })
}

/** A process that has the id and, where that can be known, the start time of the one that took the lock. */
async function isAlive(holder: string): Promise<boolean> {
  const pid = Number(holder.split(' ', 1)[0])
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false
  }
  return (await describeProcess(pid)) === holder
}

/**
 * The id of a process and when it started: ids are used again, above all in containers. A process that has ended but is
 * still listed has no start.
 */
async function describeProcess(pid: number): Promise<string> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name, which stands in parentheses, may hold blanks; the state follows it, the start is 19 fields later.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return `${pid} ${fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19]}`
  } catch {
    return `${pid} unknown`
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
