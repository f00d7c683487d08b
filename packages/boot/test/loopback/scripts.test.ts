import t from 'tap'
import { bootApp } from '../make-app.ts'
import { answersAsLoopback, filesOf } from './answers.ts'

t.test('models and data sources are found with a capital letter', async (t) => {
  const boot = `module.exports = app => app.set('seen', [
    app.models.Team === app.models.team, 'Team' in app.models, app.models.crew, app.models.WhiteHouse === app.models['white-house'],
    app.models.whiteHouse === app.models.WhiteHouse, app.dataSources.Db === app.dataSources.db
  ])`
  const server = await bootApp(t, { ...filesOf({ team: {}, Crew: {}, 'white-house': {} }), 'server/boot/a.js': boot })
  t.strictSame(server.loopback.get('seen'), [true, true, undefined, true, true, true])
})

t.test('this of a remote hook is the model, or the record whose method is called', async (t) => {
  const say = "(this.modelName || 'record ' + this.id) + ' ' + (ctx.getScope() === this)"
  const boot = `module.exports = app => {
    app.remotes().before('**', function (ctx, next) { ctx.res.set('x-before', ${say}); next() })
    app.remotes().after('**', function (ctx, next) { ctx.res.set('x-after', ${say}); next() })
    app.remotes().afterError('**', function (ctx, next) { ctx.res.set('x-error', ${say}); next() })
    app.remotes().after('*.find', function (ctx, next) {
      this.count(ctx.args.filter && ctx.args.filter.where, (error, count) => { ctx.res.set('x-total-count', count); next(error) })
    })
    app.models.Thing.beforeRemote('prototype.patchAttributes', function (ctx, unused, next) { ctx.args.data.label += this.id; next() })
    return app.models.Thing.create([{ label: 'a' }, { label: 'b' }])
  }`
  const server = await bootApp(t, { 'server/boot/a.js': boot })
  const list = await server.inject('/api/Things?filter={"where":{"label":"a"},"limit":1}')
  t.equal(list.headers['x-total-count'], '1')
  t.equal(list.headers['x-before'], 'Thing true')
  const patched = await server.inject({ method: 'PATCH', url: '/api/Things/2', payload: { label: 'c' } })
  t.equal(patched.headers['x-after'], 'record 2 true')
  t.equal(patched.json().label, 'c2')
  t.equal((await server.inject('/api/Things/9/exists')).headers['x-after'], 'Thing true')
  const failed = await server.inject({ method: 'PUT', url: '/api/Things/9', payload: {} })
  t.equal(failed.headers['x-error'], 'Thing true')
})

t.test('Model.definition answers questions about ids, columns and indexes', async (t) => {
  const properties = {
    code: { type: 'string', id: true, postgresql: { columnName: 'c_code' } },
    label: { type: 'string', index: true, postgresql: { column: 'c_label', dataType: 'text' } }
  }
  const file = { properties, postgresql: { table: 't_desk' }, indexes: { both: { keys: { code: 1 } } } }
  const boot = `module.exports = app => { const d = app.models.Desk.definition; app.set('seen', [
    d.idName(), d.idNames(), d.ids().map(({ name, id }) => [name, id]), d.hasPK(), d.tableName('postgresql'), d.tableName('mysql'),
    d.columnName('postgresql', 'label'), d.columnName('mysql', 'label'), d.columnNames('postgresql'), d.idColumnName('postgresql'),
    d.columnMetadata('postgresql', 'label'), d.columnMetadata('mysql', 'label'), d.indexes(), d.build() === d.properties, d.toJSON().name
  ]) }`
  const server = await bootApp(t, { ...filesOf({ Desk: { file } }), 'server/boot/a.js': boot })
  t.strictSame(server.loopback.get('seen'), [
    'code',
    ['code'],
    [['code', 1]],
    true,
    't_desk',
    'Desk',
    'c_label',
    'label',
    ['c_code', 'c_label'],
    'c_code',
    { column: 'c_label', dataType: 'text' },
    null,
    { both: { keys: { code: 1 } }, label_index: true },
    true,
    'Desk'
  ])
})

