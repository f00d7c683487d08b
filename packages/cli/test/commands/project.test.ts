import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqlite } from '@modelwire/connector-sqlite'
import t, { type Test } from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder } from '../make-folder.ts'

const packages = fileURLToPath(new URL('../../../', import.meta.url))

const server = `
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'

export async function buildServer(options) {
  const app = Fastify(options)
  const Note = { name: 'Note', public: true, properties: { text: 'string' } }
  await app.register(modelwire, { dataSources: { db: memory() }, models: { Note } })
  await app.register(rest, { prefix: '/api' })
  return app
}
`

const manifest = (path: string): object => ({ name: 'x', type: 'module', modelwire: { server: path } })

function makeProject(t: Test, source = server): string {
  const dir = makeFolder(t, { 'package.json': manifest('server.js'), 'server.js': source })
  mkdirSync(join(dir, 'node_modules/@modelwire'), { recursive: true })
  for (const name of ['core', 'rest', 'connector-memory'])
    symlinkSync(join(packages, name), join(dir, 'node_modules/@modelwire', name))
  symlinkSync(join(packages, 'core/node_modules/fastify'), join(dir, 'node_modules/fastify'))
  return dir
}

t.test('commands find the server of a project by its package.json', async (t) => {
  const dir = makeProject(t)
  const texts: Readonly<Record<string, RegExp>> = {
    routes: /^GET +\/api\/Notes +Note\.find/m,
    openapi: /"\/Notes"/,
    types: /interface Note/
  }
  for (const [command, text] of Object.entries(texts)) {
    const terminal = fakeTerminal()
    t.equal(await run([command, dir], terminal), 0, terminal.errText())
    t.match(terminal.outText(), text)
  }
  const terminal = fakeTerminal()
  t.equal(await run(['migrate', dir, '--plan'], terminal), 0)
  t.match(terminal.errText(), /no data source has tables/)
})

t.test('check asks the databases of a project what the start tells of their columns', async (t) => {
  const file = join(makeFolder(t, {}), 'notes.db')
  const database = sqlite({ file })
  await database.connect()
  await database.execute?.('create table note (id integer primary key, text text collate nocase)')
  await database.disconnect()
  const source = server
    .replace(
      "import { memory } from '@modelwire/connector-memory'",
      "import { sqlite } from '@modelwire/connector-sqlite'"
    )
    .replace('memory()', `sqlite({ file: ${JSON.stringify(file)} })`)
    .replace("text: 'string' }", "text: 'string' }, strict: true")
  const dir = makeProject(t, source)
  symlinkSync(join(packages, 'connector-sqlite'), join(dir, 'node_modules/@modelwire/connector-sqlite'))
  const terminal = fakeTerminal()
  t.equal(await run(['check', dir, '--json'], terminal), 0, terminal.errText())
  t.match(JSON.parse(terminal.outText()), {
    findings: [
      { effect: 'differs', key: 'Note properties.text', reason: /note\.text.*treat different strings as equal/ }
    ]
  })
})

t.test('check starts a project, and tells a wrong definition with its model and key', async (t) => {
  const dir = makeProject(t)
  const terminal = fakeTerminal()
  t.equal(await run(['check', dir], terminal), 0, terminal.errText())
  t.match(terminal.outText(), /a Modelwire project[^]*Started: 1 public model \(Note\) at \/api\.\nEverything runs;/)
  const wrong = makeProject(t, server.replace('public: true', "public: true, base: 'Nothing'"))
  const json = fakeTerminal()
  t.equal(await run(['check', wrong, '--json'], json), 1)
  t.match(JSON.parse(json.outText()), { findings: [{ effect: 'fails', code: 'BASE_MODEL_UNKNOWN', key: 'Note base' }] })
  const text = fakeTerminal()
  t.equal(await run(['check', wrong], text), 1)
  t.match(text.outText(), /Does not run \(1\)[^]*The project does not start\.\n1 part does not run/)
})

t.test('discover says that there are no tables, or which data sources have some', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['discover', makeProject(t)], terminal), 2)
  t.match(terminal.errText(), /no data source of the application has tables\n {2}\(NO_SUCH_DATA_SOURCE\)/)
})

t.test('a project that is not built, or exports no server, is told so', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['routes', makeFolder(t, { 'package.json': manifest('dist/server.js') })], terminal), 2)
  t.match(terminal.errText(), /npm run build\n {2}\(PROJECT_NOT_BUILT\)/)
  const empty = makeFolder(t, { 'package.json': manifest('server.js'), 'server.js': 'export const a = 1' })
  const other = fakeTerminal()
  t.equal(await run(['routes', empty], other), 2)
  t.match(other.errText(), /exports neither buildServer nor a default function\n {2}\(PROJECT_INVALID\)/)
})

t.test('a package.json that cannot be read is no missing one', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['routes', makeFolder(t, { 'package.json/index.js': '' })], terminal), 2)
  t.match(terminal.errText(), /package\.json cannot be read: .*\n {2}\(PROJECT_INVALID\)/)
})

t.test('check finds misspelt keys of model files', async (t) => {
  const dir = makeFolder(t, {
    'package.json': { name: 'notes' },
    'server/datasources.json': { db: { connector: 'memory' } },
    'server/model-config.json': { _meta: { sources: ['../common/models'] }, Note: { dataSource: 'db' } },
    'common/models/note.json': {
      name: 'Note',
      properties: { text: { type: 'string', require: true } },
      relatons: {},
      ownSetting: 1
    }
  })
  const terminal = fakeTerminal()
  t.equal(await run(['check', dir], terminal), 1)
  t.match(terminal.outText(), /properties\.text\.require\b[^]*write "required"/)
  t.match(terminal.outText(), /relatons\b[^]*write "relations"/)
  t.notMatch(terminal.outText(), /ownSetting/)
  writeFileSync(join(dir, 'server/datasources.json'), JSON.stringify({ db: { connector: 'postgesql' } }))
  const other = fakeTerminal()
  t.equal(await run(['routes', dir], other), 1)
  t.match(other.errText(), /did you mean "postgresql"\?/)
  const checked = fakeTerminal()
  t.equal(await run(['check', dir], checked), 1)
  t.match(checked.outText(), /unknown connector "postgesql"[^]*→ did you mean "postgresql"\?/)
})
