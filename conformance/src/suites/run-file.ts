// A process of its own for one file of a suite: node run-file.js CHECKOUT FILE original|here [PART]. Tells what each test did by IPC.
// The exit code is 9 where the file has no such part.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { TestOutcome } from './outcome.ts'
import { provideInstead } from './provide-instead.ts'

interface Test {
  readonly fullTitle: () => string
}

interface Runner {
  readonly on: ((event: 'pass', listen: (test: Test) => void) => void) &
    ((event: 'fail', listen: (test: Test, error: unknown) => void) => void)
}

interface Suite {
  suites: Suite[]
  tests: unknown[]
}

interface Mocha {
  readonly suite: Suite
  files: string[]
  readonly addFile: (file: string) => void
  readonly loadFiles: () => void
  readonly run: (done: () => void) => Runner
}

/** The files that `mocha.opts`, or the script `test` of the package, has required first. */
function requiredFirst(checkout: string): readonly string[] {
  const files = ['test/mocha.opts', 'package.json']
    .map((name) => join(checkout, name))
    .filter((name) => existsSync(name))
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  return texts
    .flatMap((text) => [...text.matchAll(/--require\s+(\S+)/g)])
    .map(([, file = '']) => resolve(checkout, file))
}

const messageOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** A title that stands twice is distinguished by a number. */
function counted(): (title: string) => string {
  const times = new Map<string, number>()
  return (title) => {
    const time = (times.get(title) ?? 0) + 1
    times.set(title, time)
    return time === 1 ? title : `${title} (${time})`
  }
}

/** A suite with one of its parts: its own tests, or one of the suites within. */
type Choice = () => void

function partsOf(root: Suite): readonly Choice[] {
  return root.suites.flatMap((suite) => {
    const only =
      (inner: Suite | undefined): Choice =>
      () => {
        root.suites = [suite]
        suite.suites = inner === undefined ? [] : [inner]
        if (inner !== undefined) suite.tests = []
      }
    return [...(suite.tests.length > 0 ? [only(undefined)] : []), ...suite.suites.map(only)]
  })
}

/** Leaves one part of a file. */
function choosePart(mocha: Mocha, part: number): void {
  mocha.loadFiles()
  mocha.files = []
  const choose = partsOf(mocha.suite)[part]
  if (choose === undefined) process.exit(noSuchPart)
  choose()
}

const noSuchPart = 9

/** What each test did is reported by IPC. */
function NoReporter(): void {}

const tell = (outcome: TestOutcome): void => void process.send?.(outcome)

function run(checkout: string, file: string, isHere: boolean, part: number | undefined): void {
  const require = createRequire(join(checkout, 'package.json'))
  process.chdir(checkout)
  if (isHere) provideInstead(checkout)
  for (const name of requiredFirst(checkout)) require(name)
  const MochaClass = require('mocha') as new (options: object) => Mocha // the suites bring it
  const mocha = new MochaClass({ reporter: NoReporter, timeout: 5000 })
  mocha.addFile(join(checkout, file))
  if (part !== undefined) choosePart(mocha, part)
  const titleOf = counted()
  const runner = mocha.run(() => process.exit(0))
  runner.on('pass', (test) => tell({ title: titleOf(test.fullTitle()) }))
  runner.on('fail', (test, error) => tell({ title: titleOf(test.fullTitle()), failure: messageOf(error) }))
}

const [, , checkout = '', file = '', mode, part] = process.argv
run(checkout, file, mode === 'here', part === undefined ? undefined : Number(part))
