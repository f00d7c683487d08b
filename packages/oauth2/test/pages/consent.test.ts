import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import fastifyView from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { buildPageApp, client, fieldOf, makeBrowser, type PageSetUp } from './page-app.ts'

const signs = `<img src=x onerror=alert(1)>"'`

async function start(t: Test, setUp?: PageSetUp) {
  const page = await buildPageApp(setUp)
  t.teardown(() => page.app.close())
  const browser = makeBrowser(page.app)
  await browser.logIn()
  return { ...page, browser }
}

t.test('the page says who asks, for whom, for what, and where the answer goes', async (t) => {
  const { browser } = await start(t)
  const { body, statusCode } = await browser.get('/oauth/authorize')
  t.equal(statusCode, 200)
  for (const part of ['Photo Printer wants', '<strong>ann</strong>', 'Know who you are', 'orders', 'printer.example'])
    t.ok(body.includes(part), part)
  t.equal(fieldOf(body, 'transaction_id'), 't1')
  t.match(body, /<button type="submit" name="cancel" value="deny">/)
})

t.test('options say what people read of scopes, and an address of this machine is no name', async (t) => {
  const options = { scopes: { orders: 'See your orders' }, issuer: 'http://127.0.0.1:4301' }
  const { browser } = await start(t, { options, ask: { scopes: ['orders', 'profile'] } })
  const { body } = await browser.get('/oauth/authorize')
  for (const part of ['See your orders', 'See your profile', '· Account</title>']) t.ok(body.includes(part), part)
  t.notMatch(body, '127.0.0.1')
})

t.test('the decision needs the token of the page', async (t) => {
  const { app, browser } = await start(t)
  const stranger = makeBrowser(app)
  await stranger.logIn()
  const csrf_token = fieldOf((await browser.get('/oauth/authorize')).body, 'csrf_token')
  const foreign = fieldOf((await stranger.get('/oauth/authorize')).body, 'csrf_token')
  const decide = (fields: Record<string, string>, headers = {}) =>
    browser.post('/oauth/authorize/decision', { transaction_id: 't1', ...fields }, headers)
  t.equal((await decide({})).statusCode, 403)
  t.equal((await decide({ csrf_token: foreign })).statusCode, 403)
  t.equal((await decide({}, { 'sec-fetch-site': 'same-origin' })).statusCode, 403)
  t.equal((await decide({ csrf_token })).statusCode, 302)
})

t.test('names of clients, users and scopes are text', async (t) => {
  const evil = { ...client, id: signs, name: signs, record: { name: signs, policyURI: 'javascript:alert(1)' } }
  const ask = { client: evil, scopes: [signs], user: { id: 1, name: signs }, transactionId: signs }
  const { browser } = await start(t, { ask, options: { pages: { name: signs } } })
  const { body } = await browser.get('/oauth/authorize')
  t.notMatch(body, /<img|javascript:|onerror=alert\(1\)>"/)
  t.match(body, '&lt;img src=x onerror=alert(1)&gt;&quot;&#39; wants')
})

t.test('documents of the client are linked, on the web alone', async (t) => {
  const record = { name: 'P', policyURI: 'https://printer.example/privacy', tosURI: 'data:text/html,x' }
  const { browser } = await start(t, { ask: { client: { ...client, record } } })
  const { body } = await browser.get('/oauth/authorize')
  t.match(body, 'href="https://printer.example/privacy" rel="noopener noreferrer"')
  t.notMatch(body, 'data:text')
})

t.test('nobody frames, keeps or tells of the page, and it runs and loads nothing', async (t) => {
  const { browser } = await start(t)
  const { headers, body } = await browser.get('/oauth/authorize')
  t.match(headers, {
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff'
  })
  const policy = String(headers['content-security-policy'])
  t.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' https:;/)
  t.match(policy, /frame-ancestors 'none'/)
  t.notMatch(policy, /unsafe|\*/)
  const [, sheet = ''] = /<style>([^]*)<\/style>/.exec(body) ?? []
  t.ok(policy.includes(`'sha256-${createHash('sha256').update(sheet).digest('base64')}'`))
  t.notMatch(body, /<script|<link|<img|src=|@import|url\(/)
})

t.test('an application on the device is named by its scheme, and let through', async (t) => {
  const { browser } = await start(t, { ask: { redirectUri: 'com.printer.app:/cb' } })
  const { headers, body } = await browser.get('/oauth/authorize')
  t.match(body, 'com.printer.app')
  t.match(headers, { 'content-security-policy': /form-action 'self' com\.printer\.app:;/ })
})

t.test('somebody else can sign in from there, and comes back', async (t) => {
  const { browser } = await start(t)
  const { body } = await browser.get('/oauth/authorize?client_id=printer&state=1')
  const fields = { csrf_token: fieldOf(body, 'csrf_token'), return_to: fieldOf(body, 'return_to') }
  const out = await browser.post('/logout', fields)
  t.equal(out.headers.location, '/oauth/authorize?client_id=printer&state=1')
  t.match((await browser.get(String(out.headers.location))).headers, { location: /^\/login/ })
})

t.test('a page of the application gets the query that LoopBack sends', async (t) => {
  const { browser } = await start(t, {
    options: { decisionPage: '/ask?theme=1', decisionView: 'dialog' },
    before: addViews
  })
  const { headers } = await browser.get('/oauth/authorize')
  const { pathname, searchParams } = new URL(String(headers.location), 'http://localhost')
  t.equal(pathname, '/ask')
  t.same(Object.fromEntries(searchParams), {
    theme: '1',
    transactionId: 't1',
    userId: '1',
    clientId: 'printer',
    scope: 'openid orders',
    redirectURI: 'https://printer.example/cb'
  })
})

const root = fileURLToPath(new URL('../../test/pages/fixtures', import.meta.url))

async function addViews(app: FastifyInstance): Promise<void> {
  await app.register(fastifyView, { engine: { eta: new Eta() }, root, viewExt: 'eta' })
}

t.test('a view of the application is rendered with the variables of LoopBack, in no frame', async (t) => {
  const options = { decisionView: 'dialog', pages: { views: { login: 'entry', error: 'oops' } } }
  const { browser } = await start(t, { options, before: addViews })
  t.match((await browser.get('/login')).body, 'own login /login')
  const { body, headers } = await browser.get('/oauth/authorize')
  t.match(body, 'ann|undefined|Photo Printer|openid,orders|t1')
  t.match(headers, { 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
  const failed = await browser.post('/oauth/authorize/decision', { transaction_id: 't1' })
  t.match(failed.body, 'own error access_denied')
  const decided = await browser.post('/oauth/authorize/decision', { csrf_token: fieldOf(body, 'csrf_token') })
  t.equal(decided.statusCode, 302)
})

t.test('a view that nothing renders is refused at the start', async (t) => {
  const { app } = await buildPageApp({ options: { decisionView: 'dialog' } })
  await t.rejects(
    (async () => {
      await app.ready()
    })(),
    { code: 'OAUTH_OPTION_MISSING' }
  )
})

t.test('compat: a dialog without a token decides from the same origin alone', async (t) => {
  const { browser } = await start(t, { options: { compat: 'loopback', decisionPage: '/ask' } })
  const decide = async (headers: object) =>
    (await browser.post('/oauth/authorize/decision', { transaction_id: 't1' }, headers)).statusCode
  t.equal(await decide({}), 302)
  t.equal(await decide({ 'sec-fetch-site': 'same-origin' }), 302)
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])
    t.equal(await decide(headers), 403)
})
