import memory from '@modelwire/connector-memory'
import modelwire from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { rest } from '#src/plugin.ts'

const Coffee = {
  name: 'Coffee',
  public: true,
  properties: { label: { type: 'string', required: true }, grams: 'number' }
}

/** One protocol version with its models and routes, in a scope of its own. */
const suite = (version: 2 | 3) => async (scope: FastifyInstance) => {
  scope.register(modelwire, { version, dataSources: { db: memory() }, models: [Coffee] })
  scope.register(rest, { prefix: '/api' })
}

const startBoth = async (t: { teardown: (handler: () => unknown) => void }): Promise<FastifyInstance> => {
  const app = Fastify()
  app.register(suite(2), { prefix: '/v2' })
  app.register(suite(3), { prefix: '/v3' })
  app.get('/own', async () => {
    throw Object.assign(new Error('mine'), { statusCode: 418 })
  })
  t.teardown(() => app.close())
  for (const version of ['v2', 'v3']) {
    await app.inject({ method: 'POST', url: `/${version}/api/Coffees`, payload: { label: 'Mocha', grams: 1 } })
  }
  return app
}

void t.test('both versions live in one server, each with its own meaning of PUT', async (t) => {
  const app = await startBoth(t)
  const patched = await app.inject({ method: 'PUT', url: '/v2/api/Coffees/1', payload: { grams: 5 } })
  t.strictSame(patched.json(), { label: 'Mocha', grams: 5, id: 1 })
  const refused = await app.inject({ method: 'PUT', url: '/v3/api/Coffees/1', payload: { grams: 5 } })
  t.equal(refused.statusCode, 422)
})

void t.test('records of one version are not seen by the other', async (t) => {
  const app = await startBoth(t)
  await app.inject({ method: 'POST', url: '/v2/api/Coffees', payload: { label: 'Latte' } })
  t.strictSame((await app.inject('/v2/api/Coffees/count')).json(), { count: 2 })
  t.strictSame((await app.inject('/v3/api/Coffees/count')).json(), { count: 1 })
})

void t.test("errors have the shape of their version, and the application's own errors keep theirs", async (t) => {
  const app = await startBoth(t)
  const second = (await app.inject('/v2/api/Coffees/9')).json<{ error: Record<string, unknown> }>().error
  const third = (await app.inject('/v3/api/Coffees/9')).json<{ error: Record<string, unknown> }>().error
  t.match(second, { status: 404, statusCode: 404, code: 'MODEL_NOT_FOUND' })
  t.match(third, { statusCode: 404, code: 'MODEL_NOT_FOUND' })
  t.notOk('status' in third)
  t.match((await app.inject('/own')).json(), { statusCode: 418, error: "I'm a Teapot", message: 'mine' })
})
