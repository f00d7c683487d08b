import { modelwire, type ModelDefinition } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { loadModule } from './load-module.ts'

/** A service that tells what it was asked. */
async function startService(t: Test): Promise<string> {
  const service = Fastify()
  t.teardown(() => service.close())
  service.all('/weather/:city', async ({ method, params, query, headers }) => ({
    method,
    params,
    query,
    key: headers['x-key']
  }))
  service.get('/broken', async (_request, reply) => reply.code(503).send({ error: 'down' }))
  return service.listen({ port: 0, host: '127.0.0.1' })
}

async function serve(t: Test): Promise<FastifyInstance> {
  const url = await startService(t)
  const operations = [
    {
      template: {
        method: 'GET',
        url: `${url}/weather/{city:string}`,
        query: { units: '{units=metric}' },
        headers: { 'x-key': '{key}' }
      },
      functions: { weatherIn: ['city', 'units', { name: 'key', source: 'header' }] }
    },
    { template: { method: 'GET', url: `${url}/broken` }, functions: { fail: [] } }
  ]
  const app = Fastify()
  t.teardown(() => app.close())
  const db = loopback(loadModule('loopback-connector-rest'), { name: 'weather', operations })
  const models: ModelDefinition[] = [{ name: 'Weather', base: 'Model', public: true, dataSource: 'weather' }]
  await app.register(modelwire, { dataSources: { weather: db }, models })
  await app.register(rest, { prefix: '/api' })
  return app
}

/** A function that a connector gave to a model. */
const methodOf = (app: FastifyInstance, name: string): ((...args: unknown[]) => unknown) =>
  Reflect.get(app.models.get('Weather'), name) as (...args: unknown[]) => unknown

void t.test('functions of templates are methods of models, with callbacks and with promises', async (t) => {
  const app = await serve(t)
  await app.ready()
  const answered = await methodOf(app, 'weatherIn')('Lund', 'metric')
  t.match(answered, { method: 'GET', params: { city: 'Lund' }, query: { units: 'metric' } })
  const called = await new Promise((resolve, reject) => {
    methodOf(app, 'weatherIn')('Oslo', (error: unknown, result: unknown) =>
      error ? reject(new Error('it failed')) : resolve(result)
    )
  })
  t.match(called, { params: { city: 'Oslo' } })
  t.type(methodOf(app, 'invoke'), 'function')
})

void t.test('functions of templates are operations of the REST API, as in LoopBack', async (t) => {
  const app = await serve(t)
  const answer = await app.inject({ url: '/api/Weather/weatherIn/Lund?units=imperial', headers: { key: 'secret' } })
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), { method: 'GET', params: { city: 'Lund' }, query: { units: 'imperial' }, key: 'secret' })
  const failed = await app.inject('/api/Weather/fail')
  t.equal(failed.statusCode, 503)
})

void t.test('a model of a connector with methods alone has no records', async (t) => {
  const app = await serve(t)
  t.equal((await app.inject('/api/Weather')).statusCode, 404)
  t.same(app.models.dataSources.get('weather')?.connector.capabilities.operations.size, 0)
})
