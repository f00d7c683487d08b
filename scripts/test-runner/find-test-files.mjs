import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { listProjects } from '../build/list-projects.mjs'

/**
 * @typedef {{ source: string, compiled: string, own: boolean, long: boolean, cut: boolean }} TestFile
 * `cut` where properties in it are tried less often than they may be
 */

/**
 * Every test file below `root`, sorted by source path, kept when its path contains one of `fragments`.
 * Sources are listed, not compiled files, so that the leftover of a renamed test never runs.
 * @param {string} root
 * @param {{ fragments?: string[], packed?: boolean }} [choice]
 * @returns {TestFile[]}
 */
export function findTestFiles(root, { fragments = [], packed = false } = {}) {
  const compiled = listProjects(root).flatMap((folder) =>
    listFiles(join(root, folder, 'test'), '.test.ts').map((path) => compiledTest(root, { folder, path, packed }))
  )
  const plain = listFiles(join(root, 'scripts', 'test'), '.test.mjs').map((path) => plainTest(root, path))
  return [...compiled, ...plain]
    .filter((file) => fragments.length === 0 || fragments.some((fragment) => file.source.includes(fragment)))
    .toSorted((a, b) => (a.source < b.source ? -1 : 1))
}

function readFolder(path) {
  return existsSync(path) ? readdirSync(path, { withFileTypes: true }) : []
}

function listFiles(folder, ending) {
  return readFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return entry.name.endsWith(ending) ? [path] : []
    // Fixtures are read by tests; the ones of the runner's own tests even look like tests.
    return entry.name === 'fixtures' || entry.name === 'node_modules' ? [] : listFiles(path, ending)
  })
}

function compiledTest(root, { folder, path, packed }) {
  const inside = relative(join(root, folder, 'test'), path)
  return {
    source: portable(relative(root, path)),
    compiled: join(root, packed ? '.packed' : '', folder, 'dist-test', inside.replace(/\.ts$/, '.js')),
    ...kindOf(path)
  }
}

function plainTest(root, path) {
  return { source: portable(relative(root, path)), compiled: path, ...kindOf(path) }
}

/** The kind of a test file by its name: those that take long have a process of their own, too. */
function kindOf(path) {
  const long = /\.long\.test\.m?[jt]s$/.test(path)
  return {
    own: long || /\.own\.test\.m?[jt]s$/.test(path),
    long,
    cut: !long && /\bruns\(/.test(readFileSync(path, 'utf8'))
  }
}

function portable(path) {
  return path.split(sep).join('/')
}