t.test('a method that gives nothing is answered without a body', async (t) => {
  const root = "returns: { arg: 'x', type: 'object', root: true }"
  const script = `module.exports = M => {
    const add = (name, fn, spec) => { M[name] = fn; M.remoteMethod(name, spec) }
    add('called', cb => cb(), { http: { verb: 'get' }, ${root} })
    add('nothing', cb => cb(null, undefined), { http: { verb: 'get' }, ${root} })
    add('promised', async () => {}, { http: { verb: 'get' }, ${root} })
    add('none', cb => cb(null, null), { http: { verb: 'get' }, ${root} })
    add('empty', async () => ({}), { http: { verb: 'get' }, ${root} })
    add('ok', cb => cb(), { http: { verb: 'get', status: 200 } })
    add('made', cb => cb(), { http: { verb: 'get', status: 201 } })
    add('madePromised', async () => {}, { http: { verb: 'get', status: 201 }, ${root} })
    add('header', cb => cb(null, 'v'), { http: { verb: 'get' }, returns: { arg: 'x', type: 'string', http: { target: 'header' } } })
    add('status', cb => cb(null, 201), { http: { verb: 'get' }, returns: { arg: 'x', type: 'number', http: { target: 'status' } } })
    add('named', cb => cb(), { http: { verb: 'get' }, returns: { arg: 'x', type: 'string' } })
  }`
  await answersAsLoopback(t, { Desk: { script } }, [
    ['GET /Desks/called', 200, {}],
    ['GET /Desks/nothing', 204],
    ['GET /Desks/promised', 204],
    ['GET /Desks/none', 200, null],
    ['GET /Desks/empty', 200, {}],
    ['GET /Desks/ok', 204],
    ['GET /Desks/made', 201],
    ['GET /Desks/madePromised', 201],
    ['GET /Desks/header', 200, {}],
    ['GET /Desks/status', 201, {}],
    ['GET /Desks/named', 200, {}]
  ])
})

t.test(
  'a model `role` is `Role` in app.models where the application does without the built-in one, as in LoopBack',
  async (t) => {
    const boot = `module.exports = app => app.set('seen', [app.models.Role === app.models.role, app.loopback.Role === app.models.role])`
    const server = await bootApp(t, { ...filesOf({ role: { file: { base: 'Role' } } }), 'server/boot/a.js': boot })
    t.strictSame(server.loopback.get('seen'), [true, false])
  }
)

t.test('a model `user` that extends `User` is `User` in app.models, as in LoopBack', async (t) => {
  const boot = `module.exports = app => {
    app.set('seen', [app.models.User, app.models.user, app.loopback.User].map(model => model.modelName))
  }`
  const models = filesOf({ user: { file: { base: 'User' } } })
  const inner = { dataSource: 'db', public: false }
  const both = { ...Object(models['server/model-config.json']), User: inner, AccessToken: inner }
  const server = await bootApp(t, { ...models, 'server/model-config.json': both, 'server/boot/a.js': boot })
  t.strictSame(server.loopback.get('seen'), ['user', 'user', 'User'])
})

t.test('findOrCreate takes one object for both what is looked for and what is created', async (t) => {
  const boot = `module.exports = (app, done) => app.models.Thing.findOrCreate({ label: 'a' }, (error, record, isNew) => {
    app.set('seen', [record.label, isNew])
    app.models.Thing.findOrCreate({ label: 'a' }).then(([same, again]) => { app.get('seen').push(same.id === record.id, again); done(error) })
  })`
  const server = await bootApp(t, { 'server/boot/a.js': boot })
  t.strictSame(server.loopback.get('seen'), ['a', true, true, false])
})

const invalid = `module.exports = async app => {
  const { Thing } = app.models
  Thing.validatesPresenceOf('label')
  await Thing.create({ label: 'a' })
  const calls = []
  for (const name of ['access', 'before save', 'persist', 'loaded', 'after save']) Thing.observe(name, async () => { calls.push(name) })
  const call = async (where, data) => {
    calls.length = 0
    const came = await Thing.findOrCreate({ where }, data).then(([, isNew]) => isNew, (error) => error.statusCode)
    return [came, ...calls]
  }
  app.set('seen', [await call({ label: 'a' }, {}), await call({ label: 'a' }, { label: 'b' }), await call({ label: 'c' }, { label: 'c' })])
}`

