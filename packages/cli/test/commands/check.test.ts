import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Examination, Finding } from '#src/check/index.ts'
import t, { type Test } from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

const example = fileURLToPath(new URL('../../../../examples/loopback3-app', import.meta.url))

/** A mistake that somebody makes: a text of a file becomes another one. */
interface Planted {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** A text of the line that the finding is about; the first line of `to` when absent. */
  readonly at?: string
  readonly reason: RegExp
  readonly advice: RegExp
  readonly effect?: 'fails' | 'differs'
}

const planted: readonly Planted[] = [
  {
    name: 'a comma too many in a model file',
    file: 'common/models/booking.json',
    from: '"validations": [],',
    to: '"validations": [],,',
    reason: /invalid JSON at line 34, column 21/,
    advice: /correct the file/
  },
  {
    name: 'a base that does not exist',
    file: 'common/models/booking.json',
    from: '"base": "PersistedModel"',
    to: '"base": "PersistentModel"',
    reason: /PersistentModel/,
    advice: /_meta\.sources/
  },
  {
    name: 'a property type that does not exist',
    effect: 'differs',
    file: 'common/models/room.json',
    from: '"doorCode": "string"',
    to: '"doorCode": "txt"',
    reason: /unknown type "txt"/,
    advice: /correct the type/
  },
  {
    name: 'a relation to nothing',
    file: 'common/models/room.json',
    from: '"model": "Booking"',
    to: '"model": "Bokking"',
    reason: /Bokking/,
    advice: /define the model/
  },
  {
    name: 'a data source that is not configured',
    file: 'server/model-config.json',
    from: '"dataSource": "mail"',
    to: '"dataSource": "post"',
    reason: /"post" is not configured/,
    advice: /datasources\.json/
  },
  {
    name: 'a model without a file',
    file: 'server/model-config.json',
    from: '  "Room": {',
    to: '  "Guest": { "dataSource": "db", "public": true },\n  "Room": {',
    reason: /no model file defines this model/,
    advice: /add the model's file/
  },
  {
    name: 'a connector that there is not',
    file: 'server/datasources.json',
    from: '"connector": "memory"',
    to: '"connector": "mssql"',
    reason: /connector "mssql" is not installed/,
    advice: /install loopback-connector-mssql/
  },
  {
    name: 'a middleware that is not installed',
    file: 'server/middleware.json',
    from: '"session": {}',
    to: '"session": { "express-session": {} }',
    reason: /express-session/,
    advice: /npm install/
  },
  {
    name: 'a rule about a role that there is not',
    file: 'common/models/room.json',
    from: '"acls": []',
    to: '"acls": [{"principalType": "ROLE", "principalId": "$ownr", "permission": "ALLOW"}]',
    reason: /unknown role "\$ownr"/,
    advice: /\$owner/
  },
  {
    name: 'a method without a function',
    file: 'common/models/room.json',
    from: '"prototype.seatsFor": {',
    to: '"prototype.seatsLeft": {',
    reason: /no script implements the method prototype\.seatsLeft/,
    advice: /implement the function/
  },
  {
    name: 'a mixin that there is not',
    file: 'common/models/booking.json',
    from: '"Revision": {',
    to: '"Revisions": {',
    reason: /Revisions/,
    advice: /_meta\.mixins/
  },
  {
    name: 'a boot script that cannot be parsed',
    file: 'server/boot/hooks.js',
    from: '  var booked = 0;',
    to: '  var booked = = 0;',
    reason: /cannot be loaded: Unexpected token/,
    advice: /correct the script/
  },
  {
    name: 'a package that a script requires and nobody installs',
    file: 'common/models/room.js',
    from: "'use strict';",
    to: "'use strict';\nvar lodash = require('no-such-lodash');",
    at: 'no-such-lodash',
    reason: /requires no-such-lodash/,
    advice: /npm install no-such-lodash/
  },
  {
    name: 'a component that is not served',
    file: 'server/component-config.json',
    from: '{\n  "loopback-component-explorer"',
    to: '{\n  "loopback-component-push": {},\n  "loopback-component-explorer"',
    at: 'component-push',
    reason: /push notifications are not part of Modelwire: use/,
    advice: /null/
  },
  {
    name: 'a rule about a method that there is not',
    file: 'common/models/booking.json',
    from: '"acls": []',
    to: '"acls": [{"principalType": "ROLE", "principalId": "$everyone", "permission": "DENY", "property": "deletebyid"}]',
    reason: /unknown method "deletebyid"/,
    advice: /use deleteById/
  },
  {
    name: 'what server.js requires and is not there',
    file: 'server/server.js',
    from: 'var app = module.exports = loopback();',
    to: "var app = module.exports = loopback();\napp.use(require('./own'));",
    at: './own',
    reason: /requires \.\/own, which does not exist/,
    advice: /add the file/
  }
]

