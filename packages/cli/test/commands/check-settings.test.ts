import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Examination, Finding } from '#src/check/index.ts'
import t, { type Test } from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

const packages = [
  'connector-mongodb',
  'connector-postgresql',
  'connector-mysql',
  'connector-sqlite',
  'redis',
  'storage'
]

/** An application with this `datasources.json`, and all connectors installed beside it. */
function makeApp(t: Test, dataSources: string, more: Readonly<Record<string, unknown>> = {}): string {
  const dir = makeFolder(t, { ...noteApp, 'server/datasources.json': dataSources, ...more })
  const modules = join(dir, 'node_modules/@modelwire')
  mkdirSync(modules, { recursive: true })
  for (const name of packages)
    symlinkSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), join(modules, name))
  return dir
}

async function checkSources(dir: string): Promise<readonly Finding[]> {
  const terminal = fakeTerminal()
  await run(['check', dir, '--json'], terminal)
  const { findings } = JSON.parse(terminal.outText()) as Examination // printed as it is
  return findings.filter(({ file }) => file.includes('datasources'))
}

const cases: readonly (readonly [title: string, setting: string, connector: string, found: readonly object[]])[] = [
  ['a type that is wrong', '"max": "many"', 'postgresql', [{ effect: 'fails', code: 'OPTION_INVALID', reason: /max/ }]],
  ['a number that is too small', '"connectionLimit": 0', 'mysql', [{ effect: 'fails', reason: /connectionLimit/ }]],
  ['a value that is none of the possible ones', '"undeclared": "lose"', 'sqlite3', [{ effect: 'fails' }]],
  ['the memory connector as well', '"sync": "yes"', 'memory', [{ effect: 'fails', reason: /sync/ }]],
  ['swapped letters', '"hots": "localhost"', 'postgresql', [{ effect: 'differs', advice: 'write host' }]],
  ['other capitals', '"conectionlimit": 3', 'mysql', [{ effect: 'differs', advice: 'write connectionLimit' }]],
  ['what nobody knows', '"colour": "red"', 'mysql', [{ effect: 'info', reason: /no setting colour/ }]],
  ["LoopBack's settings", '"dateStrings": true', 'mysql', [{ effect: 'info', reason: /LoopBack's setting/ }]],
  ['a setting of MongoDB', '"strictObjectIDCoercion": "yes"', 'mongodb', [{ effect: 'fails', code: 'OPTION_INVALID' }]],
  ['old settings of its driver', '"useNewUrlParser": true', 'loopback-connector-mongodb', [{ effect: 'info' }]],
  ['nothing of those that are handed on', '"poolSize": 5, "replicaSet": "rs", "url": ""', 'mongodb', []],
  ['Redis', '"packer": "xml"', 'kv-redis', [{ effect: 'fails', code: 'OPTION_INVALID', reason: /packer/ }]],
  ["nothing of settings of Redis' client, nor of empty ones", '"host": "here", "db": 1, "packer": ""', 'kv-redis', []],
  ['files', '"maxFiles": "many"', 'loopback-component-storage', [{ effect: 'fails', reason: /maxFiles/ }]],
  ['nothing of empty settings of files', '"root": "", "provider": ""', 'loopback-component-storage', []],
  ['nothing of settings that are right', '"host": "localhost", "port": "5432"', 'postgresql', []],
  ['nothing of null', '"max": null', 'postgresql', []],
  ['nothing of remarks', '"//": "the one in Berlin"', 'mysql', []]
]

for (const [title, setting, connector, found] of cases)
  t.test(`check tells by line of settings: ${title}`, async (t) => {
    const dir = makeApp(t, `{\n  "db": {\n    "connector": "${connector}",\n    ${setting}\n  }\n}`)
    t.match(
      await checkSources(dir),
      found.map((finding) => ({ file: 'server/datasources.json', line: 4, ...finding }))
    )
    t.equal((await checkSources(dir)).length, found.length)
  })

t.test('a setting is told of in the file that has it', async (t) => {
  const dir = makeApp(t, '{\n  "db": { "connector": "mysql",\n    "hots": "a" }\n}', {
    'server/datasources.local.json': '{\n  "db": { "connector": "mysql",\n\n    "prot": 1 }\n}'
  })
  t.match(await checkSources(dir), [
    { file: 'server/datasources.json', line: 3, advice: 'write host' },
    { file: 'server/datasources.local.json', line: 4, advice: 'write port' }
  ])
})

t.test('settings of a connector that is not installed are not known, of one that is broken neither', async (t) => {
  const files = { ...noteApp, 'server/datasources.json': { db: { connector: 'mysql', hots: 'a' } } }
  const absent = { ...noteApp, 'server/datasources.json': { db: { connector: 'oracle', hots: 'a' } } }
  t.match(await checkSources(makeFolder(t, absent)), [{ advice: 'npm install loopback-connector-oracle' }])
  const broken = 'node_modules/@modelwire/connector-mysql/index.js'
  const findings = await checkSources(makeFolder(t, { ...files, [broken]: 'throw new Error("no driver")' }))
  t.match(findings, [{ effect: 'fails', line: 3, reason: /no driver/ }])
})
