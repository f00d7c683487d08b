import t from 'tap'
import { bootApp } from '../make-app.ts'
import { answersAsLoopback, filesOf } from './answers.ts'

const loaded = `module.exports = M => {
  M.observe('loaded', (ctx, next) => { ctx.data.x = ctx.isNewInstance ? 'new' : 'old'; ctx.data.y = 'Y'; next() })
  M.observe('after save', async ctx => { M.saved = ctx.instance.x })
  M.last = async () => String(M.saved)
  M.remoteMethod('last', { http: { verb: 'get' }, returns: { arg: 'x', type: 'string' } })
}`

t.test('answers to writes show what observers of loaded set', async (t) => {
  const properties = { n: 'number', x: 'string' }
  await answersAsLoopback(
    t,
    {
      Desk: { file: { properties }, script: loaded },
      Free: { file: { properties, forceId: false }, script: loaded },
      Told: { file: { properties, updateOnLoad: true }, script: loaded }
    },
    [
      ['POST /Desks {"n":1}', 200, { n: 1, id: 1 }],
      ['PUT /Desks/1 {"n":2}', 200, { n: 2, x: 'old', id: 1, y: 'Y' }],
      ['GET /Desks/last', 200, { x: 'old' }],
      ['PATCH /Desks/1 {"n":3}', 200, { n: 3, x: 'old', id: 1, y: 'Y' }],
      ['POST /Desks/1/replace {"n":3}', 200, { n: 3, x: 'old', id: 1, y: 'Y' }],
      ['PUT /Desks {"id":1,"n":4}', 200, { n: 4, x: 'old', id: 1, y: 'Y' }],
      ['POST /Desks/upsertWithWhere?where={"id":1} {"n":5}', 200, { n: 5, x: 'old', id: 1, y: 'Y' }],
      ['POST /Desks/upsertWithWhere?where={"n":55} {"n":55}', 200, { n: 55, x: 'new', id: 2, y: 'Y' }],
      ['GET /Desks/last', 200, { x: 'new' }],
      ['PUT /Frees {"id":2,"n":2}', 200, { n: 2, x: 'new', id: 2, y: 'Y' }],
      ['PUT /Frees {"id":2,"n":3}', 200, { n: 3, x: 'old', id: 2, y: 'Y' }],
      ['PATCH /Frees {"id":3,"n":2}', 200, { n: 2, x: 'new', id: 3, y: 'Y' }],
      ['PATCH /Frees {"id":3,"n":3}', 200, { n: 3, x: 'old', id: 3, y: 'Y' }],
      ['POST /Tolds {"n":1}', 200, { n: 1, x: 'new', id: 1, y: 'Y' }]
    ]
  )
})

t.test(
  'what observers of loaded set is not stored, and a strict model does not show what it does not declare',
  async (t) => {
    const file = { properties: { n: 'number', x: 'string' }, strict: true }
    const server = await answersAsLoopback(t, { Desk: { file, script: loaded } }, [
      ['POST /Desks {"n":1}', 200, { n: 1, id: 1 }],
      ['POST /Desks/upsertWithWhere?where={"id":1} {"n":5}', 200, { n: 5, x: 'old', id: 1 }]
    ])
    t.same((await server.inject('/api/Desks?filter={"where":{"x":"old"}}')).json(), [])
  }
)

t.test('conditions through a path into an empty list find the record, for changes of many as well', async (t) => {
  const parts = [{ n: 1 }, { n: 2 }]
  const found = [1, 3].map((id) => ({ id }))
  const of = (where: object) => `GET /Desks?filter=${JSON.stringify({ fields: ['id'], where })}`
  await answersAsLoopback(t, { Desk: { file: { properties: { parts: ['object'], x: 'number' } } } }, [
    [`POST /Desks ${JSON.stringify([{ parts: [] }, { parts }, {}])}`, 200],
    [of({ 'parts.n': null }), 200, found],
    [of({ and: [{ 'parts.n': { nin: [1, 2] } }] }), 200, found],
    [of({ 'parts.n': { nlike: '[12]' } }), 200, found],
    [of({ 'parts.n': { inq: [null] } }), 200, found],
    ['POST /Desks/update?where={"parts.n":{"nin":[1,2]}} {"x":1}', 200, { count: 2 }]
  ])
})

t.test('upsertWithWhere never changes an id', async (t) => {
  const properties = { n: 'number', m: 'string' }
  await answersAsLoopback(t, { Free: { file: { properties, forceId: false } }, Desk: { file: { properties } } }, [
    ['POST /Frees {"n":1,"m":"a"}', 200, { n: 1, m: 'a', id: 1 }],
    ['POST /Frees/upsertWithWhere?where={"n":1} {"id":9,"m":"b"}', 200, { n: 1, m: 'b', id: 1 }],
    ['GET /Frees', 200, [{ n: 1, m: 'b', id: 1 }]],
    ['POST /Frees/upsertWithWhere?where={"n":5} {"id":12,"n":5}', 200, { n: 5, id: 12 }],
    ['POST /Desks {"n":1}', 200],
    ['POST /Desks/upsertWithWhere?where={"n":1} {"id":1,"m":"c"}', 422]
  ])
})

