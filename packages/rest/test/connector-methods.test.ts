import { modelwire } from '@modelwire/core'
import { type Connector, noRecords } from '@modelwire/core/connector'
import Fastify from 'fastify'
import t from 'tap'
import { rest } from '#src/index.ts'

const greeter: Connector = {
  name: 'greeter',
  ...noRecords,
  connect: async () => {},
  disconnect: async () => {},
  ping: async () => {},
  methods: () => ({
    greet: {
      run: async (name) => `hello ${String(name)}`,
      givesPromise: true,
      remote: {
        accepts: [{ arg: 'name', type: 'string', required: true, http: { source: 'path' } }],
        returns: { arg: 'greeting', type: 'string' },
        http: { verb: 'get', path: '/:name' }
      }
    },
    hide: { run: async () => 'hidden' }
  })
}

t.test('clients reach the methods of a connector that it declares as remote, and no data access', async (t) => {
  const app = Fastify({ requestTimeout: 1000 })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { greeter }, models: [{ name: 'Greeter', public: true }] })
  await app.register(rest, { prefix: '/api' })
  const get = async (url: string) => app.inject({ url })
  t.strictSame((await get('/api/Greeters/you')).json(), { greeting: 'hello you' })
  t.equal((await get('/api/Greeters')).statusCode, 404)
  t.equal((await app.inject({ method: 'POST', url: '/api/Greeters', payload: {} })).statusCode, 404)
  t.equal((await app.inject({ method: 'POST', url: '/api/Greeters/hide' })).statusCode, 404)
})
