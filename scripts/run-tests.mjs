// Runs the built tests: node scripts/run-tests.mjs [--root folder] [--long] [--packed] [--changed [commit]] [path fragment ...]
// Without a flag those that are not called `….long.test.ts`, with a path fragment whatever it fits. `--long` runs those and, with
// all their runs, the properties that are cut short otherwise. `--packed` runs them on the packages as npm gets them,
// `--changed` those that the changes since a commit, the last one by default, can reach.
// The last line is `N passed, N failed`, with `, N skipped` when tests were skipped. Exit code 1 on a failure, and
// when there was nothing to run.
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { changedFiles, reachedBy } from './test-runner/find-changed.mjs'
import { findTestFiles } from './test-runner/find-test-files.mjs'
import { takeInTurn } from './test-runner/take-in-turn.mjs'
import {
  countBatch,
  describeBatch,
  describeCount,
  describeSkips,
  describeSlowest
} from './test-runner/print-report.mjs'
import { measureSlowness } from './test-runner/measure-slowness.mjs'
import { runBatch } from './test-runner/run-batch.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: '.' },
    long: { type: 'boolean', default: false },
    packed: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false }
  }
})
const root = resolve(values.root)
// One more than there are cores: tests of databases and of other processes mostly wait.
const jobs = readNumber('TEST_JOBS', Math.min(availableParallelism() + 1, 4))
const [base, fragments] = values.changed ? [positionals[0] ?? 'HEAD', positionals.slice(1)] : [undefined, positionals]
const isReached = base === undefined ? () => true : bySource(reachedBy(root, changedFiles(root, base)))
const scale = measureSlowness()
const testTimeout = readNumber('TEST_TIMEOUT', 30_000) * scale
const firstSeed = readSeed(process.env.TEST_SEED)

if (values.long || process.env.TEST_SEED === 'random') process.env.TEST_RUNS = 'all'
process.env.TEST_TIME_SCALE = String(scale)

const files = findTestFiles(root, { fragments, packed: values.packed }).filter(isWanted).filter(isReached)
const results = await runAll(files)
const count = addCounts(results.map(countBatch))
const skips = describeSkips(results)
if (skips !== '') console.log(`\n${skips}`)
if (process.env.TEST_TIMES !== undefined) console.log(`\n${describeSlowest(results, readNumber('TEST_TIMES', 0))}`)
if (process.env.TEST_SEED !== undefined) console.log(`\nproperties began with TEST_SEED=${firstSeed}`)
if (files.length === 0) console.log('no test file found')
console.log(`\n${describeCount(count)}`)
process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0

async function runAll(all) {
  const queue = takeInTurn(all)
  const finished = []
  const work = async () => {
    for (let batch = queue.next(); batch !== undefined; batch = queue.next()) {
      const result = await runBatch(batch.take, { root, timeouts: timeoutsOf(batch), seed: firstSeed })
      finished.push(result)
      console.log(describeBatch(result))
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return finished
}

function bySource(test) {
  return ({ source }) => test(source)
}

function isWanted({ long, cut }) {
  return fragments.length > 0 || (values.long ? long || cut : !long)
}

/** Tests that take long may take four times as long. */
function timeoutsOf({ long }) {
  const limit = long ? 4 * testTimeout : testTimeout
  return { testTimeout: limit, exitTimeout: testTimeout / 3, silenceTimeout: limit * 2 }
}

function addCounts(counts) {
  const sum = (key) => counts.map((one) => one[key]).reduce((total, number) => total + number, 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

function readNumber(name, fallback) {
  const value = Number(process.env[name] ?? fallback)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number above 0`)
  return value
}

/** Properties begin alike in every run, so that a red run has its reason in the change; `random` looks for new cases. */
function readSeed(text = '1') {
  const seed = text === 'random' ? randomInt(2 ** 31) : Number(text)
  if (!Number.isInteger(seed)) throw new Error('TEST_SEED must be a whole number, or random')
  return seed
}
