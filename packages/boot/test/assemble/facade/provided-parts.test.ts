import t from 'tap'
import { bootApp, type Files } from '../../make-app.ts'

/** What a boot script puts into `app.seen`. */
async function see(t: Parameters<typeof bootApp>[0], body: string, more: Files = {}): Promise<Record<string, unknown>> {
  const server = await bootApp(t, { 'server/boot/a.js': `module.exports = async app => { ${body} }`, ...more })
  return server.loopback['seen'] as Record<string, unknown>
}

void t.test('loopback-datasource-juggler gives the classes of the application', async (t) => {
  const seen = await see(
    t,
    `const juggler = require('loopback-datasource-juggler')
    const { DataSource, ModelBuilder, ModelBaseClass, Transaction } = juggler
    const ds = new DataSource('memory')
    const Made = ds.define('Made', { n: Number })
    app.seen = {
      same: [juggler.Schema === DataSource, juggler.GeoPoint === app.loopback.GeoPoint, require('loopback-datasource-juggler/lib/geo').GeoPoint === juggler.GeoPoint],
      base: [Made.prototype instanceof ModelBaseClass, app.models.Thing.prototype instanceof ModelBaseClass],
      builder: new ModelBuilder() === app.registry.modelBuilder,
      made: (await Made.create({ n: '1' })).n,
      level: Transaction.READ_COMMITTED,
      version: juggler.version === require('loopback-datasource-juggler/package.json').version
    }`
  )
  t.strictSame(seen, {
    same: [true, true, true],
    base: [true, true],
    builder: true,
    made: 1,
    level: 'READ COMMITTED',
    version: true
  })
})

void t.test('functions of the insides of packages are there', async (t) => {
  const seen = await see(
    t,
    `const { createPromiseCallback } = require('loopback/lib/utils')
    const juggler = require('loopback-datasource-juggler/lib/utils')
    const callback = createPromiseCallback()
    callback(null, 1)
    const failing = juggler.createPromiseCallback()
    failing(new Error('no'))
    app.seen = {
      value: await callback.promise,
      failed: await failing.promise.then(() => null, error => error.message),
      id: juggler.idName(app.models.Thing),
      uniq: juggler.uniq(['a', 'b', 'a']),
      equal: [juggler.idEquals('1', 1), juggler.idEquals('1', 2)],
      escaped: juggler.escapeRegExp('a.b'),
      user: [require('loopback/common/models/user.json').name, Object.keys(require('loopback/common/models/user.json').properties).includes('email')],
      version: require('loopback/package.json').version
    }`
  )
  t.strictSame(seen, {
    value: 1,
    failed: 'no',
    id: 'id',
    uniq: ['a', 'b'],
    equal: [true, false],
    escaped: 'a\\.b',
    user: ['User', true],
    version: '3.28.0'
  })
})

void t.test('texts are formatted as by the globalize of LoopBack', async (t) => {
  const seen = await see(
    t,
    `const g = require('loopback/lib/globalize')
    app.seen = {
      formatted: [g.f('{{term}} is %s', 'x'), g.f('Hi {0}', 'a'), g.formatMessage('plain %s %d', 1, 2), g.f('obj %j', { a: 1 })],
      error: g.Error('no %s', 'way').message
    }`
  )
  t.strictSame(seen, { formatted: ['term is x', 'Hi {0} a', 'plain 1 2', 'obj {"a":1}'], error: 'no way' })
})

void t.test('the members of loopback can be listed', async (t) => {
  const seen = await see(
    t,
    `const keys = Object.keys(require('loopback'))
    app.seen = { all: ['User', 'DataSource', 'createModel', 'rest', 'version'].every(name => keys.includes(name)) }`
  )
  t.strictSame(seen, { all: true })
})

