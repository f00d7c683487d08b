// Takes out each use of what restricts clients in the built code, one at a time, and runs the tests that come by it:
// node scripts/mutate-restrictions.mjs [--list] [--hits file] [path fragment of the source ...]
// Exit code 1 where no test misses a use. Build first. It takes long. `--list` shows the uses alone; `--hits` keeps which test
// comes by which use in a file, and reads it there the next time.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findGates } from './mutation/find-gates.mjs'
import { findMutants } from './mutation/find-mutants.mjs'
import { runTests } from './mutation/run-tests.mjs'
import { findTestFiles } from './test-runner/find-test-files.mjs'

const root = resolve('.')
const packages = ['acl', 'relations', 'rest', 'core']
const filesAtOnce = 12
// Texts of answers that a database writes are tested where the database is.
const databaseTests = 'packages/connector-postgresql/test/json-'
const jobs = Number(process.env.TEST_JOBS ?? 2)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, hits: { type: 'string' } }
})

const gates = findGates(root, packages)
const all = findMutants(root, packages, gates)
const mutants = all.filter(
  ({ place }) => positionals.length === 0 || positionals.some((fragment) => place.includes(fragment))
)
console.log(`${mutants.length} uses of ${gates.size} restricting functions`)
if (values.list) for (const mutant of mutants) console.log(describe(mutant))
else await run()

function describe({ id, place, text, replacement }) {
  return `${id} ${place}\n  ${text} -> ${replacement}`
}

async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-mutants-'))
  try {
    const plan = join(folder, 'mutants.json')
    writeFileSync(plan, JSON.stringify(all))
    const tests = await readTests(plan)
    const survivors = await countSurvivors(plan, tests)
    console.log(`\n${mutants.length - survivors} missed by a test, ${survivors} survived`)
    process.exitCode = survivors > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function readTests(plan) {
  const { hits: file } = values
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const tests = await runUnchanged(plan)
  if (file !== undefined) writeFileSync(file, JSON.stringify(tests))
  return tests
}

/** What random cases find is not found each time: each use needs a test of its own. */
function isWanted({ own, source }) {
  return source.startsWith(databaseTests) || (!own && !source.includes('two-worlds'))
}

/** Does `work` on all items, several at once. */
async function forEach(items, work) {
  const queue = items.values()
  const take = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: jobs }, take))
}

/** The test files that pass, with the mutants that they come by, and the seconds that they take. */
async function runUnchanged(plan) {
  const files = findTestFiles(root, {
    fragments: [...packages.map((name) => `packages/${name}/`), databaseTests]
  }).filter(isWanted)
  const tests = []
  await forEach(files, async (file) => {
    const result = await runTests(root, plan, [file.compiled])
    if (result.passed) tests.push({ ...file, ...result })
    else console.log(`left out, it fails by itself: ${file.source}`)
  })
  console.log(`${tests.length} test files`)
  return tests
}

async function countSurvivors(plan, tests) {
  let survivors = 0
  await forEach(mutants, async (mutant) => {
    const passing = await passingTests(plan, tests, mutant)
    if (passing === undefined) return
    survivors++
    console.log(`survived: ${describe(mutant)} (${passing} tests come by it)`)
  })
  return survivors
}

/** How many tests pass with a mutant; undefined where one fails. Those of access control and of its own package come first. */
async function passingTests(plan, tests, { id, package: name }) {
  const isOther = ({ source }) => Number(!source.startsWith(`packages/${name}/`) && !source.startsWith('packages/acl/'))
  const wanted = tests
    .filter(({ hits }) => hits.includes(id))
    .toSorted((a, b) => isOther(a) - isOther(b) || a.seconds - b.seconds)
    .map(({ compiled }) => compiled)
  for (let at = 0; at < wanted.length; at += filesAtOnce)
    if (!(await runTests(root, plan, wanted.slice(at, at + filesAtOnce), id)).passed) return undefined
  return wanted.length
}
