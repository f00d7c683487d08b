import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError } from './errors.ts'

/** @throws {CommandError} NO_SUCH_FOLDER: there is no such folder */
export async function folderOf(dir: string): Promise<string> {
  const path = resolve(dir)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) throw new CommandError('NO_SUCH_FOLDER', `${path} is not a folder`)
  return path
}
