import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { OAuth2Options } from '#src/index.ts'
import { atHash } from '#src/oidc/id-token.ts'
import { authorizeUrl, decide, getCode, locationOf, logIn, redeem, refresh } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'

const issuer = 'https://as.example'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token?: string
}

async function start(t: Test, options: OAuth2Options = {}) {
  const app = await makeApp(t, { options: { keys: {}, ...options } })
  return { app, client: await addClient(app) }
}

/** What an ID token says, checked as a client would. */
async function verified(app: FastifyInstance, audience: string, token = '') {
  const keys = createLocalJWKSet((await app.inject('/oauth/jwks')).json<JSONWebKeySet>())
  return (await jwtVerify(token, keys, { issuer, audience })).payload
}

t.test('a code with the scope openid brings an ID token, signed, for this client and this request', async (t) => {
  const { app, client } = await start(t)
  const before = Math.floor(Date.now() / 1000)
  const code = await getCode(app, client.id, { scope: 'openid email', nonce: 'n-0S6_WzA2Mj' })
  const tokens = (await redeem(app, client, code)).json<Tokens>()
  const claims = await verified(app, client.id, tokens.id_token)
  t.match(claims, { iss: issuer, sub: 'u1', aud: client.id, nonce: 'n-0S6_WzA2Mj' })
  t.equal(claims['at_hash'], atHash(tokens.access_token, 'ES256'))
  t.equal((claims.exp ?? 0) - (claims.iat ?? 0), 3600)
  const at = claims['auth_time']
  t.ok(typeof at === 'number' && at >= before && at <= before + 60)
  t.match(decodeProtectedHeader(tokens.id_token ?? ''), { alg: 'ES256', typ: 'JWT', kid: /./ })
  t.notOk('email' in claims)
})

t.test('without the scope openid there is none', async (t) => {
  const { app, client } = await start(t)
  const tokens = (await redeem(app, client, await getCode(app, client.id, { scope: 'email' }))).json<Tokens>()
  t.ok(tokens.access_token)
  t.notOk('id_token' in tokens)
})

t.test('without keys there is neither ID token nor discovery', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const tokens = (await redeem(app, client, await getCode(app, client.id, { scope: 'openid' }))).json<Tokens>()
  t.notOk('id_token' in tokens)
  for (const path of ['/.well-known/openid-configuration', '/oauth/userinfo'])
    t.equal((await app.inject(path)).statusCode, 404)
})

t.test('a client that acts for itself gets none', async (t) => {
  const { app, client } = await start(t)
  const form = { grant_type: 'client_credentials', scope: 'openid' }
  t.notOk('id_token' in (await post(app, '/oauth/token', form, basic(client))).json())
})

t.test('a refreshed ID token has the old time of login, and no nonce', async (t) => {
  const { app, client } = await start(t)
  const code = await getCode(app, client.id, { scope: 'openid', nonce: 'n1' })
  const first = (await redeem(app, client, code)).json<Tokens>()
  const next = (await refresh(app, client, first.refresh_token)).json<Tokens>()
  const [old, fresh] = [await verified(app, client.id, first.id_token), await verified(app, client.id, next.id_token)]
  t.equal(fresh['auth_time'], old['auth_time'])
  t.equal(fresh.sub, old.sub)
  t.equal(fresh['at_hash'], atHash(next.access_token, 'ES256'))
  t.notOk('nonce' in fresh)
})

t.test('an ID token is no access token, and an access token no ID token', async (t) => {
  const { app, client } = await start(t, { accessTokens: 'jwt' })
  const tokens = (await redeem(app, client, await getCode(app, client.id, { scope: 'openid' }))).json<Tokens>()
  const ask = (token = '') => app.inject({ url: '/oauth/userinfo', headers: { authorization: `Bearer ${token}` } })
  t.equal((await ask(tokens.id_token)).statusCode, 401)
  t.equal((await ask(tokens.access_token)).statusCode, 200)
  t.equal(decodeProtectedHeader(tokens.access_token).typ, 'at+jwt')
  await t.rejects(verified(app, client.id, tokens.access_token))
})

t.test('the lifetime is an option', async (t) => {
  const { app, client } = await start(t, { idTokenLifetime: 120 })
  const tokens = (await redeem(app, client, await getCode(app, client.id, { scope: 'openid' }))).json<Tokens>()
  const claims = await verified(app, client.id, tokens.id_token)
  t.equal((claims.exp ?? 0) - (claims.iat ?? 0), 120)
})

t.test('prompt=none never shows a page', async (t) => {
  const { app, client } = await start(t)
  const ask = { scope: 'openid', prompt: 'none' }
  const nobody = await app.inject(authorizeUrl(client.id, ask))
  t.match(locationOf(nobody).searchParams.get('error'), 'login_required')
  const browser = await logIn(app)
  const noConsent = await browser.get(authorizeUrl(client.id, ask))
  t.match(locationOf(noConsent).searchParams.get('error'), 'consent_required')
  await decide(browser, await browser.get(authorizeUrl(client.id, { scope: 'openid' })))
  t.ok(locationOf(await browser.get(authorizeUrl(client.id, ask))).searchParams.get('code'))
  const both = await browser.get(authorizeUrl(client.id, { scope: 'openid', prompt: 'none login' }))
  t.match(locationOf(both).searchParams.get('error'), 'invalid_request')
})

for (const prompt of ['login', 'select_account'])
  t.test(`prompt=consent asks again, prompt=${prompt} lets log in again, once`, async (t) => {
    const { app, client } = await start(t)
    const browser = await logIn(app)
    await decide(browser, await browser.get(authorizeUrl(client.id, { scope: 'openid' })))
    t.equal((await browser.get(authorizeUrl(client.id, { scope: 'openid', prompt: 'consent' }))).statusCode, 200)
    const again = await browser.get(authorizeUrl(client.id, { scope: 'openid', prompt, login_hint: 'bob' }))
    const login = locationOf(again)
    t.equal(login.pathname, '/login')
    const page = await browser.get(login.pathname + login.search)
    t.match(page.body, /value="bob"/)
    const done = await browser.logIn({
      username: 'bob',
      password: 'secret-bob',
      return_to: String(login.searchParams.get('return_to'))
    })
    t.ok(locationOf(await browser.get(String(done.headers.location))).searchParams.get('code'))
  })

t.test('max_age=0 lets log in again, once; an older login does not do', async (t) => {
  const { app, client } = await start(t)
  const browser = await logIn(app)
  await decide(browser, await browser.get(authorizeUrl(client.id, { scope: 'openid' })))
  t.ok(
    locationOf(await browser.get(authorizeUrl(client.id, { scope: 'openid', max_age: '60' }))).searchParams.get('code')
  )
  const login = locationOf(await browser.get(authorizeUrl(client.id, { scope: 'openid', max_age: '0' })))
  t.equal(login.pathname, '/login')
  const done = await browser.logIn({
    username: 'bob',
    password: 'secret-bob',
    return_to: String(login.searchParams.get('return_to'))
  })
  t.ok(locationOf(await browser.get(String(done.headers.location))).searchParams.get('code'))
  const wrong = await browser.get(authorizeUrl(client.id, { scope: 'openid', max_age: '1e3' }))
  t.equal(locationOf(wrong).searchParams.get('error'), 'invalid_request')
})
