import { acl } from '@modelwire/acl'
import { migrate, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import Fastify, { type InjectOptions } from 'fastify'
import t from 'tap'
import { databases } from './databases.ts'

const models = [
  userModel(),
  accessTokenModel,
  { name: 'Customer', base: 'User', public: true },
  { name: 'Product', public: true }
]

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const odd: readonly InjectOptions[] = [
  { headers: { authorization: basic('ab\0cd:x') } },
  { headers: { authorization: `Bearer ${Buffer.from('a\0b').toString('base64')}` } },
  { headers: { 'x-access-token': 'a\u00ffb' } },
  { query: { access_token: 'a\0b' } },
  { query: { access_token: '\0' } },
  { query: { access_token: 'x'.repeat(10_000) } }
]

for (const database of await databases()) {
  const { name, skip } = database
  t.test(`${name}: a token that no column can hold is unknown like any other`, { skip }, async (t) => {
    const { connector, drop } = await database.open()
    t.teardown(drop)
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(modelwire, { dataSources: { db: connector }, models })
    await app.register(acl)
    await app.register(users)
    await app.register(rest, { prefix: '/api' })
    await app.ready()
    await migrate(app.models)
    for (const request of odd) {
      const what = JSON.stringify(request)
      t.equal((await app.inject({ ...request, url: '/api/Products' })).statusCode, 200, `open to all: ${what}`)
      const answer = await app.inject({ ...request, url: '/api/Customers/1' })
      t.equal(answer.statusCode, 401, what)
      t.match(answer.json(), { error: { code: 'AUTHORIZATION_REQUIRED' } }, what)
    }
    for (const credentials of [{ email: 'a\0b@shop.org' }, { username: 'a\0' }, { email: 'a@b.org', realm: '\0' }]) {
      const payload = { ...credentials, password: 'x' }
      t.equal((await app.inject({ method: 'POST', url: '/api/Customers/login', payload })).statusCode, 401)
    }
  })
}
