import { memory } from '@modelwire/connector-memory'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'
import { loadModule } from './load-module.ts'

const greet = {
  accepts: [{ arg: 'name', type: 'string' }],
  returns: { arg: 'text', type: 'string', root: true },
  http: { verb: 'get', path: '/greet' }
}
const shout = { returns: { arg: 'text', type: 'string', root: true }, http: { verb: 'get', path: '/shout' } }

const product: ModelDefinition = {
  name: 'Product',
  public: true,
  properties: { name: 'string', price: 'number', since: 'date' },
  methods: { greet, 'prototype.shout': shout }
}

/** The server that has the records. */
async function startServer(t: Test): Promise<string> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [product] })
  await app.register(rest, { prefix: '/api' })
  const Product = app.models.get('Product')
  Object.assign(Product, { greet: async (name: string) => `Hello ${name}` })
  Object.assign(Product.prototype, {
    async shout(this: { name: string }) {
      return `${this.name}!`
    }
  })
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/api`
}

/** The server whose models are those of the other one. */
async function serve(t: Test): Promise<FastifyInstance> {
  const url = await startServer(t)
  const app = Fastify()
  t.teardown(() => app.close())
  const db = loopback(loadModule('loopback-connector-remote'), { name: 'remote', url })
  await app.register(modelwire, { dataSources: { remote: db }, models: [product] })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return app
}

void t.test('records of another server are found and changed', async (t) => {
  const app = await serve(t)
  const Product = app.models.get('Product')
  const since = new Date('2020-01-01')
  const [one] = await Product.create([
    { name: 'a', price: 1, since },
    { name: 'b', price: 2 },
    { name: 'c', price: 3 }
  ])
  t.match(one, { id: 1, name: 'a', since })
  t.match(await Product.find({ where: { price: { gt: 1 } }, order: 'price DESC' }), [{ name: 'c' }, { name: 'b' }])
  t.match(await Product.find({ limit: 1, skip: 1 }), [{ name: 'b' }])
  t.equal(await Product.count({ price: { neq: 2 } }), 2)
  t.equal(await Product.findById(99), null)
  const found = await Product.findById(1)
  await found?.patchAttributes({ price: 10 })
  t.match(await Product.findById(1), { name: 'a', price: 10 })
  t.match(await Product.updateAll({ name: { like: 'b' } }, { price: 20 }), { count: 1 })
  t.match(await Product.replaceById(3, { name: 'd' }), { name: 'd', price: undefined })
  t.match(await Product.destroyAll({ price: { gt: 5 } }), { count: 2 })
  t.match(await Product.find(), [{ id: 3, name: 'd' }])
})

void t.test("a model's own methods are those of the other server", async (t) => {
  const app = await serve(t)
  await app.models.get('Product').create({ name: 'a' })
  t.equal((await app.inject('/api/Products/greet?name=x')).json(), 'Hello x')
  t.equal((await app.inject('/api/Products/1/shout')).json(), 'a!')
})

void t.test('errors of the other server keep their status', async (t) => {
  const app = await serve(t)
  const refused = app.models.get('Product').create({ name: 'a', since: 'no date' })
  await t.rejects(refused, { name: 'ValidationError' })
})
