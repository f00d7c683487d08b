import t from 'tap'
import { authorizeUrl, decide, getCode, getTokens, isActive, locationOf, logIn, redeem, refresh } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'
import { failOnce, once } from './interfere.ts'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope?: string
}

const errorOf = (answer: { json: () => unknown }): unknown => (answer.json() as { error: unknown }).error // bodies are objects

t.test('less scope in one refresh is no less in the next: the refresh token keeps what was granted', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const first = await getTokens(app, client, { scope: 'read write' })
  const narrow = (await refresh(app, client, first.refresh_token, { scope: 'read' })).json<Tokens>()
  t.equal(narrow.scope, 'read')
  t.same((await app.oauth2.tokens.findAccessToken(narrow.access_token))?.scopes, ['read'])
  t.same((await app.oauth2.tokens.findRefreshToken(narrow.refresh_token))?.scopes, ['read', 'write'])
  const wide = (await refresh(app, client, narrow.refresh_token)).json<Tokens>()
  t.equal(wide.scope, 'read write')
  t.equal(errorOf(await refresh(app, client, wide.refresh_token, { scope: 'read admin' })), 'invalid_grant')
})

t.test('a refresh token reaches all resources that were granted, whichever the code was exchanged for', async (t) => {
  const [one, two] = ['https://one.example', 'https://two.example']
  const app = await makeApp(t, { options: { resources: [one, two, 'https://three.example'] } })
  const client = await addClient(app)
  const browser = await logIn(app)
  const page = await browser.get(`${authorizeUrl(client.id, { resource: one })}&resource=${encodeURIComponent(two)}`)
  const code = String(locationOf(await decide(browser, page)).searchParams.get('code'))
  const first = (await redeem(app, client, code, { resource: one })).json<Tokens>()
  t.same((await app.oauth2.tokens.findAccessToken(first.access_token))?.resources, [one])
  const second = (await refresh(app, client, first.refresh_token, { resource: two })).json<Tokens>()
  t.same((await app.oauth2.tokens.findAccessToken(second.access_token))?.resources, [two])
  const third = await refresh(app, client, second.refresh_token, { resource: 'https://three.example' })
  t.equal(errorOf(third), 'invalid_target')
})

t.test('a scope that was taken from the client is in no new token', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { scopes: ['read', 'write'] })
  const first = await getTokens(app, client, { scope: 'read write' })
  const clients = app.models.get('OAuthClientApplication')
  await clients.updateAll({ id: client.id }, { scopes: ['read'] })
  t.equal(errorOf(await refresh(app, client, first.refresh_token, { scope: 'write' })), 'invalid_grant')
  const next = (await refresh(app, client, first.refresh_token)).json<Tokens>()
  t.equal(next.scope, 'read')
  await clients.updateAll({ id: client.id }, { scopes: ['other'] })
  t.equal(errorOf(await refresh(app, client, next.refresh_token)), 'invalid_grant')
})

t.test('whoever revokes a refresh token that a thief has used, ends what the thief got', async (t) => {
  const app = await makeApp(t)
  const [client, other] = [await addClient(app), await addClient(app)]
  const { refresh_token } = await getTokens(app, client)
  const stolen = (await refresh(app, client, refresh_token)).json<Tokens>()
  await post(app, '/oauth/revoke', { token: refresh_token }, basic(other))
  t.ok(await isActive(app, client, stolen.access_token), 'not by another client')
  t.equal((await post(app, '/oauth/revoke', { token: refresh_token }, basic(client))).statusCode, 200)
  t.notOk(await isActive(app, client, stolen.access_token))
  t.equal(errorOf(await refresh(app, client, stolen.refresh_token)), 'invalid_grant')
})

t.test('a plain refresh token of an older database works once, also for two at once', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const tokens = app.models.get('OAuthAccessToken')
  await tokens.create({ id: 'plain', refreshToken: 'plain-refresh', appId: client.id, userId: 'u1', scopes: ['read'] })
  const statuses: number[] = []
  once(app, 'OAuthAccessToken', async () => {
    statuses.push((await refresh(app, client, 'plain-refresh')).statusCode)
  })
  statuses.push((await refresh(app, client, 'plain-refresh')).statusCode)
  t.same(statuses, [200, 400])
})