t.test('a foreign key that can be a number becomes one', async (t) => {
  const relations = { owner: { type: 'belongsTo', model: 'Owner', foreignKey: 'ownerId' } }
  await answersAsLoopback(t, { Owner: {}, Desk: { file: { relations } } }, [
    ['POST /Desks {"ownerId":true}', 200, { id: 1, ownerId: 1 }],
    ['POST /Desks {"ownerId":3}', 200, { id: 2, ownerId: 3 }],
    ['PATCH /Desks/2 {"ownerId":true}', 200, { id: 2, ownerId: 1 }],
    ['PATCH /Desks/2 {"ownerId":[7]}', 200, { id: 2, ownerId: 7 }],
    ['PATCH /Desks/2 {"ownerId":false}', 200, { id: 2, ownerId: 0 }],
    ['PATCH /Desks/2 {"ownerId":"x"}', 200, { id: 2, ownerId: null }]
  ])
})

t.test('HEAD is 404 where a hook wraps the answer that says whether a record exists', async (t) => {
  const script = `module.exports = M => {
    M.afterRemote('**', (ctx, _, next) => { ctx.result = { data: ctx.result }; next() })
  }`
  await answersAsLoopback(t, { Desk: { file: { properties: { n: 'number' } }, script } }, [
    ['POST /Desks {"n":1}', 200, { data: { n: 1, id: 1 } }],
    ['GET /Desks/1/exists', 200, { data: { exists: true } }],
    ['HEAD /Desks/1', 404],
    ['HEAD /Desks/9', 404]
  ])
})

t.test('a hook makes the result of what returns nothing, and sees null where there is no record', async (t) => {
  const script = `module.exports = M => {
    M.afterRemote('**', (ctx, _, next) => { ctx.result = { data: ctx.result, done: true }; next() })
  }`
  const relations = { pens: { type: 'hasMany', model: 'Pen' } }
  await answersAsLoopback(t, { Desk: { file: { relations }, script }, Pen: {} }, [
    ['POST /Desks {}', 200, { data: { id: 1 }, done: true }],
    ['GET /Desks/findOne?filter={"where":{"id":9}}', 200, { data: null, done: true }],
    ['GET /Desks/9', 200, { data: null, done: true }],
    ['DELETE /Desks/1/pens', 200, { done: true }]
  ])
})

t.test('a default of another type is answered as it is written, and stored as the type of its property', async (t) => {
  const properties = {
    a: { type: 'number', default: '0.1' },
    b: { type: 'boolean', default: 1 },
    c: { type: 'number', default: '' },
    e: { type: 'date', default: '2020-01-01' },
    n: 'string'
  }
  const converted = { a: 0.1, b: true, c: 0, e: '2020-01-01T00:00:00.000Z' }
  await answersAsLoopback(t, { Desk: { file: { properties } } }, [
    ['POST /Desks {"n":"x"}', 200, { a: '0.1', b: 1, c: '', e: '2020-01-01', n: 'x', id: 1 }],
    ['GET /Desks', 200, [{ ...converted, n: 'x', id: 1 }]],
    ['PATCH /Desks/1 {"n":"y"}', 200, { ...converted, n: 'y', id: 1 }],
    ['GET /Desks?filter={"where":{"b":true}}', 200, [{ ...converted, n: 'y', id: 1 }]],
    ['GET /Desks?filter={"where":{"a":{"gt":0}}}', 200, [{ ...converted, n: 'y', id: 1 }]],
    ['PUT /Desks/1 {"n":"r"}', 200, { ...converted, n: 'r', id: 1 }],
    ['PATCH /Desks {"n":"p"}', 200, { a: '0.1', b: 1, c: '', e: '2020-01-01', n: 'p', id: 2 }],
    ['POST /Desks {"a":"0.1","b":1,"c":"","e":"2020-01-01"}', 200, { ...converted, id: 3 }]
  ])
})

t.test('HEAD tells of a record that does not exist on both paths', async (t) => {
  await answersAsLoopback(t, { Desk: {} }, [
    ['POST /Desks {}', 200],
    ['HEAD /Desks/1/exists', 200],
    ['HEAD /Desks/9/exists', 404],
    ['HEAD /Desks/9', 404],
    ['GET /Desks/9/exists', 200, { exists: false }]
  ])
})

t.test('a change stream tells a PUT of a new id as a creation', async (t) => {
  const boot = `module.exports = app => {
    const told = []
    app.set('told', told)
    app.models.Free.createChangeStream((error, stream) => stream.on('data', change => told.push([change.type, change.target])))
  }`
  const server = await bootApp(t, {
    ...filesOf({ Free: { file: { properties: { n: 'number' }, forceId: false } } }),
    'server/boot/a.js': boot
  })
  for (const n of [1, 2]) await server.inject({ method: 'PUT', url: '/api/Frees', payload: { id: 7, n } })
  const told: unknown = server.loopback.get('told')
  t.same(told, [
    ['create', 7],
    ['update', 7]
  ])
})

t.test('preflightContinue lets preflights go on', async (t) => {
  const middleware = (preflightContinue: boolean) => ({
    initial: { cors: { params: { origin: true, preflightContinue } } },
    routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
    final: { 'loopback#urlNotFound': {} },
    'final:after': { 'strong-error-handler': { params: { log: false } } }
  })
  for (const [continues, status] of [
    [true, 404],
    [false, 204]
  ] as const) {
    const server = await bootApp(t, { 'server/middleware.json': middleware(continues) })
    const headers = { origin: 'http://a.example', 'access-control-request-method': 'PUT' }
    const answer = await server.inject({ method: 'OPTIONS', url: '/api/Things', headers })
    t.equal(answer.statusCode, status)
    t.equal(answer.headers['access-control-allow-origin'], 'http://a.example')
  }
})
