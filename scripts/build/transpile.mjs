import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createHash } from 'node:crypto'
import { listProjects } from './list-projects.mjs'

/** @typedef {{ source: string, output: string }} Pair */

const places = [
  ['src', 'dist'],
  ['test', 'dist-test']
]
const settings = {
  sourcemap: true,
  target: 'es2023',
  typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' }
}

/**
 * Writes the JavaScript of every TypeScript file that changed since it was written last, with its source map in it, and deletes
 * that of files which are gone. Types are not checked.
 * @param {string} root
 * @param {string[]} [projects] folders below `root`; all by default
 * @returns {Promise<{ written: number, problems: string[] }>}
 */
export async function transpile(root, projects = listProjects(root)) {
  const { transformSync, VERSION } = await loadTranspiler()
  const stamp = join(root, 'node_modules/.transpiled-with')
  const version = createHash('sha256')
    .update(JSON.stringify([VERSION, settings]))
    .digest('hex')
  const fresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === version
  const pairs = projects.flatMap((project) => places.flatMap(([from, to]) => pairsOf(join(root, project), from, to)))
  const outdated = pairs.filter((pair) => !fresh || isOutdated(pair))
  const problems = outdated.flatMap((pair) => writeOne(pair, transformSync, root))
  if (!fresh) writeFileSync(stamp, version)
  return { written: outdated.length - problems.length, problems }
}

async function loadTranspiler() {
  const [{ transformSync }, { VERSION }] = await Promise.all([import('rolldown/utils'), import('rolldown')])
  return { transformSync, VERSION }
}

/** Sources of one folder with the place of their output; outputs without a source are deleted. */
function pairsOf(project, from, to) {
  const pairs = listFiles(join(project, from))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((source) => ({
      source,
      output: join(project, to, relative(join(project, from), source).replace(/\.tsx?$/, '.js'))
    }))
  const wanted = new Set(pairs.map(({ output }) => output))
  for (const path of listFiles(join(project, to))) if (!wanted.has(path)) rmSync(path)
  return pairs
}

function listFiles(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

/** An output has the time of the source that it was made from, so that older sources, as of another branch, are noticed too. */
function isOutdated({ source, output }) {
  const written = statSync(output, { throwIfNoEntry: false })
  return written === undefined || Math.abs(written.mtimeMs - statSync(source).mtimeMs) > 1
}

function writeOne({ source, output }, transformSync, root) {
  const { mtime } = statSync(source)
  const { code, map, errors } = transformSync(source, readFileSync(source, 'utf8'), settings)
  if (errors.length > 0) return errors.map(({ message }) => `${relative(root, source)}: ${message}`)
  mkdirSync(dirname(output), { recursive: true })
  const sources = [relative(dirname(output), source)]
  const inline = Buffer.from(JSON.stringify({ ...map, sources, sourcesContent: undefined })).toString('base64')
  writeFileSync(output, `${code}//# sourceMappingURL=data:application/json;base64,${inline}\n`)
  utimesSync(output, mtime, mtime)
  return []
}
