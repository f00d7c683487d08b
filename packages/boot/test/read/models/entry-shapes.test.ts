import t from 'tap'
import { bootApp, notesOf, refusal } from '../../make-app.ts'

const sources = ['../common/models']
const entry = { dataSource: 'db', public: true }

// The status with which LoopBack 3.28 answers POST /Things; 404 where the model is off.
const configs: readonly (readonly [config: object, status: number])[] = [
  [{ Thing: false }, 404],
  [{ Thing: 0 }, 404],
  [{ Thing: { dataSource: 'db', public: null } }, 200],
  [{ Thing: { dataSource: 'db', public: 0 } }, 200],
  [{ Thing: { ...entry, options: null, relations: null, methods: null, acls: null, properties: null } }, 200],
  [{ Thing: { ...entry, options: 'x', relations: 'x', methods: 'x', acls: false } }, 200],
  [{ Thing: { ...entry, options: [], relations: [], methods: [], acls: {} } }, 200],
  [{ Thing: entry, _meta: { sources, mixins: null, other: 1 } }, 200],
  [{ Thing: entry, _meta: { sources: ['', '../common/models/'] } }, 200]
]
for (const [config, status] of configs) {
  void t.test(`model-config.json with ${JSON.stringify(config)} is read as in LoopBack`, async (t) => {
    const server = await bootApp(t, { 'server/model-config.json': { _meta: { sources }, ...config } })
    const answer = await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'x' } })
    t.equal(answer.statusCode, status)
  })
}

void t.test('an entry that says nothing leaves a model without a data source', async (t) => {
  for (const value of [true, 'x', {}, [], { dataSource: '' }]) {
    const server = await bootApp(t, { 'server/model-config.json': { _meta: { sources }, Thing: value } })
    const thing = server.loopback.models['Thing'] as unknown as { dataSource: unknown } // as scripts see it
    t.notOk(thing.dataSource, JSON.stringify(value))
  }
})

void t.test('no sources are those that every application has', async (t) => {
  for (const meta of [null, false, { sources: null }]) {
    const files = {
      'server/model-config.json': { _meta: meta, Thing: entry },
      'server/models/thing.json': { name: 'Thing' },
      'common/models/thing.json': undefined
    }
    t.equal((await (await bootApp(t, files)).inject('/api/Things')).statusCode, 200)
  }
})

void t.test('what an entry hides is hidden, also of a built-in model', async (t) => {
  const options = { hidden: { label: true } }
  const server = await bootApp(t, {
    'server/model-config.json': {
      _meta: { sources },
      Thing: { ...entry, options },
      Role: { ...entry, options: { hidden: ['description'] } }
    }
  })
  const created = await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'x' } })
  t.strictSame(created.json(), { id: 1 })
  const role = await server.inject({ method: 'POST', url: '/api/Roles', payload: { name: 'a', description: 'b' } })
  t.notHas(role.json(), { description: 'b' })
})

void t.test('an entry declares methods', async (t) => {
  const methods = { secret: { http: { verb: 'get' }, returns: { arg: 'value', type: 'number' } } }
  const server = await bootApp(t, {
    'server/model-config.json': { _meta: { sources }, Thing: { ...entry, methods } },
    'common/models/thing.js': 'module.exports = (Thing) => { Thing.secret = async () => 7 }'
  })
  t.strictSame((await server.inject('/api/Things/secret')).json(), { value: 7 })
})

void t.test('parts that have no effect are told', async (t) => {
  const server = await bootApp(t, {
    'server/model-config.json': { _meta: { sources }, Thing: { ...entry, options: 'x' } }
  })
  t.ok(notesOf(server).some((note) => note.startsWith('server/model-config.json: Thing.options: ')))
})

void t.test('access rules that are no list, and would be dropped, are refused', async (t) => {
  const acls = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
  const files = { 'server/model-config.json': { _meta: { sources }, Thing: { ...entry, acls } } }
  t.strictSame(await refusal(t, files), {
    code: 'CONFIG_VALUE_INVALID',
    file: 'server/model-config.json',
    key: 'Thing.acls'
  })
})
