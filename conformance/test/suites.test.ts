import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { compareFile } from '#src/suites/compare-file.ts'
import { copyTests } from '#src/suites/copy-tests.ts'
import { kindOf, readExcluded } from '#src/suites/excluded.ts'
import { runHere } from '#src/suites/run-suite.ts'
import { testFiles } from '#src/suites/test-files.ts'

t.test('each excluded test names a kind that is described, and each edit says why', (t) => {
  const { kinds, edits, suites } = readExcluded()
  const named = new Set(
    Object.values(suites).flatMap((files) => Object.values(files).flatMap((one) => Object.values(one)))
  )
  t.strictSame(
    [...named].filter((kind) => kinds[kind] === undefined),
    []
  )
  t.strictSame(
    Object.keys(kinds).filter((kind) => !named.has(kind)),
    []
  )
  for (const { files, from, why } of Object.values(edits).flat()) t.ok(files.length > 0 && from !== '' && why !== '')
  t.end()
})

t.test('a test is excluded by its title, or by the start of it', (t) => {
  const titles = { 'one test': 'a', 'a suite *': 'b' }
  t.strictSame(
    ['one test', 'one test more', 'a suite with a test'].map((title) => kindOf(titles, title)),
    ['a', undefined, 'b']
  )
  t.end()
})

t.test('what passes with LoopBack is held against what passes here', (t) => {
  const here = {
    passed: new Set(['a', 'known']),
    failures: new Map([
      ['b', 'why'],
      ['a hook', 'no']
    ]),
    alone: new Set(['c'])
  }
  const compared = compareFile('x', ['a', 'b', 'c', 'left', 'known'], here, { left: 'kind', known: 'kind' })
  t.match(compared, { original: 5, here: 3, alone: 1, excluded: { kind: 1 }, passing: ['known'] })
  t.strictSame(compared.unexpected, [{ title: 'b', failure: 'why' }])
  t.strictSame(compared.hooks, [{ title: 'a hook', failure: 'no' }])
  t.end()
})

/** A checkout with these files. Its mocha calls each test at once. */
async function checkout(t: Test, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'modelwire-suites-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return dir
}

const mocha = `
  module.exports = class {
    constructor() { this.suite = { suites: [], tests: [] }; this.files = [] }
    addFile(file) { this.files.push(file) }
    loadFiles() {}
    run(done) {
      const listeners = {}
      global.it = (title, test) => {
        const told = { fullTitle: () => title }
        try { test(); listeners.pass(told) } catch (error) { listeners.fail(told, error) }
      }
      setImmediate(() => { this.files.forEach(require); setImmediate(done) })
      return { on: (event, listen) => { listeners[event] = listen } }
    }
  }`

t.test('tests of a checkout get Modelwire where they require the package, its parts and LoopBack', async (t) => {
  const dir = await checkout(t, {
    'package.json': '{ "name": "loopback", "version": "3.28.0" }',
    'index.js': 'throw new Error("the original")',
    'node_modules/mocha/index.js': mocha,
    'test/fixtures/x.test.js': '',
    'test/one.test.js': `
      const loopback = require('../')
      it('is Modelwire', () => { if (loopback.version !== '3.28.0' || require('loopback') !== loopback) throw new Error('no') })
      it('has parts', () => require('../lib/access-context').AccessContext)
      it('twice', () => { throw new Error('edited') })
      it('twice', () => {})`
  })
  t.strictSame(testFiles(dir, ''), ['test/one.test.js'])
  const copy = copyTests(dir, [{ files: ['test/one.test.js'], from: "'edited'", to: "'here'", why: '' }])
  const { passed, failures } = await runHere(copy, 'test/one.test.js')
  t.strictSame([...passed], ['is Modelwire', 'has parts', 'twice (2)'])
  t.match(failures.get('twice'), 'Error: here')
  t.throws(() => copyTests(dir, [{ files: ['test/one.test.js'], from: 'not there', to: '', why: '' }]), TypeError)
})
