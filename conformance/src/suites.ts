// Runs the tests that a package of LoopBack ships with Modelwire in its place. After a build:
//   node conformance/dist/suites.js CHECKOUT [--only TEXT] [--report FILE] [--baseline FILE]
// CHECKOUT is a folder of loopback, loopback-boot or loopback-component-oauth2 with its dependencies. See conformance/README.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compareFile, type Compared } from './suites/compare-file.ts'
import { copyTests } from './suites/copy-tests.ts'
import { readExcluded } from './suites/excluded.ts'
import { printSuite } from './suites/print-suite.ts'
import { runFile, runHere } from './suites/run-suite.ts'
import { testFiles } from './suites/test-files.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    report: { type: 'string' },
    baseline: { type: 'string' }
  }
})
const [folder] = positionals
if (folder === undefined) throw new TypeError('name the folder of a checkout')

const checkout = resolve(folder)
const { name, version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Record<string, string> // npm
const suite = `${name}@${version?.split('.')[0]}`

/** What passes with LoopBack is kept, as it does not change. */
const baseline: Record<string, readonly string[]> =
  options.baseline !== undefined && existsSync(options.baseline)
    ? (JSON.parse(readFileSync(options.baseline, 'utf8')) as Record<string, readonly string[]>) // written below
    : {}
const known = readExcluded()
const excluded = known.suites[suite] ?? {}
const copy = copyTests(checkout, known.edits[suite] ?? [])
const compared: Compared[] = []
for (const file of testFiles(checkout, options.only)) {
  const original = (baseline[file] ??= [...(await runFile(checkout, file, 'original')).passed])
  if (options.baseline !== undefined) writeFileSync(options.baseline, JSON.stringify(baseline))
  const here = original.length === 0 ? undefined : await runHere(copy, file)
  const one = compareFile(file, original, here, excluded[file] ?? {})
  compared.push(one)
  console.error(`${file}: ${one.original} | ${one.here}${one.alone > 0 ? ` (${one.alone} alone)` : ''}`)
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(compared, undefined, 2))
}
printSuite(suite, compared)
process.exitCode = compared.every(({ unexpected }) => unexpected.length === 0) ? 0 : 1
