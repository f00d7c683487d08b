import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AppFolder } from '../files/app-folder.ts'

/** True if a module named in a configuration file exists: a relative file, or an installed package. */
export function moduleExists({ serverDir }: AppFolder, name: string): boolean {
  const [path = ''] = name.split('#')
  const find = createRequire(join(serverDir, 'package.json'))
  try {
    find.resolve(path)
    return true
  } catch (error) {
    // A package that exports nothing for `require` is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
  }
}
