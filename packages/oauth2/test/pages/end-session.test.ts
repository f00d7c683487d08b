import { mock } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { authorizeUrl, decide, getCode, locationOf, logIn, redeem, type Browser } from '../flow.ts'
import { addClient, makeApp } from '../make-app.ts'
import { fieldOf, makeBrowser } from './page-app.ts'

const away = 'https://client.example/bye'

/** A client that knows bob, bob in a browser, and bob's ID token. */
async function start(t: Test) {
  const app = await makeApp(t, { options: { keys: {} } })
  const client = await addClient(app, { id: 'shop', postLogoutRedirectUris: [away, `${away}?a=1`] })
  const other = await addClient(app, { id: 'other', postLogoutRedirectUris: ['https://other.example/'] })
  const code = await getCode(app, client.id, { scope: 'openid' })
  const { id_token: hint } = (await redeem(app, client, code)).json<{ id_token: string }>()
  return { app, client, other, hint, bob: await logIn(app) }
}

const logoutUrl = (asked: Readonly<Record<string, string>>): string =>
  `/logout?${new URLSearchParams(asked).toString()}`

/** True while somebody is signed in. */
const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get(authorizeUrl('shop', { prompt: 'consent' }))).statusCode === 200

t.test('the metadata say where sessions end, where ID tokens are given and people sign in', async (t) => {
  const { app } = await start(t)
  for (const name of ['openid-configuration', 'oauth-authorization-server'])
    t.match((await app.inject(`/.well-known/${name}`)).json(), { end_session_endpoint: 'https://as.example/logout' })
  for (const options of [
    { keys: {}, logoutPath: false },
    { keys: {}, session: false, accessTokens: 'jwt' },
    {}
  ] as const) {
    const without = await makeApp(t, {
      options: {
        ...options,
        ...('keys' in options ? { keys: { secret: 'a secret of tests that is long enough' } } : {})
      }
    })
    t.notOk('end_session_endpoint' in (await without.inject('/.well-known/oauth-authorization-server')).json<object>())
  }
})

t.test('a client that proves whom it means signs that user out, and gets the browser back', async (t) => {
  const { hint, bob } = await start(t)
  const copy = new Map(bob.cookies)
  const asked = { id_token_hint: hint, post_logout_redirect_uri: away, state: 'a b&c' }
  const answer = await bob.get(logoutUrl(asked))
  t.equal(answer.statusCode, 302)
  t.equal(answer.headers.location, `${away}?state=a%20b%26c`)
  t.match(answer.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  t.notOk(await isSignedIn(bob))
  for (const [name, value] of copy) bob.cookies.set(name, value)
  t.notOk(await isSignedIn(bob), 'a copy of the cookie is worth nothing')
  const again = await bob.get(logoutUrl({ ...asked, post_logout_redirect_uri: `${away}?a=1` }))
  t.equal(again.headers.location, `${away}?a=1&state=a%20b%26c`, 'no user is signed in: that is what was asked for')
})

t.test('without an address to go to, the page says that it is done', async (t) => {
  const { hint, bob } = await start(t)
  t.match((await bob.get(logoutUrl({ id_token_hint: hint }))).body, /You are signed out/)
  t.notOk(await isSignedIn(bob))
})

t.test('a client may send a form: browsers send no cookie along with it, so that it becomes a link', async (t) => {
  const { app, hint, bob } = await start(t)
  const fields = { id_token_hint: hint, post_logout_redirect_uri: away, state: 's', evil: 'x' }
  const headers = { origin: 'https://client.example', 'sec-fetch-site': 'cross-site' }
  const answer = await makeBrowser(app).post('/logout', fields, headers)
  t.equal(answer.statusCode, 303)
  t.notOk(answer.headers['set-cookie'])
  const { evil: _evil, ...kept } = fields
  t.same(Object.fromEntries(locationOf(answer).searchParams), kept)
  t.equal((await bob.get(String(answer.headers.location))).headers.location, `${away}?state=s`)
  t.notOk(await isSignedIn(bob))
})

t.test('a hint whose time is over is one all the same', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const { app, hint } = await start(t)
  mock.timers.tick(20 * 3_600_000)
  const bob = await logIn(app)
  t.equal((await bob.get(logoutUrl({ id_token_hint: hint, post_logout_redirect_uri: away }))).headers.location, away)
  t.notOk(await isSignedIn(bob))
})

async function forge(sub: string): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return new SignJWT({ sub })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', jwk: await exportJWK(publicKey) })
    .setIssuer('https://as.example')
    .setAudience('shop')
    .setExpirationTime('1h')
    .sign(privateKey)
}

t.test('attack: a link without a valid hint signs nobody out before the user has agreed', async (t) => {
  const { app, hint, bob } = await start(t)
  const eve = await logIn(app, 'eve')
  await decide(eve, await eve.get(authorizeUrl('shop', { scope: 'openid' })))
  const links: readonly (readonly [string, Browser, Record<string, string>])[] = [
    ['no hint', bob, { client_id: 'shop', post_logout_redirect_uri: away }],
    ['nothing at all', bob, {}],
    ['a forged hint', bob, { id_token_hint: await forge('u1') }],
    ['no token', bob, { id_token_hint: 'x', client_id: 'shop', post_logout_redirect_uri: away }],
    ['an unsigned hint', bob, { id_token_hint: `eyJhbGciOiJub25lIn0.${hint.split('.')[1]}.` }],
    ["somebody else's hint", eve, { id_token_hint: hint, post_logout_redirect_uri: away }]
  ]
  for (const [what, browser, asked] of links) {
    const page = await browser.get(logoutUrl(asked))
    t.equal(page.statusCode, 200, what)
    t.match(page.body, /Sign out\?/, what)
    t.notOk(page.body.includes(hint), 'the hint is in no page')
    t.ok(await isSignedIn(browser), what)
  }
})

