import t from 'tap'
import { bootApp, type Files, notesOf, refusal } from '../../make-app.ts'

const config = 'server/model-config.json'
const meta = { _meta: { sources: ['../common/models', './models'], mixins: ['../common/mixins'] } }
const withModels = (entries: object, files: Files = {}): Files => ({ [config]: { ...meta, ...entries }, ...files })
const db = { dataSource: 'db' }

void t.test('serves the models of the configuration alone', async (t) => {
  const server = await bootApp(t, { 'common/models/other.json': { name: 'Other' } })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
  t.equal((await server.inject('/api/Others')).statusCode, 404)
  t.strictSame(server.bootReport.served.models, [{ name: 'Thing', path: 'Things', dataSource: 'db' }])
})

void t.test('a base that is not configured is there for the models that extend it', async (t) => {
  const files = withModels({ Sub: db }, { 'common/models/sub.json': { name: 'Sub', base: 'Thing' } })
  const server = await bootApp(t, files)
  t.equal((await server.inject('/api/Subs')).statusCode, 200)
  t.equal((await server.inject('/api/Things')).statusCode, 404)
})

void t.test('public is told where it is missing, and so is a missing data source', async (t) => {
  const notes = notesOf(await bootApp(t, withModels({ Thing: {} })))
  t.match(notes, [/Thing: the data source is missing/, /Thing: public is missing/])
})

void t.test('remoting in a model file is told to have no effect', async (t) => {
  const server = await bootApp(t, {
    'common/models/thing.json': { name: 'Thing', remoting: { sharedMethods: { find: false } } }
  })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
  t.match(notesOf(server), [/thing\.json: remoting: /])
})

void t.test('keys that the configuration does not have are told', async (t) => {
  const entry = { dataSource: 'db', public: true, mixins: {}, options: { base: 'Model' } }
  t.match(notesOf(await bootApp(t, withModels({ Thing: entry }))), [/Thing\.mixins: /, /Thing\.options\.base: /])
})

void t.test('an application with built-in models starts, and serves those that are public', async (t) => {
  const entries = {
    User: db,
    AccessToken: db,
    ACL: db,
    RoleMapping: db,
    Role: { ...db, public: true },
    Email: { dataSource: 'mail' },
    Thing: { ...db, public: true }
  }
  const server = await bootApp(t, {
    ...withModels(entries),
    'server/datasources.json': { db: { connector: 'memory' }, mail: { connector: 'mail' } }
  })
  t.strictSame(
    server.bootReport.notes.filter(({ reason }) => reason.includes('not served')),
    []
  )
  t.equal((await server.inject('/api/Roles')).statusCode, 200)
})

void t.test('a model on a base that is not served is not reachable', async (t) => {
  const files = withModels(
    { Customer: { ...db, public: true }, Vip: { ...db, public: true } },
    {
      'common/models/customer.json': { name: 'Customer', base: 'Change' },
      'common/models/vip.json': { name: 'Vip', base: 'Customer' }
    }
  )
  const server = await bootApp(t, files)
  for (const path of ['/api/Customers', '/api/Vips']) t.equal((await server.inject(path)).statusCode, 404, path)
  t.match(notesOf(server), [
    /customer\.json: base: .*replication is not part of Modelwire: use /,
    /vip\.json: base: .*Customer/
  ])
})

void t.test('built-in models are configured and attached', async (t) => {
  const files = withModels(
    { User: { ...db, public: true, acls: [{ permission: 'DENY' }] }, Customer: { ...db, public: true } },
    { 'common/models/customer.json': { name: 'Customer', base: 'User' } }
  )
  const server = await bootApp(t, files)
  for (const path of ['/api/Users', '/api/Customers']) t.equal((await server.inject(path)).statusCode, 200, path)
  t.match(server.models.typeOf('User').definition.acls?.at(-1), { permission: 'DENY' })
})

void t.test('events say when a model is attached', async (t) => {
  const script = `module.exports = Thing => {
    Thing.settings.log = ['script ' + Thing.app.booting]
    Thing.on('dataSourceAttached', model => Thing.settings.log.push('source ' + model.dataSource.name))
    Thing.on('attached', app => Thing.settings.log.push('attached ' + (app === Thing.app)))
  }`
  const server = await bootApp(t, { 'common/models/thing.js': script })
  t.strictSame(server.models.typeOf('Thing').definition['log'], ['script true', 'source db', 'attached true'])
})

const refused: [string, Files, { code: string; file: string; key?: string }][] = [
  ['an unknown model', withModels({ Ghost: db }), { code: 'MODEL_UNKNOWN', file: config, key: 'Ghost' }],
  [
    'an unknown data source',
    withModels({ Thing: { dataSource: 'no' } }),
    { code: 'DATA_SOURCE_UNKNOWN', file: config, key: 'Thing.dataSource' }
  ],
  [
    'an unknown base',
    { 'common/models/thing.json': { name: 'Thing', base: 'Ghost' } },
    { code: 'BASE_MODEL_UNKNOWN', file: 'common/models/thing.json', key: 'base' }
  ],
  [
    'the format of LoopBack 1',
    withModels({ Thing: { properties: {} } }),
    { code: 'CONFIG_VALUE_INVALID', file: config, key: 'Thing.properties' }
  ],
  [
    'a dotted property',
    { 'common/models/thing.json': { name: 'Thing', properties: { 'a.b': 'string' } } },
    { code: 'PROPERTY_NAME_HAS_DOT', file: 'common/models/thing.json', key: 'properties.a.b' }
  ],
  [
    'a script that fails',
    { 'common/models/thing.js': 'module.exports = () => { throw new Error("no") }' },
    { code: 'SCRIPT_FAILED', file: 'common/models/thing.js' }
  ],
  [
    'a script that cannot be loaded',
    { 'common/models/thing.js': 'module.exports = (' },
    { code: 'SCRIPT_FAILED', file: 'common/models/thing.js' }
  ]
]

for (const [name, files, error] of refused) {
  void t.test(`refuses ${name}, naming file and key`, async (t) => {
    t.match(await refusal(t, files), error)
  })
}
