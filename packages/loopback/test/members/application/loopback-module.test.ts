import t from 'tap'
import { bootApp } from '../../make-app.ts'

type Loose = Record<string, (...args: unknown[]) => unknown>

const run = async (t: Parameters<typeof bootApp>[0], body: string): Promise<Awaited<ReturnType<typeof bootApp>>> =>
  bootApp(t, { 'server/boot/a.js': `module.exports = async app => { const { loopback } = app; ${body} }` })

void t.test('data sources are made by code, and belong to no application', async (t) => {
  const { loopback: app } = await run(
    t,
    `const { DataSource, Memory } = loopback
    const made = [
      new DataSource('memory'), new DataSource({ connector: 'memory' }), loopback.createDataSource('x', { connector: Memory }),
      loopback.createDataSource({ connector: Memory }), loopback.memory(), loopback.memory('q')
    ]
    app.seen = {
      names: made.map(({ name }) => name),
      instances: [...made, app.dataSources.db].every(one => one instanceof DataSource),
      same: [loopback.memory() === made[4], made[4] === made[5]],
      listed: Object.keys(app.dataSources)
    }
    const Kept = made[2].createModel('Kept', { a: 'string' })
    await Kept.create({ a: 'x' })
    app.seen.kept = [await Kept.count(), Kept.dataSource === made[2]]`
  )
  // Asked of LoopBack 3.28.
  t.strictSame(app['seen'], {
    names: ['memory', 'memory', 'x', 'memory', 'memory', 'memory'],
    instances: true,
    same: [true, false],
    listed: ['db', 'Db'],
    kept: [1, true]
  })
})

void t.test('built-in models are members, and the models of the application are found', async (t) => {
  const { loopback: app } = await run(t, 'app.seen = loopback.Email === loopback.findModel("Email")')
  const loopback = app.loopback as unknown as Loose // functions and classes
  t.equal(app['seen'], true)
  for (const name of [
    'User',
    'AccessToken',
    'Role',
    'RoleMapping',
    'ACL',
    'Email',
    'Application',
    'Scope',
    'KeyValueModel'
  ])
    t.equal(loopback[name] as unknown, loopback['getModel']?.(name), name)
  t.equal(loopback['findModel']?.('None'), undefined)
  t.equal(loopback['findModel']?.(app.models['Thing']), app.models['Thing'])
  t.throws(() => loopback['getModel']?.('None'), { code: 'MODEL_UNKNOWN' })
  t.strictSame([loopback['version'], loopback['isServer'], loopback['isBrowser']] as unknown[], ['3.28.0', true, false])
  t.equal(loopback['registry'] as unknown, app.registry)
  t.equal(loopback['modelBuilder'] as unknown, app.registry.modelBuilder)
  for (const name of ['application', 'request', 'response', 'Route', 'query', 'raw', 'text', 'json', 'urlencoded'])
    t.not(loopback[name], undefined, name)
})

void t.test('Email that is asked for too late names what to do', async (t) => {
  const { loopback: app } = await bootApp(t)
  const { Email } = app.loopback as unknown as Record<string, Loose>
  t.throws(() => Email?.['send']?.({}), { code: 'MEMBER_NOT_PROVIDED' })
})

void t.test('configureModel does what an entry of model-config.json does', async (t) => {
  const { loopback: app } = await run(
    t,
    `const Made = loopback.createModel('Made', {}, { relations: {} })
    loopback.configureModel(Made, {
      dataSource: app.dataSources.db,
      options: { own: 1 },
      acls: [{ permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' }],
      relations: { thing: { type: 'belongsTo', model: 'Thing' } },
      methods: { hello: { returns: { arg: 'a', type: 'string' } } }
    })
    const { settings, dataSource, shared } = Made
    app.seen = { own: settings.own, acls: settings.acls.length, relation: Made.relations.thing.type, shared }
    app.seen.attached = dataSource === app.dataSources.db
    app.seen.method = Made.sharedClass.findMethodByName('hello').name
    try { loopback.configureModel(Made, 1) } catch (error) { app.seen.refused = error.code }`
  )
  t.strictSame(app['seen'], {
    own: 1,
    acls: 1,
    relation: 'belongsTo',
    shared: false,
    attached: true,
    method: 'hello',
    refused: 'SCRIPT_ARGUMENT_INVALID'
  })
})

void t.test('functions that are marked as remote methods are served', async (t) => {
  const server = await run(
    t,
    `const { Thing } = app.models
    Thing.hello = (a, cb) => cb(null, 'hi ' + a)
    loopback.remoteMethod(Thing.hello, {
      accepts: { arg: 'a', type: 'string' },
      returns: { arg: 'g', type: 'string' },
      http: { path: '/hello', verb: 'get' }
    })`
  )
  // Asked of LoopBack 3.28.
  const answer = await server.inject('/api/Things/hello?a=1')
  t.strictSame([answer.statusCode, answer.json()], [200, { g: 'hi 1' }])
})

