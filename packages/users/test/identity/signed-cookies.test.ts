import cookie from '@fastify/cookie'
import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { accessTokenModel, userModel, users, type UsersOptions } from '#src/index.ts'

const token = 't'.repeat(64)

/** An application with the token of a user, which reads signed cookies. */
async function makeApp(t: Test, options: UsersOptions, secret = 'a secret of this server'): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(cookie, { secret })
  const customer = { name: 'Customer', base: 'User', public: true, saltWorkFactor: 4 }
  const models = [userModel(), accessTokenModel, customer]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(acl)
  await app.register(users, options)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const { id } = await app.models.get('Customer').create({ email: 'ann@shop.org', password: 'secret' })
  await app.models.get('AccessToken').create({ id: token, userId: id })
  return app
}

const ask = async (app: FastifyInstance, cookies: Record<string, string>): Promise<number> =>
  (await app.inject({ url: '/api/Customers/1', cookies })).statusCode

void t.test('a signed cookie holds a token, under the usual names and those of the options', async (t) => {
  const app = await makeApp(t, { tokens: { cookies: ['session'] } })
  for (const name of ['access_token', 'authorization', 'session'])
    t.equal(await ask(app, { [name]: app.signCookie(token) }), 200, name)
  t.equal(await ask(app, { other: app.signCookie(token) }), 401)
})

void t.test('a cookie that nobody signed, or somebody else, holds none', async (t) => {
  const [app, other] = [await makeApp(t, {}), await makeApp(t, {}, 'a secret of another server')]
  const signed = app.signCookie(token)
  for (const value of [token, other.signCookie(token), `${signed}x`, signed.slice(0, -1), `${token}.`, ''])
    t.equal(await ask(app, { access_token: value }), 401, value)
})

void t.test('a cookie comes after headers and the query', async (t) => {
  const app = await makeApp(t, {})
  const cookies = { access_token: app.signCookie(token) }
  const wrong = { authorization: 'somebody-else' }
  t.equal((await app.inject({ url: '/api/Customers/1', cookies, headers: wrong })).statusCode, 401)
  t.equal((await app.inject({ url: '/api/Customers/1?access_token=x', cookies })).statusCode, 401)
})

void t.test('without searchDefaultTokenKeys only named cookies count', async (t) => {
  const app = await makeApp(t, { tokens: { searchDefaultTokenKeys: false, cookies: ['session'] } })
  t.equal(await ask(app, { access_token: app.signCookie(token) }), 401)
  t.equal(await ask(app, { session: app.signCookie(token) }), 200)
})
