import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { modelwire } from '@modelwire/core'
import { keyValue, keyValueModel } from '@modelwire/key-value'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { loadModule } from './load-module.ts'

const address = new URL(process.env['MODELWIRE_REDIS_URL'] ?? 'redis://127.0.0.1:6379')

/** Why the tests cannot run here; false where they can. */
const whyNoServer = await new Promise<string | false>((resolve) => {
  const socket = connect(Number(address.port), address.hostname, () => {
    socket.end()
    resolve(false)
  })
  socket.on('error', () => resolve('needs Redis: at 127.0.0.1:6379, or at MODELWIRE_REDIS_URL'))
})

async function serve(t: Test): Promise<{ app: FastifyInstance; call: (name: string, ...args: unknown[]) => unknown }> {
  const app = Fastify()
  const name = `Key${randomUUID().replaceAll('-', '')}`
  const db = loopback(loadModule('loopback-connector-kv-redis'), { name: 'kv', url: address.href })
  await app.register(modelwire, {
    dataSources: { kv: db },
    models: [keyValueModel, { name, plural: 'keys-of-test', base: 'KeyValueModel', public: true }]
  })
  await app.register(keyValue)
  await app.register(rest, { prefix: '/api' })
  const call = (method: string, ...args: unknown[]): unknown => {
    const fn = Reflect.get(app.models.get(name), method) as (...given: unknown[]) => unknown
    return fn.apply(app.models.get(name), args)
  }
  await app.ready()
  t.teardown(async () => {
    await call('deleteAll')
    await app.close()
  })
  return { app, call }
}

void t.test('models of a key-value store have its methods', { skip: whyNoServer }, async (t) => {
  const { call } = await serve(t)
  await call('set', 'one', { a: 1 })
  await call('set', 'two', 'text', 60_000)
  t.same(await call('get', 'one'), { a: 1 })
  t.equal(await call('get', 'none'), null)
  t.ok(Number(await call('ttl', 'two')) > 1000)
  await call('expire', 'one', 50_000)
  t.same([...((await call('keys')) as string[])].sort(), ['one', 'two'])
  await call('delete', 'one')
  t.same(await call('keys'), ['two'])
  await t.rejects(async () => call('get', ''), { code: 'INVALID_ARGUMENT', statusCode: 400 })
  await t.rejects(async () => call('set', 'a', 1, 0), { code: 'INVALID_ARGUMENT' })
  await t.rejects(async () => call('ttl', 'none'), { message: /unknown key/ })
})

void t.test(
  'the methods of a key-value store are served as those of KeyValueModel',
  { skip: whyNoServer },
  async (t) => {
    const { app } = await serve(t)
    const at = (path: string): string => `/api/keys-of-test${path}`
    const put = await app.inject({ method: 'PUT', url: at('/one?ttl=60000'), payload: { a: 1 } })
    t.equal(put.statusCode, 204)
    t.same((await app.inject(at('/one'))).json(), { a: 1 })
    t.same((await app.inject(at('/keys'))).json(), ['one'])
    t.type((await app.inject(at('/one/ttl'))).json(), 'number')
    t.equal((await app.inject({ method: 'PUT', url: at('/one/expire'), payload: { ttl: 5000 } })).statusCode, 204)
    const missing = await app.inject(at('/none'))
    t.equal(missing.statusCode, 404)
    t.match(missing.json(), { error: { code: 'KEY_NOT_FOUND' } })
  }
)