t.test('a store that fails while tokens are made uses nothing up: the next attempt is no theft', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const code = await getCode(app, client.id)
  failOnce(app, 'OAuthAccessToken')
  t.equal(errorOf(await redeem(app, client, code)), 'server_error')
  const first = (await redeem(app, client, code)).json<Tokens>()
  t.ok(await isActive(app, client, first.access_token))
  let isBroken = true
  app.models.get('OAuthAccessToken').observe('before save', async (context: { isNewInstance?: boolean }) => {
    if (context.isNewInstance === true && isBroken) throw new Error('the disk is full')
  })
  t.equal(errorOf(await refresh(app, client, first.refresh_token)), 'server_error')
  isBroken = false
  const next = await refresh(app, client, first.refresh_token)
  t.equal(next.statusCode, 200)
  t.ok(await isActive(app, client, next.json<Tokens>().access_token))
  t.equal((await redeem(app, client, code)).statusCode, 400, 'the code is used')
})

t.test('refresh tokens of public clients work once, whatever the option says', async (t) => {
  const app = await makeApp(t, { options: { rotateRefreshTokens: false } })
  const [open, confidential] = [await addClient(app, { type: 'public' }), await addClient(app)]
  const first = await getTokens(app, open)
  t.equal((await refresh(app, open, first.refresh_token)).statusCode, 200)
  t.equal(errorOf(await refresh(app, open, first.refresh_token)), 'invalid_grant')
  const again = await getTokens(app, confidential)
  for (let time = 0; time < 2; time++) t.equal((await refresh(app, confidential, again.refresh_token)).statusCode, 200)
})

t.test('what is taken back while a code is exchanged is not given', async (t) => {
  for (const take of ['user', 'client'] as const) {
    const app = await makeApp(t)
    const [client, other] = [await addClient(app), await addClient(app)]
    const code = await getCode(app, client.id)
    once(app, 'OAuthAccessToken', async () => {
      if (take === 'user') await app.oauth2.revokeUser('u1')
      else await app.oauth2.clients.remove(client.id)
    })
    const { access_token } = (await redeem(app, client, code)).json<Tokens>()
    t.notOk(await isActive(app, other, access_token), take)
    t.equal(await app.models.get('OAuthAccessToken').count(), 0, take)
  }
})

t.test('a code of a user who is gone gives nothing', async (t) => {
  let isGone = false
  const bob = { id: 'u1', username: 'bob' }
  const app = await makeApp(t, { options: { findUser: () => (isGone ? undefined : bob) } })
  const client = await addClient(app)
  const code = await getCode(app, client.id)
  isGone = true
  t.equal(errorOf(await redeem(app, client, code)), 'invalid_grant')
  t.equal(await app.models.get('OAuthAccessToken').count(), 0)
})

t.test('a secret that is replaced while the old one is hashed stays replaced', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  await app.models.get('OAuthClientApplication').updateAll({ id: client.id }, { clientSecret: 'plain-old' })
  let fresh = ''
  once(app, 'OAuthClientApplication', async () => {
    fresh = (await app.oauth2.clients.rotateSecret(client.id)).secret ?? ''
  })
  const ask = async (secret: string) =>
    (await post(app, '/oauth/token', { grant_type: 'client_credentials' }, basic({ id: client.id, secret }))).statusCode
  await ask('plain-old')
  t.equal(await ask('plain-old'), 401)
  t.equal(await ask(fresh), 200)
})

t.test('a client that is removed takes along what users permitted it', async (t) => {
  const app = await makeApp(t)
  await addClient(app, { id: 'shop' })
  await getCode(app, 'shop')
  t.equal(await app.models.get('OAuthPermission').count(), 1)
  await app.oauth2.clients.remove('shop')
  t.equal(await app.models.get('OAuthPermission').count(), 0)
})

t.test('keys that cannot be read while an ID token is made use no code up, and leave no tokens', async (t) => {
  const app = await makeApp(t, { options: { keys: {} } })
  const client = await addClient(app)
  const code = await getCode(app, client.id, { scope: 'openid' })
  failOnce(app, 'OAuthSigningKey')
  t.equal(errorOf(await redeem(app, client, code)), 'server_error')
  t.equal(await app.models.get('OAuthAccessToken').count(), 0)
  const answer = await redeem(app, client, code)
  t.equal(answer.statusCode, 200, answer.body)
  t.ok(answer.json<{ id_token?: string }>().id_token)
})