void t.test('points and dates are those of LoopBack', async (t) => {
  const { loopback: app } = await bootApp(t)
  const { GeoPoint, DateString } = app.loopback as unknown as Record<string, new (...args: unknown[]) => Loose>
  if (GeoPoint === undefined || DateString === undefined) throw new Error('they are there')
  for (const args of [[{ lat: 1, lng: 2 }], ['1,2'], [1, 2], [[1, 2]]])
    t.strictSame({ ...new GeoPoint(...args) }, { lat: 1, lng: 2 })
  const between = (GeoPoint as unknown as Loose)['distanceBetween'] ?? (() => 0)
  const [one, other] = [
    { lat: 1, lng: 2 },
    { lat: 2, lng: 3 }
  ]
  const near = (value: unknown, wanted: number): boolean =>
    t.ok(Math.abs(Number(value) / wanted - 1) < 1e-4, String(value))
  // Asked of LoopBack 3.28.
  near(between(one, other), 97.69520939926898)
  near(between(one, other, { type: 'meters' }), 157225.19907545712)
  near(new GeoPoint(1, 2)['distanceTo']?.(other, { type: 'kilometers' }), 157.22519907545714)
  t.throws(() => between(one, other, { type: 'ells' }), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.throws(() => new GeoPoint('x'), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.equal(GeoPoint.name, 'GeoPoint')
  const date = new DateString('2015-01-01')
  t.strictSame(
    [date['toString']?.(), date['toJSON']?.(), DateString.name],
    ['2015-01-01', '{"when":"2015-01-01"}', 'DateString']
  )
  t.throws(() => new DateString('x'), { code: 'SCRIPT_ARGUMENT_INVALID' })
})

void t.test('errors of rules are instances of ValidationError, and scripts make them of records', async (t) => {
  const { loopback: app } = await run(
    t,
    `const { ValidationError } = loopback
    const Strict = app.dataSources.db.createModel('Strict', { k: { type: String, required: true } })
    const record = new Strict({})
    record.isValid()
    const made = new ValidationError(record)
    const thrown = await Strict.create({}).then(() => null, error => error)
    app.seen = [thrown instanceof ValidationError, made instanceof ValidationError, made.statusCode, made.name, made.details]
    try { new ValidationError({}) } catch (error) { app.seen.push(error.code) }`
  )
  // Asked of LoopBack 3.28, but for the last.
  const details = { context: 'Strict', codes: { k: ['presence'] }, messages: { k: ["can't be blank"] } }
  t.match(app['seen'], [true, true, 422, 'ValidationError', details, 'SCRIPT_ARGUMENT_INVALID'])
})

void t.test('template renders by the ejs of the application', async (t) => {
  const server = await bootApp(t, {
    'node_modules/ejs/index.js': 'exports.compile = text => values => text.replace("<%= a %>", values.a)',
    'server/views/x.ejs': 'a is <%= a %>',
    'server/boot/a.js': `const path = require('path')
      module.exports = app => { app.seen = app.loopback.template(path.join(__dirname, '../views/x.ejs'))({ a: 1 }) }`
  })
  t.equal(server.loopback['seen'], 'a is 1')
  const { template } = server.loopback.loopback as unknown as Loose
  t.throws(() => template?.('/nowhere/x.ejs'), { code: 'VIEW_ENGINE_MISSING' })
})

const refused = [
  'loopback.Change.find()',
  'new loopback.Checkpoint()',
  'class X extends loopback.Connector { }; new X()',
  'loopback.Memory()',
  'loopback.runInContext(() => {})',
  'loopback.getCurrentContext()',
  'loopback.faviconFile'
]
for (const line of refused) {
  void t.test(`refuses ${line}, and says what to use`, async (t) => {
    const { loopback: app } = await run(t, `try { ${line} } catch (error) { app.seen = error }`)
    t.match(app['seen'], { code: 'MEMBER_NOT_PROVIDED', message: /is not provided: / })
  })
}

const withoutConnector = [
  'new loopback.DataSource()',
  "loopback.createDataSource('x', { connector: { other() {} } })",
  "loopback.createDataSource('x', { connector: () => ({}) })"
]
for (const line of withoutConnector) {
  void t.test(`refuses ${line}`, async (t) => {
    const { loopback: app } = await run(t, `try { ${line} } catch (error) { app.seen = error }`)
    t.match(app['seen'], { code: 'CONNECTOR_UNKNOWN' })
  })
}
