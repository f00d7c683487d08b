import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Where a package or a file is found from the first of `folders` that has it; undefined when it is nowhere. */
export function resolveFrom(folders: readonly string[], name: string): string | undefined {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(name)
    } catch {
      // Not there: the next folder may have it.
    }
  }
  return undefined
}
