import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sqlite } from '@modelwire/connector-sqlite'
import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeFolder, noteApp } from '../make-folder.ts'
import { makeSqliteApp } from '../make-sqlite-app.ts'

const typed = {
  ...noteApp,
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Note: { dataSource: 'db', public: true },
    Tag: { dataSource: 'db' }
  },
  'common/models/tag.json': { name: 'Tag', strict: true, properties: { 'odd-name': 'string' } },
  'common/models/note.json': {
    name: 'Note',
    strict: true,
    description: 'What somebody wrote */ down',
    hidden: ['secret'],
    properties: {
      text: { type: 'string', required: true },
      at: 'date',
      marks: ['number'],
      place: 'geopoint',
      secret: 'string',
      part: { type: { n: 'number', list: [{ x: 'boolean' }] } }
    },
    relations: { tags: { type: 'hasMany', model: 'Tag' }, parent: { type: 'belongsTo', model: 'Note' } }
  }
}

t.test('openapi writes the document of the API, without a database', async (t) => {
  const dir = makeFolder(t, {
    ...noteApp,
    'server/datasources.json': { db: { connector: 'postgresql', url: 'postgres://nowhere.invalid/x' } }
  })
  const terminal = fakeTerminal()
  t.equal(await run(['openapi', dir], terminal), 0)
  t.match(JSON.parse(terminal.outText()), {
    openapi: /^3\.1/,
    paths: { '/Notes': { get: { operationId: 'notesFind' } } }
  })
  const out = join(dir, 'swagger.json')
  t.equal(await run(['openapi', dir, '--swagger', '--out', out], fakeTerminal()), 0)
  t.match(JSON.parse(readFileSync(out, 'utf8')), { swagger: '2.0', paths: { '/Notes': {} } })
})

t.test('documents are written where boot scripts use the driver of a database: it finds nothing', async (t) => {
  const scripts: Readonly<Record<string, string>> = {
    mongodb: `module.exports = async (app) => {
      const { connector } = app.dataSources.db
      const notes = connector.collection('Note')
      await notes.createIndex({ text: 1 }, { unique: true })
      const all = await notes.find({ text: 'a' }).sort({ at: 1 }).toArray()
      for await (const note of notes.find()) all.push(note)
      const none = await connector.db.collection('Other').findOne({})
      const counted = await new Promise((ok, fail) => notes.countDocuments({}, (e, n) => (e ? fail(e) : ok(n))))
      if (all.length + counted !== 0 || none !== null || connector.settings === undefined) throw new Error('found something')
    }`,
    postgresql: `module.exports = (app, callback) =>
      app.dataSources.db.connector.execute('select 1', [], (error, rows) => callback(error ?? (rows.length ? new Error() : null)))`
  }
  for (const [connector, script] of Object.entries(scripts)) {
    const db = { connector, url: `${connector}://nowhere.invalid/x` }
    const dir = makeFolder(t, { ...noteApp, 'server/datasources.json': { db }, 'server/boot/use-driver.js': script })
    for (const command of ['openapi', 'types']) {
      const terminal = fakeTerminal()
      t.equal(await run([command, dir], terminal), 0, terminal.errText())
    }
  }
})

const forecast = {
  template: { method: 'GET', url: 'http://nowhere.invalid/{place}' },
  functions: { forecast: ['place'] }
}

const withMethods = {
  ...noteApp,
  'server/datasources.json': {
    db: { connector: 'postgresql', url: 'postgres://nowhere.invalid/x' },
    keys: { connector: 'loopback-connector-kv-redis', host: 'nowhere.invalid' },
    cache: { connector: 'kv-memory' },
    weather: { connector: 'rest', operations: [forecast] }
  },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Note: { dataSource: 'db', public: true },
    Session: { dataSource: 'keys', public: true },
    Cached: { dataSource: 'cache', public: true },
    Weather: { dataSource: 'weather', public: true }
  },
  'common/models/session.json': { name: 'Session', base: 'KeyValueModel' },
  'common/models/cached.json': { name: 'Cached', base: 'KeyValueModel' },
  'common/models/weather.json': { name: 'Weather', base: 'Model' },
  'server/boot/uses.js': `module.exports = (app) => {
    const missing = ['Session.get', 'Cached.iterateKeys', 'Weather.forecast'].filter((name) => {
      const [model, method] = name.split('.')
      return typeof app.models[model][method] !== 'function'
    })
    if (missing.length > 0) throw new Error(missing.join())
  }`
}

t.test('scripts have the methods of connectors, though nothing is asked of a server', async (t) => {
  const dir = makeFolder(t, withMethods)
  mkdirSync(join(dir, 'node_modules'))
  const name = 'loopback-connector-rest'
  const installed = join(import.meta.dirname, '../../../../node_modules', name)
  symlinkSync(realpathSync(installed), join(dir, 'node_modules', name))
  for (const command of ['openapi', 'types']) {
    const terminal = fakeTerminal()
    t.equal(await run([command, dir], terminal), 0, terminal.errText())
  }
})

t.test('openapi of an API that is not there ends with 2', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['openapi', makeFolder(t), '--api', '/other'], terminal), 2)
  t.match(terminal.errText(), /NO_SUCH_API/)
})

