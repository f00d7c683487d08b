import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const passedOver = new Set([
  'node_modules',
  '.others',
  '.packed',
  '.report',
  '.types',
  'dist',
  'dist-test',
  'fixtures',
  'recordings',
  '.git',
  '.changeset'
])

/**
 * All Markdown files that are written by hand, by their path from the root.
 * @returns {Map<string, string>} texts by path
 */
export function readMarkdownFiles() {
  return new Map(listFiles(root).map((path) => [relative(root, path), readFileSync(path, 'utf8')]))
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (passedOver.has(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return entry.name.endsWith('.md') && entry.name !== 'CHANGELOG.md' ? [path] : []
  })
}