const refused: [string, string][] = [
  ["require('strong-remoting').create()", 'MEMBER_NOT_PROVIDED'],
  ["new (require('strong-remoting').SharedClass)()", 'MEMBER_NOT_PROVIDED'],
  ["require('loopback-datasource-juggler').KeyValueAccessObject.get()", 'MEMBER_NOT_PROVIDED'],
  ["require('loopback/lib/utils').uploadInChunks()", 'MEMBER_NOT_PROVIDED'],
  ["require('loopback/lib/globalize').setLanguage('de')", 'MEMBER_NOT_PROVIDED'],
  ["require('loopback-datasource-juggler').none", 'MODULE_NOT_PROVIDED'],
  ["require('loopback/lib/server-app')", 'MODULE_NOT_PROVIDED']
]
for (const [line, code] of refused) {
  void t.test(`refuses ${line}`, async (t) => {
    const seen = await see(t, `try { ${line} } catch (error) { app.seen = { code: error.code } }`)
    t.strictSame(seen, { code })
  })
}

const credential = {
  'node_modules/has-models/index.js': `const loopback = require('loopback')
    exports.Credential = loopback.createModel(require('./models/credential.json'))
    exports.Bare = loopback.PersistedModel.extend('Bare', { n: 'number' })`,
  'node_modules/has-models/models/credential.json': {
    name: 'Credential',
    properties: { provider: { type: 'string' } },
    options: { plural: 'creds' }
  },
  'node_modules/has-models/models/credential.js': `module.exports = Credential => { Credential.scripted = true }`,
  'server/server.js': `const loopback = require('loopback')
    const app = (module.exports = loopback())
    app.models.Credential === undefined
    const { Credential } = require('has-models')
    app.Credential = Credential
    require('loopback-boot')(app, __dirname)`
}

void t.test('models that a package defines are configured by their names alone', async (t) => {
  const config = { Credential: { dataSource: 'db', public: true }, Bare: { dataSource: 'db', public: false } }
  const server = await bootApp(t, { ...credential, 'server/model-config.json': { _meta: { sources: [] }, ...config } })
  const made = await server.inject({ method: 'POST', url: '/api/creds', payload: { provider: 'x' } })
  t.strictSame(made.json(), { provider: 'x', id: 1 })
  t.equal(server.loopback['Credential'], server.loopback.models['Credential'])
  t.equal((await server.inject('/api/Bares')).statusCode, 404)
})

void t.test('models that a package defines give way to the folder that _meta.sources names', async (t) => {
  const sources = ['../node_modules/has-models/models']
  const config = { _meta: { sources }, Credential: { dataSource: 'db', public: true } }
  const server = await bootApp(t, { ...credential, 'server/model-config.json': config })
  t.equal((await server.inject('/api/creds')).statusCode, 200)
  t.equal(Reflect.get(Object(server.loopback.models['Credential']), 'scripted'), true)
})

// Messages as strong-globalize writes them in English.
void t.test('files of the package loopback are there by their names', async (t) => {
  const seen = await see(
    t,
    `const g = require('loopback/lib/globalize')
    const user = require('loopback/common/models/user'), acl = require('loopback/common/models/acl.js')
    const refused = []
    for (const run of [() => user(app.models.Thing), () => new (require('loopback/lib/registry'))(),
      () => require('loopback-component-storage'), () => require('loopback/lib/nowhere'), () => require('constructor')])
      try { run() } catch (error) { refused.push(error.code) }
    app.seen = {
      refused,
      messages: [g.f('{{id}} %s of %d', 'a', 2), g.formatMessage('{name} is {{here}}', { name: 'Ann' }), g.f('plain')],
      models: [user(app.loopback.User) === app.loopback.User, typeof acl],
      server: require('loopback/lib/runtime').isServer,
      handler: typeof require('loopback/server/middleware/url-not-found')
    }`
  )
  t.strictSame(seen, {
    refused: [
      'MODULE_NOT_PROVIDED',
      'MEMBER_NOT_PROVIDED',
      'MODULE_NOT_PROVIDED',
      'MODULE_NOT_PROVIDED',
      'MODULE_NOT_FOUND'
    ],
    messages: ['id a of 2', 'Ann is here', 'plain'],
    models: [true, 'function'],
    server: true,
    handler: 'function'
  })
})
