// Runs the compiled tests: node scripts/run-tests.mjs [--root folder] [path fragment ...]
// The last line is `N passed, N failed`, with `, N skipped` when tests were skipped. Exit code 1 on a failure, and
// when there was nothing to run.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findTestFiles } from './test-runner/find-test-files.mjs'
import { makeBatches } from './test-runner/make-batches.mjs'
import {
  countBatch,
  describeBatch,
  describeCount,
  describeSkips,
  describeSlowest
} from './test-runner/print-report.mjs'
import { runBatch } from './test-runner/run-batch.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string', default: '.' } }
})
const root = resolve(values.root)
const jobs = readNumber('TEST_JOBS', 2)
const testTimeout = readNumber('TEST_TIMEOUT', 30_000)
const timeouts = { testTimeout, exitTimeout: testTimeout / 3, silenceTimeout: testTimeout * 2 }

const files = findTestFiles(root, positionals)
const results = await runAll(makeBatches(files, jobs))
const count = addCounts(results.map(countBatch))
const skips = describeSkips(results)
if (skips !== '') console.log(`\n${skips}`)
if (process.env.TEST_TIMES === '1') console.log(`\n${describeSlowest(results)}`)
if (files.length === 0) console.log('no test file found')
console.log(`\n${describeCount(count)}`)
process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0

async function runAll(batches) {
  const queue = batches.values()
  const finished = []
  const work = async () => {
    for (const batch of queue) {
      const result = await runBatch(batch, root, timeouts)
      finished.push(result)
      console.log(describeBatch(result))
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return finished
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