t.test('types writes an interface per model', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['types', makeFolder(t, typed), '--wire'], terminal), 0)
  const text = terminal.outText()
  t.match(text, 'export interface Note {\n  text: string\n  at?: string | null\n  marks?: number[] | null\n')
  t.match(
    text,
    /^ {2}part\?: \{ n\?: number \| null; list\?: \(?\{ x\?: boolean \| null \}\)?\[\] \| null \} \| null$/m
  )
  t.match(text, '  tags?: Tag[]\n')
  t.match(text, '  "odd-name"?: string | null\n')
  t.notMatch(text, 'wrote */ down', 'no comment ends early')
  t.notMatch(text, /secret/)
})

/** As a project of TypeScript has them, with the sources of packages in place of their declarations. */
const compilerArgs = [
  '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --types node',
  '--customConditions @modelwire/source --lib es2023,es2024.string --module nodenext --target es2023'
].flatMap((args) => args.split(' '))

t.test('the types compile, and type the models of an application', async (t) => {
  const dir = makeFolder(t, typed)
  const file = join(dir, 'models.ts')
  t.equal(await run(['types', dir, '--out', file], fakeTerminal()), 0)
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  writeFileSync(
    join(dir, 'use.ts'),
    `import type { ModelRegistry, Models } from '@modelwire/core'
import './models.ts'
export async function use(models: ModelRegistry & Models): Promise<Date | null | undefined> {
  const note = await models.Note.create({ text: 'a', marks: [1] })
  // @ts-expect-error: a mark is a number
  await models.Note.create({ text: 'a', marks: ['x'] })
  return note.at
}
`
  )
  const compiler = join(root, '../../node_modules/typescript/bin/tsc')
  const outcome = await promisify(execFile)(
    process.execPath,
    [compiler, ...compilerArgs, '--typeRoots', join(root, '../../node_modules/@types'), 'use.ts'],
    { cwd: dir }
  ).catch((error: unknown) => error)
  t.notOk(outcome instanceof Error && (outcome as Error & { stdout?: string }).stdout, 'the compiler finds nothing') // it prints to stdout
})

t.test('discover makes model files of tables, and overwrites none', async (t) => {
  const dir = makeSqliteApp(t)
  t.equal(await run(['migrate', dir, '--yes'], fakeTerminal()), 0)
  const printed = fakeTerminal()
  t.equal(await run(['discover', dir, '--table', 'Note'], printed), 0)
  t.match(JSON.parse(printed.outText()), [
    { name: 'Note', properties: { id: { id: true }, text: { type: 'string', required: true } } }
  ])
  const out = join(dir, 'found')
  t.equal(await run(['discover', dir, '--out', out], fakeTerminal()), 0)
  t.ok(existsSync(join(out, 'note.json')))
  const again = fakeTerminal()
  t.equal(await run(['discover', dir, '--out', out], again), 1)
  t.match(again.errText(), /FILE_EXISTS/)
})

t.test('discover leaves out relations to tables that have no model, and says so', async (t) => {
  const dir = makeSqliteApp(t)
  const database = sqlite({ file: join(dir, 'notes.db') })
  await database.connect()
  await database.execute?.('create table author (id integer primary key)')
  await database.execute?.('create table book (id integer primary key, author_id integer references author)')
  await database.disconnect()
  const alone = fakeTerminal()
  t.equal(await run(['discover', dir, '--table', 'book'], alone), 0)
  t.match(alone.errText(), /left out relations to tables that have no model.*: Book\.author \(to Author\)/)
  t.match(JSON.parse(alone.outText()), [{ name: 'Book', relations: {}, foreignKeys: {} }])
  const both = fakeTerminal()
  t.equal(await run(['discover', dir, '--table', 'book', 'author'], both), 0)
  t.notMatch(both.errText(), /left out/)
  t.match(JSON.parse(both.outText()), [{ relations: { author: { model: 'Author' } } }, {}])
})

t.test('discover of an application in memory ends with 2', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['discover', makeFolder(t)], terminal), 2)
  t.match(terminal.errText(), /NO_SUCH_DATA_SOURCE/)
})

t.test('ids that MongoDB makes are texts in documents and types, as they are in answers', async (t) => {
  const dir = makeFolder(t, {
    ...noteApp,
    'server/datasources.json': { db: { connector: 'mongodb', url: 'mongodb://nowhere.invalid/x' } },
    'common/models/note.json': {
      name: 'Note',
      properties: { text: 'string' },
      relations: { parent: { type: 'belongsTo', model: 'Note' } }
    }
  })
  const documentOf = async (...options: string[]): Promise<unknown> => {
    const terminal = fakeTerminal()
    t.equal(await run(['openapi', dir, ...options], terminal), 0)
    return JSON.parse(terminal.outText())
  }
  const properties = { id: { type: 'string' } }
  t.match(await documentOf(), { components: { schemas: { Note: { properties } } } })
  t.match(await documentOf('--swagger'), { definitions: { Note: { properties } } })
  const terminal = fakeTerminal()
  t.equal(await run(['types', dir], terminal), 0)
  t.match(terminal.outText(), /interface Note \{[^}]*  id: string\n/)
  t.match(terminal.outText(), /parentId\?: string/)
})
