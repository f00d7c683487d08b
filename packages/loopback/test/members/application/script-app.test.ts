import t from 'tap'
import { bootApp, notesOf, refusal } from '../../make-app.ts'

void t.test('settings can be read and set', async (t) => {
  const { loopback: app } = await bootApp(t, { 'server/config.json': { own: { a: 1 } } })
  t.strictSame([app.get('own'), app.get('restApiRoot'), app.get('env')], [{ a: 1 }, '/api', 'development'])
  t.equal(app.set('x', 1).get('x'), 1)
  t.ok(app.enable('y').enabled('y'))
  t.ok(app.disable('y').disabled('y'))
})

void t.test('models are found by name and listed', async (t) => {
  const { loopback: app } = await bootApp(t, {
    'common/models/big.json': { name: 'big-thing' },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Thing: { dataSource: 'db' },
      'big-thing': { dataSource: 'db' }
    }
  })
  const { models } = app
  t.equal(models['bigThing'], models['big-thing'])
  t.equal(models['BigThing'], models['big-thing'])
  t.equal(models['thing'], undefined)
  t.ok('Thing' in models)
  t.strictSame(new Set(Object.keys(models)), new Set(['big-thing', 'Thing']))
  t.equal(app.models().length, 2)
  t.equal(app.registry.getModel('Thing'), models['Thing'])
  t.equal(app.registry.findModel('None'), undefined)
  t.throws(() => app.registry.getModel('None'), { code: 'MODEL_UNKNOWN' })
  t.equal(app.loopback.getModelByType(models['Thing']), models['Thing'])
  t.ok(app.loopback['PersistedModel'])
})

void t.test('data sources are found by name', async (t) => {
  const { loopback: app } = await bootApp(t, {
    'server/datasources.json': { db: { connector: 'memory' }, 'my-db': { connector: 'transient' } }
  })
  t.equal(app.dataSources['myDb'], app.datasources['MyDb'])
  t.match(app.dataSources['my-db']?.connector, { name: 'transient' })
  await app.dataSources['db']?.ping()
})

void t.test('scripts add models and data sources', async (t) => {
  const script = `module.exports = app => {
    const extra = app.dataSource('extra', { connector: 'memory' })
    const Late = app.loopback.createModel('Late', { n: 'number' }, { plural: 'late' })
    app.model(Late, { dataSource: extra, public: true })
    const Sub = app.models.Thing.extend('Sub', { more: 'string' })
    app.model('Sub', { dataSource: 'db', public: false })
    Sub.attachTo(extra)
  }`
  const server = await bootApp(t, { 'server/boot/a.js': script })
  t.strictSame((await server.inject({ method: 'POST', url: '/api/late', payload: { n: '5' } })).json(), { n: 5, id: 1 })
  t.equal((await server.inject('/api/Subs')).statusCode, 404)
  t.equal(server.models.typeOf('Sub').dataSource?.name, 'extra')
})

void t.test("LoopBack's own handlers can be mounted, as generated applications do", async (t) => {
  const script = `module.exports = server => {
    const router = server.loopback.Router()
    router.get('/', server.loopback.status())
    server.use(router)
    server.use('/v2', server.loopback.rest())
    server.get('/health', server.loopback.status())
  }`
  const server = await bootApp(t, { 'server/boot/root.js': script })
  for (const url of ['/', '/health'])
    t.match((await server.inject(url)).json(), { started: String, uptime: Number }, url)
  for (const url of ['/api/Things', '/v2/Things']) t.equal((await server.inject(url)).statusCode, 200, url)
  t.strictSame(server.bootReport.served.paths, ['/api', '/v2'])
})

const express = ['app.loopback.Router()({}, {})']
for (const line of express) {
  void t.test(`says that it is not provided: ${line}`, async (t) => {
    const error = await refusal(t, { 'server/boot/a.js': `module.exports = app => { ${line} }` })
    t.strictSame(error, { code: 'EXPRESS_NOT_SUPPORTED', file: 'server/boot/a.js' })
  })
}

void t.test('a script asks for access control', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': 'module.exports = app => { app.enableAuth(); app.start(); app.listen() }'
  })
  t.strictSame(notesOf(server), [])
  t.equal(server.loopback.isAuthEnabled, true)
})

void t.test('a guard of an extension is access control', async (t) => {
  const acl = {
    name: 'acl',
    beforeScripts: (context: { registry: { addGuardSource: (source: () => () => void) => void } }) =>
      context.registry.addGuardSource(() => () => {})
  }
  const server = await bootApp(
    t,
    { 'server/boot/a.js': 'module.exports = app => app.enableAuth()' },
    { extensions: [acl] }
  )
  t.strictSame(notesOf(server), [])
})

const misused: [string, string][] = [
  ['middleware that is no function', 'app.use({})'],
  ['middleware without a handler', 'app.use("/x")'],
  ['a handler that is none', 'app.get("/x", "y")'],
  ['an unknown phase', 'app.middleware("nowhere", () => {})'],
  ['middleware of a configuration without a function', 'app.middlewareFromConfig({}, {})'],
  ['a factory that makes no handler', 'app.middlewareFromConfig(() => 1, { phase: "auth" })'],
  ['a path that Express does not know', 'app.get("/x(", () => {})'],
  ['a model that is none', 'app.model("None", {})'],
  ['a connector that is none', 'app.connector("x", { other() {} })'],
  ['a handler that is called', 'app.loopback.rest()({}, {})']
]
for (const [name, line] of misused) {
  void t.test(`refuses ${name}`, async (t) => {
    const { code } = await refusal(t, { 'server/boot/a.js': `module.exports = app => { ${line} }` })
    t.ok(['CONNECTOR_UNKNOWN', 'SCRIPT_ARGUMENT_INVALID', 'EXPRESS_NOT_SUPPORTED'].includes(code), code)
  })
}

void t.test('a model that a script makes and attaches hears of it', async (t) => {
  const server = await bootApp(t, {
    'server/boot/make.js': `module.exports = app => {
      const heard = []
      const Made = app.registry.createModel('Made', { label: 'string' })
      Made.on('dataSourceAttached', model => heard.push(model === Made)).on('attached', to => heard.push(to === app))
      app.model(Made, { dataSource: 'db' })
      Made.attachTo(app.dataSources.db)
      app.set('heard', heard)
    }`
  })
  t.strictSame(server.loopback.get('heard'), [true, true, true])
  t.equal((await server.inject('/api/Mades')).statusCode, 200)
})