/** The files of the example that LoopBack reads, in a folder of their own. */
function copyExample(t: Test, mistakes: readonly Planted[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'modelwire-check-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  for (const name of ['common', 'server', 'package.json'])
    cpSync(join(example, name), join(dir, name), { recursive: true })
  for (const { file, from, to } of mistakes) {
    const path = join(dir, file)
    const text = readFileSync(path, 'utf8')
    t.ok(text.includes(from), `${file} holds ${from}`)
    writeFileSync(
      path,
      text.replace(from, () => to)
    )
  }
  return dir
}

function lineOf(dir: string, { file, to, at }: Planted): number {
  const text = readFileSync(join(dir, file), 'utf8')
  return text.slice(0, text.indexOf(at ?? to)).split('\n').length
}

async function check(dir: string): Promise<{ code: number; findings: readonly Finding[] }> {
  const terminal = fakeTerminal()
  const code = await run(['check', dir, '--json'], terminal)
  const { findings } = JSON.parse(terminal.outText()) as Examination // printed as it is
  return { code, findings }
}

t.test('check tells the truth about the example: everything runs, two things work differently', async (t) => {
  const dir = copyExample(t, [])
  const terminal = fakeTerminal()
  t.equal(await run(['check', dir], terminal), 0)
  t.match(terminal.outText(), /Works differently \(2\)\n {2}server\/middleware\.json:3 /)
  t.match(terminal.outText(), /2 public models \(Room, Booking\) at \/api, 2 data sources, 8 scripts\./)
  t.match(terminal.outText(), /Everything runs; 2 work differently, 5 good to know\.$/)
  t.notMatch(terminal.outText(), /Does not run/)
})

for (const mistake of planted) {
  t.test(`check finds ${mistake.name}`, async (t) => {
    const { effect = 'fails', file, reason, advice } = mistake
    const dir = copyExample(t, [mistake])
    const { code, findings } = await check(dir)
    t.equal(code, effect === 'fails' ? 1 : 0)
    const found = findings.filter((finding) => finding.effect === effect && finding.reason.search(reason) >= 0)
    t.match(found, [{ file, line: lineOf(dir, mistake), advice }])
    t.equal(findings.filter((finding) => finding.reason.search(reason) >= 0).length, 1)
    // Nothing else is said to be wrong because of it.
    t.strictSame(
      findings.filter((finding) => finding.effect === 'fails' && !found.includes(finding)),
      []
    )
  })
}

t.test('check finds all mistakes at once', async (t) => {
  // Where one mistake hides another for good, it is left out: a base, and a file that is no JSON.
  const together = planted.filter(({ name }) => !/comma too many/.test(name))
  const dir = copyExample(t, together)
  const { code, findings } = await check(dir)
  t.equal(code, 1)
  for (const mistake of together)
    t.ok(
      findings.some(
        ({ file, line, reason }) =>
          file === mistake.file && line === lineOf(dir, mistake) && reason.search(mistake.reason) >= 0
      ),
      mistake.name
    )
})

t.test('check runs no script and changes nothing', async (t) => {
  const trap = 'require("node:fs").writeFileSync(require("node:path").join(__dirname, "ran"), "")\n'
  const dir = makeFolder(t, {
    ...noteApp,
    'server/boot/enable.js': `${trap}module.exports = app => app.enableAuth()\n`,
    'server/datasources.local.js': `${trap}module.exports = {}\n`,
    'common/models/note.js': `${trap}module.exports = () => {}\n`
  })
  const { code, findings } = await check(dir)
  t.equal(code, 0)
  for (const folder of ['server', 'server/boot', 'common/models'])
    t.throws(() => readFileSync(join(dir, folder, 'ran')), { code: 'ENOENT' })
  // Of the server there is what a start warns of.
  const ofFiles = findings.filter(({ file }) => file !== 'server')
  t.match(ofFiles, [
    { effect: 'info', file: 'common/models/note.json', reason: /undefined role "editor"/ },
    { effect: 'info', file: 'server/config.json', reason: /changes many records without validation/ },
    { file: 'server/datasources.local.js' }
  ])
})

t.test('scripts in TypeScript are not run, which check says', async (t) => {
  const dir = makeFolder(t, {
    ...noteApp,
    'common/models/note.ts': 'export = () => {}',
    'common/models/types.d.ts': '',
    'server/boot/a.ts': '',
    'server/boot/a.js': 'module.exports = () => {}'
  })
  const { code, findings } = await check(dir)
  t.equal(code, 1)
  const fails = findings.filter(({ effect }) => effect === 'fails')
  t.match(fails, [{ file: 'common/models/note.ts', reason: /TypeScript scripts are not run/, advice: /compile/ }])
  t.equal(fails.length, 1)
})

t.test('a folder that holds no application ends with 2', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['check', makeFolder(t, { 'a.txt': '' })], terminal), 2)
  t.match(terminal.errText(), /APP_FOLDER_INVALID/)
})

