import { link, lstat, rename, rm } from 'node:fs/promises'
import { codeOf } from './file-errors.ts'

/** What was at a path before something else takes its place. */
export interface MovedAside {
  /** Puts it back; where nothing was there, nothing is there then. */
  readonly restore: () => Promise<void>
  readonly forget: () => Promise<void>
}

/**
 * Keeps the file at `path`, if there is one, under the name `aside`, so that it can be restored. It stays in its place meanwhile where
 * the file system has links.
 */
export async function moveAside(path: string, aside: string): Promise<MovedAside> {
  const forget = async (): Promise<void> => rm(aside, { force: true })
  const isThere = await isFileAt(path)
  if (!isThere) return { restore: async () => rm(path, { force: true }), forget }
  await keep(path, aside)
  const restore = async (): Promise<void> => {
    await rename(aside, path)
    // A link is not renamed to a path of the same file: it stays.
    await forget()
  }
  return { restore, forget }
}

async function isFileAt(path: string): Promise<boolean> {
  try {
    if (!(await lstat(path)).isDirectory()) return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
  throw Object.assign(new Error('a folder is in the place of the file'), { code: 'EISDIR' })
}

async function keep(path: string, aside: string): Promise<void> {
  try {
    await link(path, aside)
  } catch {
    // Not every file system has links; what else is wrong fails here as well.
    await rename(path, aside)
  }
}
