import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { accessTokenModel, userModel, users } from '#src/index.ts'

const everyone = { principalType: 'ROLE', principalId: '$everyone' }
const polymorphic = { foreignKey: 'userId', discriminator: 'principalType' }
const accessTokens = { type: 'hasMany', model: 'AccessToken', polymorphic, options: { disableInclude: true } } as const

const person = (name: string): ModelDefinition => ({
  name,
  base: 'User',
  public: true,
  saltWorkFactor: 4,
  relations: { accessTokens }
})

const order: ModelDefinition = {
  name: 'Order',
  public: true,
  properties: { item: 'string', userId: 'number' },
  relations: { customer: { type: 'belongsTo', model: 'Customer', foreignKey: 'customerId' } },
  acls: [
    { ...everyone, permission: 'DENY' },
    { ...everyone, principalId: '$owner', permission: 'ALLOW' },
    { principalType: 'Seller', principalId: '1', permission: 'ALLOW', property: 'find' },
    { ...everyone, principalId: 'auditors', permission: 'ALLOW', property: 'count' }
  ]
}

/** Customers and sellers, whose tokens lie in one table; one of each, both with the id 1. */
async function makeShop(t: Test): Promise<{ app: FastifyInstance; customer: string; seller: string }> {
  const app = Fastify()
  t.teardown(() => app.close())
  // Clients do not see every code.
  app.addHook('onRoute', (route) => {
    route.errorHandler ??= (error, _request, reply) => {
      void reply.header('failed-with', error.code)
      throw error
    }
  })
  const tokens = { ...accessTokenModel, relations: { user: { type: 'belongsTo', idName: 'id', polymorphic } } }
  const models = [userModel(), tokens as ModelDefinition, person('Customer'), person('Seller'), order] // as files have it
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(acl, { roles: ['auditors'] })
  await app.register(users)
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  const enter = async (path: string): Promise<string> => {
    const payload = { email: 'ann@shop.org', password: 'secret' }
    await app.inject({ method: 'POST', url: `/api/${path}`, payload })
    return (await app.inject({ method: 'POST', url: `/api/${path}/login`, payload })).json<{ id: string }>().id
  }
  const [customer, seller] = [await enter('Customers'), await enter('Sellers')]
  await app.models.get('Order').create({ item: 'cup', customerId: 1 })
  return { app, customer, seller }
}

const ask = async (app: FastifyInstance, token: string, url: string, more: InjectOptions = {}): Promise<number> =>
  (await app.inject({ url: `/api${url}`, headers: { authorization: token }, ...more })).statusCode

void t.test('a token names the model of its user', async (t) => {
  const { app, customer, seller } = await makeShop(t)
  const tokens = app.models.get('AccessToken')
  t.match(await tokens.findById(customer), { userId: 1, principalType: 'Customer' })
  t.match(await tokens.findById(seller), { userId: 1, principalType: 'Seller' })
})

void t.test('users of two models with the same id are not each other', async (t) => {
  const { app, customer, seller } = await makeShop(t)
  t.strictSame([await ask(app, customer, '/Customers/1'), await ask(app, customer, '/Sellers/1')], [200, 401])
  t.strictSame([await ask(app, seller, '/Customers/1'), await ask(app, seller, '/Sellers/1')], [401, 200])
  for (const [method, url] of [
    ['PATCH', '/Customers/1'],
    ['PUT', '/Customers/1'],
    ['DELETE', '/Customers/1'],
    ['POST', '/Customers/1/replace']
  ] as const)
    t.equal(await ask(app, seller, url, { method, payload: { email: 'new@shop.org', password: 'x' } }), 401, url)
})

void t.test('only the user of the related model owns', async (t) => {
  const { app, customer, seller } = await makeShop(t)
  t.strictSame([await ask(app, customer, '/Orders/1'), await ask(app, seller, '/Orders/1')], [200, 401])
  await app.models.get('Order').create({ item: 'pan', userId: 1 })
  t.strictSame(
    [await ask(app, customer, '/Orders/2'), await ask(app, seller, '/Orders/2')],
    [401, 401],
    'userId says not whose'
  )
})

void t.test('rules and mappings name the model of a user', async (t) => {
  const { app, customer, seller } = await makeShop(t)
  t.strictSame([await ask(app, customer, '/Orders'), await ask(app, seller, '/Orders')], [401, 200])
  await app.models.get('Role').create({ name: 'auditors' })
  await app.models.get('RoleMapping').create({ roleId: 1, principalType: 'Customer', principalId: '1' })
  t.strictSame([await ask(app, customer, '/Orders/count'), await ask(app, seller, '/Orders/count')], [200, 401])
})

void t.test('a new password ends the sessions of that user alone', async (t) => {
  const { app, customer, seller } = await makeShop(t)
  const change = { method: 'POST', payload: { oldPassword: 'secret', newPassword: 'fresh' } } as const
  const headers = { authorization: seller }
  const refused = await app.inject({ url: '/api/Customers/change-password', headers, ...change })
  t.match(refused, { statusCode: 403, headers: { 'failed-with': 'OTHER_USER_MODEL' } })
  const second = await app.inject({
    method: 'POST',
    url: '/api/Customers/login',
    payload: { email: 'ann@shop.org', password: 'secret' }
  })
  t.equal(await ask(app, customer, '/Customers/change-password', change), 204)
  t.equal(await ask(app, second.json<{ id: string }>().id, '/Customers/1'), 401)
  t.strictSame([await ask(app, customer, '/Customers/1'), await ask(app, seller, '/Sellers/1')], [200, 200])
})

void t.test('a token of a model that is gone, or of none, is of no use', async (t) => {
  const { app } = await makeShop(t)
  const tokens = app.models.get('AccessToken')
  await tokens.create({ id: 'gone', userId: 1, principalType: 'Partner' })
  await tokens.create({ id: 'other', userId: 1, principalType: 'Order' })
  for (const token of ['gone', 'other'])
    for (const url of ['/Customers/1', '/Sellers/1', '/Orders/1', '/Orders'])
      t.equal(await ask(app, token, url), 401, token)
})

void t.test('the removal of a user ends the own tokens alone', async (t) => {
  const { app, customer, seller } = await makeShop(t)
  t.equal(await ask(app, customer, '/Customers/1', { method: 'DELETE' }), 200)
  t.strictSame([await ask(app, customer, '/Customers/1'), await ask(app, seller, '/Sellers/1')], [401, 200])
})

for (const isTold of [true, false]) {
  void t.test(
    `users whose tokens ${isTold ? 'do not tell them apart are told' : 'tell them apart are not told'}`,
    async (t) => {
      const lines: string[] = []
      const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } })
      t.teardown(() => app.close())
      const plain = (name: string): ModelDefinition => ({ name, base: 'User', public: true })
      const people = ['Customer', 'Seller'].map(isTold ? plain : person)
      const models = [userModel(), accessTokenModel, ...people]
      await app.register(modelwire, { dataSources: { db: memory() }, models })
      await app.register(acl, { roles: ['auditors'] })
      await app.register(users)
      await app.register(rest, { prefix: '/api' })
      await app.ready()
      t.equal(lines.filter((line) => line.includes('Customer, Seller')).length, isTold ? 1 : 0)
    }
  )
}