t.test('the user agrees, and goes where the client has registered', async (t) => {
  const { bob } = await start(t)
  const asked = { client_id: 'shop', post_logout_redirect_uri: away, state: '"><script>' }
  const page = await bob.get(logoutUrl(asked))
  t.match(page.body, /You will be sent to <strong>client.example<\/strong>/)
  t.notMatch(page.body, '<script>')
  t.match(page.headers['content-security-policy'], /form-action 'self' https:/)
  const csrf_token = fieldOf(page.body, 'csrf_token')
  t.equal((await bob.post('/logout', { ...asked, csrf_token: 'guess' })).statusCode, 403)
  t.ok(await isSignedIn(bob), 'a form of another site agrees to nothing')
  const done = await bob.post('/logout', { ...asked, csrf_token })
  t.equal(done.headers.location, `${away}?state=%22%3E%3Cscript%3E`)
  t.notOk(await isSignedIn(bob))
})

const elsewhere = [
  'https://evil.example/',
  `${away}/`,
  `${away}?x=1`,
  `${away}#x`,
  'https://client.example/BYE',
  'https://client.example:443/bye',
  'https://client.example/cb',
  'https://other.example/',
  '//evil.example',
  'javascript:alert(1)'
]

t.test('attack: no logout leads to an address that the client has not registered for it', async (t) => {
  const { app, hint, bob } = await start(t)
  const csrf_token = fieldOf((await bob.get('/logout')).body, 'csrf_token')
  for (const post_logout_redirect_uri of elsewhere) {
    const [byHint, byName] = [{ id_token_hint: hint }, { client_id: 'shop' }].map((asked) =>
      logoutUrl({ ...asked, post_logout_redirect_uri })
    )
    const answers = await Promise.all([
      bob.get(String(byHint)),
      bob.get(String(byName)),
      makeBrowser(app).get(String(byHint)),
      makeBrowser(app).get(String(byName)),
      bob.post('/logout', { csrf_token, client_id: 'shop', post_logout_redirect_uri })
    ])
    for (const { statusCode, headers } of answers) {
      t.equal(statusCode, 400, post_logout_redirect_uri)
      t.notOk(headers.location)
    }
  }
  t.ok(await isSignedIn(bob), 'and none of them signs out')
})

t.test('attack: an address without a client, or of one that there is not, leads nowhere', async (t) => {
  const { app, bob } = await start(t)
  t.equal((await bob.get(logoutUrl({ client_id: 'ghost', post_logout_redirect_uri: away }))).statusCode, 400)
  const nameless = await makeBrowser(app).get(logoutUrl({ post_logout_redirect_uri: away }))
  t.equal(nameless.statusCode, 200)
  t.notOk(nameless.headers.location)
})

t.test('attack: the hint of one client in the name of another', async (t) => {
  const { hint, bob } = await start(t)
  const answer = await bob.get(
    logoutUrl({ id_token_hint: hint, client_id: 'other', post_logout_redirect_uri: 'https://other.example/' })
  )
  t.equal(answer.statusCode, 400)
  t.ok(await isSignedIn(bob))
})

t.test('attack: a parameter that is there twice, or is a structure', async (t) => {
  const { bob } = await start(t)
  for (const query of [
    `client_id=shop&post_logout_redirect_uri=${encodeURIComponent(away)}&post_logout_redirect_uri=https://evil.example`,
    'id_token_hint[]=x',
    'state=a&state=b'
  ])
    t.equal((await bob.get(`/logout?${query}`)).statusCode, 400, query)
  t.ok(await isSignedIn(bob))
})

t.test('addresses for logouts are registered as redirect URIs are', async (t) => {
  const { app } = await start(t)
  for (const uri of ['javascript:alert(1)', '/relative', 'https://a.example/#x'])
    await t.rejects(addClient(app, { postLogoutRedirectUris: [uri] }), { code: 'OAUTH_CLIENT_INVALID' })
})

t.test('where no ID tokens are given, what clients say of a logout is passed over', async (t) => {
  const app = await makeApp(t)
  await addClient(app, { id: 'shop' })
  const bob = await logIn(app)
  t.match((await bob.get(logoutUrl({ client_id: 'shop', post_logout_redirect_uri: away }))).body, /Sign out\?/)
  t.notOk('postLogoutRedirectURIs' in app.models.typeOf('OAuthClientApplication').properties)
})

t.test('attack: a login form of another site ends no session', async (t) => {
  const { app, bob } = await start(t)
  const stranger = makeBrowser(app) // browsers send no cookie along with it
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
    const answer = await stranger.post('/login', { username: 'x', password: 'y' }, headers)
    t.equal(answer.statusCode, 403)
    t.notOk(answer.headers['set-cookie'], 'a new cookie would take the place of the old one')
  }
  t.ok(await isSignedIn(bob))
})