t.test('check knows the packages of LoopBack', async (t) => {
  const dir = makeFolder(t, {
    ...noteApp,
    'package.json': `{
  "dependencies": {
    "loopback": "^2.40.0",
    "loopback-connector-postgresql": "^3.0.0",
    "loopback-component-jsonapi": "^3.0.0"
  }
}`,
    'server/datasources.json': '{\n  "db": {\n    "connector": "postgresql"\n  }\n}',
    'common/models/note.js': "const { User } = require('loopback')\nmodule.exports = () => {}\n"
  })
  const { findings } = await check(dir)
  const of = (file: string, line: number): readonly Finding[] =>
    findings.filter((finding) => finding.file === file && finding.line === line)
  t.match(of('package.json', 3), [{ effect: 'differs', reason: /LoopBack 2/, advice: /--loopback 2/ }])
  t.match(of('package.json', 4), [{ effect: 'info', reason: /@modelwire\/connector-postgresql replaces it/ }])
  t.match(of('package.json', 5), [{ effect: 'info', reason: /runs as installed/ }])
  // The command brings the connector along.
  t.strictSame(of('server/datasources.json', 3), [])
  // The module loopback is provided.
  t.strictSame(of('common/models/note.js', 1), [])
})

t.test('check knows what takes the place of file storage and key-value stores', async (t) => {
  const dir = makeFolder(t, {
    ...noteApp,
    'package.json': `{
  "dependencies": {
    "loopback": "^3.0.0",
    "loopback-component-storage": "^3.7.0",
    "loopback-connector-kv-redis": "^3.0.0"
  }
}`,
    'server/component-config.json': '{ "loopback-component-storage": {} }',
    'server/datasources.json': `{
  "db": { "connector": "memory" },
  "cache": { "connector": "kv-memory" },
  "files": { "connector": "loopback-component-storage" },
  "keys": { "connector": "kv-redis" }
}`
  })
  const { findings } = await check(dir)
  const told = findings.map(({ file, key, reason, advice }) => [file, key, reason, advice].join(' '))
  t.match(
    told.filter((line) => /storage|kv-/.test(line)),
    [
      /dependencies.loopback-component-storage @modelwire\/storage replaces it/,
      /dependencies.loopback-connector-kv-redis @modelwire\/redis\/key-value replaces it/
    ]
  )
})

t.test('check knows the models of passport, which scripts have by requiring its module', async (t) => {
  const dir = makeFolder(t, {
    ...noteApp,
    'package.json': '{ "dependencies": { "loopback": "^3.0.0", "loopback-component-passport": "^3.12.0" } }',
    'server/server.js': `const app = module.exports = require('loopback')()
require('loopback-component-passport')
require('../node_modules/loopback-component-passport/lib/models/utils')
require('loopback-boot')(app, __dirname)`,
    'server/model-config.json': `{
  "_meta": { "sources": ["../common/models"] },
  "UserIdentity": { "dataSource": "db", "public": false },
  "Account": { "dataSource": "db", "public": true }
}`,
    'common/models/account.json': '{ "name": "Account", "base": "UserCredential" }'
  })
  const { findings } = await check(dir)
  t.strictSame(
    findings.filter(({ effect }) => effect === 'fails'),
    []
  )
  t.match(
    findings.filter(({ key }) => key === 'dependencies.loopback-component-passport'),
    [{ effect: 'info', reason: '@modelwire/passport replaces it' }]
  )
})

t.test('check ends for whatever files hold', async (t) => {
  for (const file of ['config', 'datasources', 'model-config', 'middleware', 'component-config'])
    for (const content of [
      '[]',
      '7',
      '{"a":7,"b":{"c":[null]}}',
      '{"_meta":{"sources":7}}',
      '{',
      '{"Note":{"public":"yes"}}'
    ]) {
      const dir = makeFolder(t, { ...noteApp, [`server/${file}.json`]: content })
      const { findings } = await check(dir)
      t.ok(
        findings.every(({ reason }) => reason !== ''),
        `${file}: ${content}`
      )
    }
})

t.test('check knows that scripts may set OAuth up', async (t) => {
  const middleware = {
    auth: { 'loopback-component-oauth2#authenticate': { paths: ['/api'] } },
    routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } }
  }
  const dir = makeFolder(t, {
    ...noteApp,
    'server/middleware.json': middleware,
    'server/boot/oauth.js':
      "const oauth2 = require('loopback-component-oauth2')\nmodule.exports = app => oauth2.oAuth2Provider(app, {})\n"
  })
  t.equal((await check(dir)).code, 0)
  const without = makeFolder(t, { ...noteApp, 'server/middleware.json': JSON.stringify(middleware, null, 2) })
  const { code, findings } = await check(without)
  t.equal(code, 1)
  const found = findings.filter(({ effect }) => effect === 'fails')
  t.match(found, [{ file: 'server/middleware.json', line: 3, reason: 'no script sets up OAuth' }])
})
