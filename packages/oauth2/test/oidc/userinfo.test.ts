import t, { type Test } from 'tap'
import type { OAuth2Options } from '#src/index.ts'
import { getTokens } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'

async function start(t: Test, options: OAuth2Options = {}) {
  const app = await makeApp(t, { options: { keys: {}, resources: ['https://api.example'], ...options } })
  const client = await addClient(app)
  const ask = (token?: string, method: 'GET' | 'POST' = 'GET') =>
    app.inject({
      method,
      url: '/oauth/userinfo',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
    })
  const tokenOf = async (asked: Record<string, string>) => (await getTokens(app, client, asked)).access_token
  return { app, client, ask, tokenOf }
}

t.test('a client learns what the scopes of its token say, and nothing else', async (t) => {
  const { ask, tokenOf } = await start(t)
  const answer = await ask(await tokenOf({ scope: 'openid' }))
  t.equal(answer.statusCode, 200)
  t.same(answer.json(), { sub: 'u1' })
  t.equal(answer.headers['cache-control'], 'no-store')
  const token = await tokenOf({ scope: 'openid email profile' })
  const known = { sub: 'u1', email: 'bob@example.com', preferred_username: 'bob' }
  t.same((await ask(token)).json(), known)
  t.same((await ask(token, 'POST')).json(), known)
})

t.test('the application adds claims, but the subject stays', async (t) => {
  const claims = (user: { id: unknown }, scopes: readonly string[]) => ({
    sub: 'admin',
    team: `${String(user.id)}:${scopes.join()}`
  })
  const { ask, tokenOf } = await start(t, { claims })
  t.same((await ask(await tokenOf({ scope: 'openid' }))).json(), { sub: 'u1', team: 'u1:openid' })
})

t.test('without a token the challenge tells no more than that one is needed', async (t) => {
  const { statusCode, headers } = await (await start(t)).ask()
  t.equal(statusCode, 401)
  t.equal(headers['www-authenticate'], 'Bearer')
})

t.test('an unknown, revoked or expired token is none', async (t) => {
  const { app, client, ask, tokenOf } = await start(t)
  const token = await tokenOf({ scope: 'openid' })
  await post(app, '/oauth/revoke', { token }, basic(client))
  for (const value of ['x', token]) {
    const { statusCode, headers } = await ask(value)
    t.equal(statusCode, 401)
    t.match(headers['www-authenticate'], /^Bearer error="invalid_token"/)
  }
  const expired = await tokenOf({ scope: 'openid' })
  t.equal((await ask(expired)).statusCode, 200)
  await app.models.get('OAuthAccessToken').updateAll({ expiredAt: new Date(Date.now() - 1) })
  t.equal((await ask(expired)).statusCode, 401)
})

t.test('a token without openid does not reach it', async (t) => {
  const { ask, tokenOf } = await start(t)
  const { statusCode, headers } = await ask(await tokenOf({ scope: 'email' }))
  t.equal(statusCode, 403)
  t.match(headers['www-authenticate'], /error="insufficient_scope".*scope="openid"/)
})

t.test('a token for another resource does not reach it', async (t) => {
  const { ask, tokenOf } = await start(t)
  t.equal((await ask(await tokenOf({ scope: 'openid', resource: 'https://api.example' }))).statusCode, 401)
})

t.test('a token in the query or as a cookie is not read', async (t) => {
  const { app, tokenOf } = await start(t)
  const token = await tokenOf({ scope: 'openid' })
  t.equal((await app.inject(`/oauth/userinfo?access_token=${token}`)).statusCode, 401)
  t.equal((await app.inject({ url: '/oauth/userinfo', cookies: { access_token: token } })).statusCode, 401)
})

t.test('a client that acts for itself has no user', async (t) => {
  const { app, client, ask } = await start(t)
  const form = { grant_type: 'client_credentials', scope: 'openid' }
  const { access_token } = (await post(app, '/oauth/token', form, basic(client))).json<{ access_token: string }>()
  t.equal((await ask(access_token)).statusCode, 401)
})
