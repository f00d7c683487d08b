import { modelwire, type ModelDefinition } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'

// LoopBack's connector for MongoDB carries out `$set` and others in what it is given, where `allowExtendedOperators` is set. They
// would get past read-only properties and access rules.

type Callback = (error: unknown, result?: unknown) => void

/** A connector that calls itself `name`, with one record, and notes what it is to write. */
function driverOf(name: string) {
  const written: object[] = []
  const note = (data: object, callback: Callback): void => {
    written.push(data)
    callback(null, { count: 1 })
  }
  const all = [{ id: '1', owner: 'me' }]
  return {
    written,
    connector: {
      name,
      getDefaultIdType: () => String,
      create: (_m: string, data: object, _o: object, callback: Callback) => note(data, callback),
      all: (_m: string, _f: object, _o: object, callback: Callback) => callback(null, all),
      count: (_m: string, _w: object, _o: object, callback: Callback) => callback(null, all.length),
      update: (_m: string, _w: object, data: object, _o: object, callback: Callback) => note(data, callback),
      updateAttributes: (_m: string, _id: string, data: object, _o: object, callback: Callback) => note(data, callback),
      replaceById: (_m: string, _id: string, data: object, _o: object, callback: Callback) => note(data, callback),
      destroy: (_m: string, _id: string, _o: object, callback: Callback) => callback(null)
    }
  }
}

const item: ModelDefinition = {
  name: 'Item',
  public: true,
  strict: false,
  remoting: { sharedMethods: { updateAll: true } },
  properties: { id: { type: 'string', id: true, generated: true }, owner: 'string' }
}

async function serve(t: Test, name: string) {
  const { connector, written } = driverOf(name)
  const initialize = (dataSource: object, callback: () => void): void => {
    Object.assign(dataSource, { connector })
    process.nextTick(callback)
  }
  const app = Fastify({ requestTimeout: 1000 })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: loopback({ initialize }) }, models: [item], shutdownTime: 0 })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const send = async (method: 'POST' | 'PATCH' | 'PUT', path: string, payload: object) =>
    app.inject({ method, url: `/api/Items${path}`, payload })
  return { app, send, written }
}

void t.test('clients may not use operators of MongoDB in data', async (t) => {
  const { send, written } = await serve(t, 'mongodb')
  const data = { note: 'x', $set: { owner: 'you' } }
  for (const [method, path, more] of [
    ['POST', '', {}],
    ['PATCH', '/1', {}],
    ['PUT', '/1', {}],
    ['POST', '/1/replace', {}],
    ['PATCH', '', { id: '1' }],
    ['PUT', '', { id: '1' }],
    ['POST', '/replaceOrCreate', { id: '1' }],
    ['POST', '/update?where={"owner":"me"}', {}],
    ['POST', '/upsertWithWhere?where={"owner":"me"}', {}]
  ] as const) {
    const { statusCode, body } = await send(method, path, { ...data, ...more })
    t.equal(statusCode, 400, `${method} ${path}`)
    t.match(body, 'PROPERTY_NAME_REFUSED')
  }
  t.equal((await send('POST', '', [data] as object)).statusCode, 400, 'several records')
  t.same(written, [])
  t.equal((await send('PATCH', '/1', { note: 'x', meta: { $set: 1 } })).statusCode, 200, 'deeper they are values')
})

void t.test('code of the application may, and clients may of no database of which nothing is known', async (t) => {
  const { app, written } = await serve(t, 'mongodb')
  await app.models.get('Item').updateAll({ id: '1' }, { $set: { owner: 'you' } })
  t.match(written, [{ $set: { owner: 'you' } }])
  const other = await serve(t, 'other')
  t.equal((await other.send('PATCH', '/1', { $set: 1 })).statusCode, 400)
})
