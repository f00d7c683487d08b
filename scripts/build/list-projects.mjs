import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folders of all projects below `root`: packages, examples, conformance and bench.
 * @param {string} root
 * @returns {string[]} relative to `root`, such as `packages/core`
 */
export function listProjects(root) {
  const nested = ['packages', 'examples'].flatMap((folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : []
  )
  return [...nested, 'conformance', 'bench']
}
