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

const change = (app: FastifyInstance, headers: Record<string, string>, extra: object = {}) =>
  app.inject({
    method: 'PATCH',
    url: '/api/Customers/1',
    cookies: { access_token: app.signCookie(token) },
    headers: { host: 'shop.example', ...headers },
    payload: { username: 'x' },
    ...extra
  })

const origins: [string, Record<string, string>, number][] = [
  ['a page of this server', { 'sec-fetch-site': 'same-origin', origin: 'https://shop.example' }, 200],
  [
    'a page behind a proxy that changes the host',
    { 'sec-fetch-site': 'same-origin', origin: 'https://a.example' },
    200
  ],
  ['a program', {}, 200],
  ['an older browser, from this server', { origin: 'https://shop.example' }, 200],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
  ['a neighbour', { 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' }, 403],
  ['an older browser, from another site', { origin: 'https://evil.example' }, 403],
  ['a page without an origin', { origin: 'null' }, 403],
  ['a page that was named', { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }, 200]
]

for (const [who, headers, status] of origins)
  void t.test(`with the token in a cookie ${who} changes ${status === 200 ? 'something' : 'nothing'}`, async (t) => {
    const app = await makeApp(t, { tokens: { cookieOrigins: ['https://app.example'] } })
    const answer = await change(app, headers)
    t.equal(answer.statusCode, status)
    if (status === 403) t.equal(answer.json<{ error: { code: string } }>().error.code, 'CROSS_ORIGIN_REQUEST')
  })

void t.test('a form of another site is refused, too', async (t) => {
  const app = await makeApp(t, {})
  const answer = await app.inject({
    method: 'POST',
    url: '/api/Customers/logout',
    cookies: { access_token: app.signCookie(token) },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    payload: 'a=b'
  })
  t.equal(answer.statusCode, 403)
})

void t.test('cookieOrigins: true lets any page act, as in LoopBack', async (t) => {
  const app = await makeApp(t, { tokens: { cookieOrigins: true } })
  t.equal((await change(app, { 'sec-fetch-site': 'cross-site' })).statusCode, 200)
})