t.test('findOrCreate of the memory connector wants a valid record, also where it finds one', async (t) => {
  // As LoopBack 3.28 answers: its memory connector finds or creates by itself.
  const server = await bootApp(t, { 'server/boot/a.js': invalid })
  t.strictSame(server.loopback.get('seen'), [
    [422, 'access', 'before save'],
    [false, 'access', 'before save', 'persist', 'loaded'],
    [true, 'access', 'before save', 'persist', 'loaded', 'after save']
  ])
})

t.test(
  'promises that scripts get are those of bluebird, and a failed one that nobody handles ends nothing',
  async (t) => {
    const boot = `module.exports = async app => {
    const { Thing } = app.models
    await Thing.create([{ label: 'a' }, { label: 'b' }])
    const labels = await Thing.find().filter(({ label }) => label > 'a').map(({ label }) => label)
    const both = await Thing.findOrCreate({ where: { label: 'a' } }, {}).spread((record, isNew) => [record.label, isNew])
    const fail = () => Thing.prototype.patchAttributes.call(new Thing({ id: 99 }), { label: 'c' })
    fail()
    const error = await fail().catch(error => error)
    await new Promise(setImmediate)
    app.set('seen', [labels, both, error.statusCode])
  }`
    const server = await bootApp(t, { 'server/boot/a.js': boot })
    t.strictSame(server.loopback.get('seen'), [['b'], ['a', false], 404])
  }
)

t.test('record.__data has properties and included records, and what is set there is shown', async (t) => {
  const things = { hasMany: { type: 'hasMany', model: 'Thing', foreignKey: 'boxId' } }
  const files = filesOf({
    Box: {
      file: {
        hidden: ['secret'],
        properties: { name: 'string', secret: 'string' },
        relations: { things: things.hasMany }
      }
    },
    Thing: { file: { properties: { label: 'string' } } }
  })
  const boot = `module.exports = async app => {
    const box = await app.models.Box.create({ name: 'a', secret: 's' })
    await box.things.create({ label: 'b' })
    app.models.Box.afterRemote('**', (ctx, result, next) => {
      const data = ctx.result.__data
      app.set('seen', [{ ...data, things: data.things.map(thing => thing.label) }, ctx.result.__cachedRelations.things.length])
      data.name = 'c'
      data.things = 'none'
      next()
    })
  }`
  const server = await bootApp(t, { ...files, 'server/boot/a.js': boot })
  const answer = await server.inject('/api/Boxes/1?filter={"include":"things"}')
  t.strictSame(server.loopback.get('seen'), [{ name: 'a', secret: 's', id: 1, things: ['b'] }, 1])
  t.strictSame(answer.json(), { name: 'c', id: 1, things: 'none' })
})

t.test('models of accounts know those of mail and tokens', async (t) => {
  const boot = `module.exports = app => {
    const { Person } = app.models
    app.set('seen', [Person.email === app.models.Email, Person.accessToken === app.loopback.AccessToken])
  }`
  const server = await bootApp(t, {
    ...filesOf({ Person: { file: { base: 'User' } }, Email: {} }),
    'server/boot/a.js': boot
  })
  t.strictSame(server.loopback.get('seen'), [true, true])
})

t.test('rules that a rule adds count from the next record on', async (t) => {
  const script = `module.exports = Thing => Thing.validate('label', () => Thing.validatesInclusionOf('label', { in: ['a'] }))`
  const server = await bootApp(t, filesOf({ Thing: { script, file: { properties: { label: 'string' } } } }))
  const statuses = []
  for (const label of ['b', 'b'])
    statuses.push((await server.inject({ method: 'POST', url: '/api/Things', payload: { label } })).statusCode)
  t.strictSame(statuses, [200, 422])
})

t.test('a token that middleware of the application puts there is seen by authorization of its own', async (t) => {
  const boot = `module.exports = app => {
    app.middleware('auth', (req, res, next) => { req.accessToken = { id: 7, offices: [] }; next() })
    app.remotes().authorization = (ctx, next) => { app.set('seen', ctx.req.accessToken); next() }
  }`
  const server = await bootApp(t, { 'server/boot/a.js': boot })
  t.equal((await server.inject('/api/Things')).statusCode, 200)
  t.strictSame(server.loopback.get('seen'), { id: 7, offices: [] })
})
