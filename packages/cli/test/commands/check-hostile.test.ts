import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

/** What `modelwire check` prints of a small application with other files. */
async function check(t: Test, files: Readonly<Record<string, unknown>>, pipes: readonly string[] = []) {
  const dir = makeFolder(t, { ...noteApp, ...files })
  for (const pipe of pipes) {
    mkdirSync(join(dir, pipe, '..'), { recursive: true })
    rmSync(join(dir, pipe), { force: true })
    execFileSync('mkfifo', [join(dir, pipe)])
  }
  const terminal = fakeTerminal()
  const status = await run(['check', dir], terminal)
  return { status, text: terminal.outText() + terminal.errText() }
}

const brackets = '['.repeat(200_000)

for (const [what, file, content, reason] of [
  ['a file of brackets', 'common/models/note.json', brackets, /nested more than 500 levels/],
  ['closed brackets', 'common/models/note.json', brackets + ']'.repeat(200_000), /nested more than 500 levels/],
  ['a deep configuration', 'server/config.json', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, /nested more/],
  [
    'nested templates',
    'server/boot/deep.js',
    `module.exports = ${'`${'.repeat(50_000)}1${'}`'.repeat(50_000)}`,
    /the script cannot be loaded/
  ],
  ['brackets in a script', 'server/boot/deep.js', `module.exports = ${brackets}`, /the script cannot be loaded/]
] as const)
  t.test(`${what}: the mistake is told`, async (t) => {
    const { status, text } = await check(t, { [file]: content })
    t.equal(status, 1)
    t.match(text, reason)
  })

for (const [pipe, reason] of [
  ['common/models/pipe.json', /the file cannot be read/],
  ['server/config.json', /./],
  ['server/config.production.json', /./],
  ['server/boot/pipe.js', /./],
  ['package.json', /./]
] as const)
  t.test(`a pipe at ${pipe} is not waited for`, { skip: process.platform === 'win32' && 'needs mkfifo' }, async (t) => {
    t.match((await check(t, {}, [pipe])).text, reason)
  })

t.test('nor is one that a script requires', { skip: process.platform === 'win32' && 'needs mkfifo' }, async (t) => {
  const files = { 'server/boot/one.js': "require('../lib/pipe.js')\n" }
  const { status, text } = await check(t, files, ['server/lib/pipe.js'])
  t.equal(status, 1)
  t.match(text, /the script cannot be read/)
})

t.test('names cannot tell the terminal anything', async (t) => {
  const name = '\u001B]0;owned\u0007\u001B[2J\u009B31mEvil\u202Egpj'
  const { text } = await check(t, {
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Note: { dataSource: 'db', public: true },
      [name]: { dataSource: name, public: true }
    },
    'common/models/evil.json': { name, base: `${name}Base`, properties: { [name]: name } }
  })
  t.match(text, /\\u001b\]0;owned\\u0007/)
  t.notMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202E]/u)
})
