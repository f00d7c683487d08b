import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')

const clauses = JSON.parse(read('docs/spec-clauses.json'))
const rows = readRows(read('docs/spec-coverage.md'))

t.test('every clause of the specification has one row in docs/spec-coverage.md, and no row is of none', async (t) => {
  t.same(
    rows.map(({ id, title }) => ({ id, title })),
    clauses
  )
  t.equal(new Set(clauses.map(({ id }) => id)).size, clauses.length, 'no clause is listed twice')
})

t.test('every row of docs/spec-coverage.md names a test or a recording that exists', async (t) => {
  for (const { id, shown } of rows) for (const entry of shown) t.equal(problemOf(entry), undefined, `${id}: ${entry}`)
})

t.test('a row that names what does not exist is noticed', async (t) => {
  const missing = [
    '`packages/core/test/nowhere.test.ts` a name',
    '`packages/rest/test/versions-side-by-side.test.ts` a name that no test has',
    'recording `crud/nothing`',
    'works for me'
  ]
  for (const entry of missing) t.type(problemOf(entry), 'string', entry)
})

/** Rows of the form `| \`4.2-R1\` | title | entry<br>entry |`. */
function readRows(markdown) {
  return [...markdown.matchAll(/^\| `([\d.]+-[TRP]\d+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(([, id, title, shown]) => ({
    id,
    title,
    shown: shown.split('<br>')
  }))
}

/** Why an entry shows nothing; undefined when it shows something. */
function problemOf(entry) {
  const [, file, name] = /^`(\S+\.test\.m?ts)` (.+)$/.exec(entry) ?? []
  if (file !== undefined) return testProblem(file, name)
  const recording = /^recording `(\S+)`$/.exec(entry)?.[1]
  if (recording !== undefined) return existing(`conformance/recordings/scenarios/${recording}.json`)
  return /^nothing to show: ./.test(entry) ? undefined : 'neither a test nor a recording'
}

function testProblem(file, name) {
  const problem = existing(file)
  if (problem !== undefined) return problem
  const source = read(file)
    .replaceAll("\\'", "'")
    .replaceAll(/t\.test\(\s+/g, 't.test(')
  const isThere = ["'", '"', '`'].some((quote) => source.includes(`t.test(${quote}${name}${quote}`))
  return isThere ? undefined : `${file} has no test of this name`
}

function existing(path) {
  return existsSync(join(root, path)) ? undefined : `${path} does not exist`
}
