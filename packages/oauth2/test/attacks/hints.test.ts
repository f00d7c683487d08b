import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { mock } from 'node:test'
import { authorizeUrl, decide, getCode, locationOf, logIn, redeem } from '../flow.ts'
import { addClient, makeApp } from '../make-app.ts'

/** A server, a client that bob knows, and bob's ID token. */
async function start(t: Test) {
  const app = await makeApp(t, { options: { keys: {} } })
  const client = await addClient(app, { id: 'shop' })
  const code = await getCode(app, client.id, { scope: 'openid' })
  const { id_token: hint } = (await redeem(app, client, code)).json<{ id_token: string }>()
  return { app, client, hint }
}

t.test('a hint of somebody else brings no code of who is signed in', async (t) => {
  const { app, client, hint } = await start(t)
  const eve = await logIn(app, 'eve')
  await decide(eve, await eve.get(authorizeUrl(client.id, { scope: 'openid' })))
  const silent = await eve.get(authorizeUrl(client.id, { scope: 'openid', prompt: 'none', id_token_hint: hint }))
  t.match(locationOf(silent).searchParams.get('error'), 'login_required')
  const asked = await eve.get(authorizeUrl(client.id, { scope: 'openid', id_token_hint: hint }))
  t.equal(locationOf(asked).pathname, '/login', 'bob may sign in')
  const path = String(locationOf(asked).searchParams.get('return_to'))
  t.match(path, 'id_token_hint=')
  await eve.logIn({ username: 'bob', password: 'secret-bob' })
  t.ok(locationOf(await eve.get(path)).searchParams.get('code'), 'and gets his own code')
})

t.test('a hint of who is signed in changes nothing, also when it has expired', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const { app, client, hint } = await start(t)
  mock.timers.tick(2 * 3_600_000)
  const bob = await logIn(app)
  const ask = { scope: 'openid', prompt: 'none', id_token_hint: hint }
  t.ok(locationOf(await bob.get(authorizeUrl(client.id, ask))).searchParams.get('code'))
})

t.test('a login that is asked for keeps the hint', async (t) => {
  const { app, client, hint } = await start(t)
  const bob = await logIn(app)
  const asked = await bob.get(authorizeUrl(client.id, { scope: 'openid', prompt: 'login', id_token_hint: hint }))
  t.match(locationOf(asked).searchParams.get('return_to'), 'id_token_hint=')
})

t.test('a hint that this server did not give to this client is refused', async (t) => {
  const { app, client, hint } = await start(t)
  const other = await addClient(app, { id: 'other' })
  const bob = await logIn(app)
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const forged = await new SignJWT({ sub: 'u1' })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', jwk: await exportJWK(publicKey) })
    .setIssuer('https://as.example')
    .setAudience(client.id)
    .setExpirationTime('1h')
    .sign(privateKey)
  const [header, payload] = hint.split('.')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  const cut = `${header}.${payload}.AAAA`
  for (const [id, id_token_hint] of [
    [client.id, forged],
    [client.id, unsigned],
    [client.id, cut],
    [client.id, 'x'],
    [client.id, 'a'.repeat(9000)],
    [other.id, hint]
  ] as const) {
    const answer = await bob.get(authorizeUrl(id, { scope: 'openid', id_token_hint }))
    t.equal(locationOf(answer).searchParams.get('error'), 'invalid_request', id_token_hint.slice(0, 20))
    t.notOk(locationOf(answer).searchParams.has('code'))
  }
})

t.test('an access token is no hint', async (t) => {
  const app = await makeApp(t, { options: { keys: {}, accessTokens: 'jwt', audience: 'shop' } })
  const client = await addClient(app, { id: 'shop' })
  const code = await getCode(app, client.id, { scope: 'openid' })
  const { access_token } = (await redeem(app, client, code)).json<{ access_token: string }>()
  const answer = await (await logIn(app)).get(authorizeUrl(client.id, { scope: 'openid', id_token_hint: access_token }))
  t.equal(locationOf(answer).searchParams.get('error'), 'invalid_request')
})

t.test('where no ID tokens are given, a hint is an unknown parameter', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const answer = await (await logIn(app)).get(authorizeUrl(client.id, { id_token_hint: 'x' }))
  t.equal(answer.statusCode, 200)
})
