import t from 'tap'
import { bootApp, type Files, notesOf, refusal } from '../../make-app.ts'

const thing = (mixins: object): object => ({
  name: 'Thing',
  base: 'PersistedModel',
  properties: { label: 'string' },
  mixins
})
const record = `module.exports = (Model, options) => { (Model.settings.log ??= []).push([Model.modelName, options]) }`

async function applied(t: Parameters<typeof bootApp>[0], files: Files): Promise<unknown> {
  const server = await bootApp(t, { 'common/mixins/stamp.js': record, ...files })
  return server.models.names().flatMap((name) => server.models.typeOf(name).definition['log'] ?? [])
}

void t.test('gives a mixin its options', async (t) => {
  t.strictSame(await applied(t, { 'common/models/thing.json': thing({ Stamp: { a: 1 } }) }), [['Thing', { a: 1 }]])
  t.strictSame(await applied(t, { 'common/models/thing.json': thing({ Stamp: true }) }), [['Thing', {}]])
})

void t.test('applies a list of options one by one', async (t) => {
  t.strictSame(await applied(t, { 'common/models/thing.json': thing({ Stamp: [{ a: 1 }, true] }) }), [
    ['Thing', { a: 1 }],
    ['Thing', {}]
  ])
})

void t.test('false leaves a mixin out, one of the base too', async (t) => {
  const files = {
    'common/models/thing.json': thing({ Stamp: true, Nowhere: false }),
    'common/models/same.json': { name: 'Same', base: 'Thing' },
    'common/models/without.json': { name: 'Without', base: 'Thing', mixins: { Stamp: false } },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'], mixins: ['../common/mixins'] },
      Thing: { dataSource: 'db' },
      Same: { dataSource: 'db' },
      Without: { dataSource: 'db' }
    }
  }
  const names = ((await applied(t, files)) as [string][]).map(([name]) => name)
  t.strictSame([...new Set(names)], ['Thing', 'Same'])
})

void t.test('applies mixins after the script of the model, before it has a data source', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.json': thing({ Stamp: true }),
    'common/models/thing.js': 'module.exports = Thing => { Thing.settings.order = ["script"] }',
    'common/mixins/stamp.js': 'module.exports = Model => { Model.settings.order.push("mixin", Model.dataSource.name) }'
  })
  t.strictSame(server.models.typeOf('Thing').definition['order'], ['script', 'mixin', 'db'])
})

void t.test('properties of a mixin are stored', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.json': thing({ Stamp: { field: 'madeAt' } }),
    'common/mixins/stamp.js':
      'module.exports = (Model, { field }) => Model.defineProperty(field, { type: "number", default: 7 })'
  })
  const made = await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a' } })
  t.strictSame(made.json(), { label: 'a', id: 1, madeAt: 7 })
})

void t.test('refuses a mixin that does not exist, naming the file of the model', async (t) => {
  const place = { file: 'common/models/thing.json', key: 'mixins.Nowhere' }
  t.strictSame(await refusal(t, { 'common/models/thing.json': thing({ Nowhere: true }) }), {
    code: 'MIXIN_UNKNOWN',
    ...place
  })
})

void t.test('version 2 leaves such a mixin out and tells of it', async (t) => {
  const server = await bootApp(t, { 'common/models/thing.json': thing({ Nowhere: true }) }, { version: 2 })
  t.match(notesOf(server), [/^common\/models\/thing\.json: mixins\.Nowhere: /])
})

const broken: [string, string][] = [
  ['exports no function', 'module.exports = {}'],
  ['throws', 'module.exports = () => { throw new Error("no") }']
]
for (const [name, script] of broken) {
  void t.test(`refuses a mixin whose script ${name}`, async (t) => {
    const files = { 'common/models/thing.json': thing({ Stamp: true }), 'common/mixins/stamp.js': script }
    t.strictSame(await refusal(t, files), { code: 'SCRIPT_FAILED', file: 'common/mixins/stamp.js' })
  })
}
