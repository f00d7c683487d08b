import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t from 'tap'
import { accessTokenModel, userModel, users } from '#src/index.ts'

void t.test('models that extend User may be listed with it before the plugin is registered', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const customer = { name: 'Customer', base: 'User', public: true, saltWorkFactor: 4, properties: { nick: 'string' } }
  await app.register(modelwire, { dataSources: { db: memory() }, models: [userModel(), accessTokenModel, customer] })
  await app.register(acl)
  await app.register(users)
  await app.register(rest, { prefix: '/api' })
  const payload = { email: 'ann@shop.org', password: 'secret' }
  const made = await app.inject({ method: 'POST', url: '/api/Customers', payload })
  t.strictSame(made.json(), { email: 'ann@shop.org', id: 1 })
  t.equal((await app.inject({ method: 'POST', url: '/api/Customers', payload })).statusCode, 422)
  const { id } = (await app.inject({ method: 'POST', url: '/api/Customers/login', payload })).json<{ id: string }>()
  const own = await app.inject({ url: '/api/Customers/1', headers: { authorization: id } })
  t.strictSame(own.json(), { email: 'ann@shop.org', id: 1 })
})
