import { mock } from 'node:test'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { OAuth2Options } from '#src/index.ts'
import { logIn } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'
import { fieldOf, makeBrowser } from '../pages/page-app.ts'

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

interface Client {
  readonly id: string
  readonly secret: string
}

/** A television with a server; the clock stands still. */
async function start(t: Test, options: OAuth2Options = {}) {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const app = await makeApp(t, { options: { keys: {}, ...options } })
  const client = await addClient(app, { name: 'Television', type: 'public' })
  const codes = await askCodes(app, client)
  return { app, client, codes, poll: () => poll(app, client, codes) }
}

async function askCodes(app: FastifyInstance, { id }: Client, more: Record<string, string> = {}): Promise<Codes> {
  const form = { client_id: id, scope: 'openid read', ...more }
  return (await post(app, '/oauth/device_authorization', form)).json<Codes>()
}

interface Polled {
  readonly status: number
  readonly error?: string
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
}

async function poll(app: FastifyInstance, { id, secret }: Client, { device_code }: Codes): Promise<Polled> {
  const form = { grant_type, device_code, ...(secret === '' ? { client_id: id } : {}) }
  const answer = await post(app, '/oauth/token', form, secret === '' ? {} : basic({ id, secret }))
  return { status: answer.statusCode, ...answer.json<object>() }
}

type Browser = ReturnType<typeof makeBrowser>

/** Enters a code, and answers the question. */
async function connect(browser: Browser, user_code: string, answer: Record<string, string> = { decision: 'allow' }) {
  const csrf_token = fieldOf((await browser.get('/device')).body, 'csrf_token')
  const question = await browser.post('/device', { csrf_token, user_code })
  const fields = { csrf_token: fieldOf(question.body, 'csrf_token'), user_code: fieldOf(question.body, 'user_code') }
  return { question, done: await browser.post('/device/decision', { ...fields, ...answer }) }
}

t.test('a device is connected by its code, and asks until somebody has answered', async (t) => {
  const { app, codes, poll: ask } = await start(t)
  t.match(codes, { expires_in: 600, interval: 5, verification_uri: 'https://as.example/device' })
  t.equal(codes.verification_uri_complete, `https://as.example/device?user_code=${codes.user_code}`)
  t.match(await ask(), { status: 400, error: 'authorization_pending' })
  const { question, done } = await connect(await logIn(app), codes.user_code.toLowerCase())
  for (const part of ['Television wants', codes.user_code, '<strong>bob</strong>', 'read'])
    t.ok(question.body.includes(part))
  t.match(done.body, /Your device is connected/)
  mock.timers.tick(5000)
  const tokens = await ask()
  t.match(tokens, { status: 200, token_type: 'Bearer', scope: 'openid read' })
  t.ok(tokens.refresh_token)
  t.ok(tokens.id_token)
})

t.test('a code that was used ends what came from it', async (t) => {
  const { app, client, codes, poll: ask } = await start(t)
  await connect(await logIn(app), codes.user_code)
  const { access_token = '' } = await ask()
  t.ok(await app.oauth2.tokens.findAccessToken(access_token))
  t.match(await poll(app, client, codes), { status: 400, error: 'invalid_grant' })
  t.notOk(await app.oauth2.tokens.findAccessToken(access_token))
})

t.test('of many questions at once, one gets tokens', async (t) => {
  const { app, codes, poll: ask } = await start(t)
  await connect(await logIn(app), codes.user_code)
  const answers = await Promise.all(Array.from({ length: 20 }, ask))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
})

t.test('a device that asks too often waits five seconds longer each time', async (t) => {
  const { poll: ask } = await start(t)
  t.match(await ask(), { error: 'authorization_pending' })
  mock.timers.tick(2000)
  t.match(await ask(), { status: 400, error: 'slow_down' })
  mock.timers.tick(6000)
  t.match(await ask(), { error: 'slow_down' })
  mock.timers.tick(15_000)
  t.match(await ask(), { error: 'authorization_pending' })
})

t.test('a no is told to the device, and stays a no', async (t) => {
  const { app, codes, poll: ask } = await start(t)
  const browser = await logIn(app)
  const { done } = await connect(browser, codes.user_code, { cancel: 'deny' })
  t.match(done.body, /The device was not connected/)
  t.match(await ask(), { status: 400, error: 'access_denied' })
  t.equal((await connect(browser, codes.user_code)).question.statusCode, 400)
  t.match(await ask(), { error: 'access_denied' })
})

t.test('codes end after ten minutes', async (t) => {
  const { app, codes, poll: ask } = await start(t)
  mock.timers.tick(601_000)
  t.match(await ask(), { status: 400, error: 'expired_token' })
  const { question } = await connect(await logIn(app), codes.user_code)
  t.equal(question.statusCode, 400)
  t.match(question.body, /No device is waiting/)
})

t.test('a code that was allowed in time ends, too', async (t) => {
  const { app, codes, poll: ask } = await start(t)
  await connect(await logIn(app), codes.user_code)
  mock.timers.tick(601_000)
  t.match(await ask(), { status: 400, error: 'expired_token' })
})

t.test("another client's code, a guess and half a code are wrong", async (t) => {
  const { app, client, codes } = await start(t)
  const other = await addClient(app, { name: 'Other', type: 'public' })
  t.match(await poll(app, other, codes), { status: 400, error: 'invalid_grant' })
  const [id = ''] = codes.device_code.split('.')
  for (const device_code of ['x', id, `${id}.`, `${id}.x`, `${codes.device_code}x`, codes.user_code])
    t.match(await poll(app, client, { ...codes, device_code }), { status: 400, error: 'invalid_grant' })
})

t.test('only known clients ask for codes, for what they may have', async (t) => {
  const { app } = await start(t)
  const limited = await addClient(app, {
    name: 'L',
    type: 'public',
    scopes: ['read'],
    grantTypes: ['authorization_code']
  })
  const ask = async (form: Record<string, string> | string) =>
    (await post(app, '/oauth/device_authorization', form)).json<object>()
  t.match(await ask({ client_id: 'ghost' }), { error: 'invalid_client' })
  t.match(await ask({}), { error: /^invalid_/ })
  t.match(await ask({ client_id: limited.id }), { error: 'unauthorized_client' })
  t.match(await ask(`client_id=${limited.id}&client_id=x`), { error: 'invalid_request' })
  const confidential = await addClient(app)
  t.match(await ask({ client_id: confidential.id }), { error: 'invalid_client' })
  const scoped = await addClient(app, { name: 'S', type: 'public', scopes: ['read'] })
  t.match(await ask({ client_id: scoped.id, scope: 'admin' }), { error: 'invalid_scope' })
})

t.test('whoever is not signed in signs in first, and comes back with the code', async (t) => {
  const { app, codes } = await start(t)
  const browser = makeBrowser(app)
  const asked = await browser.get(`/device?user_code=${codes.user_code}`)
  t.equal(asked.headers.location, `/login?return_to=${encodeURIComponent(`/device?user_code=${codes.user_code}`)}`)
  t.match((await browser.post('/device', { user_code: codes.user_code })).headers, { location: /^\/login/ })
  t.match((await browser.post('/device/decision', { user_code: codes.user_code })).headers, { location: /^\/login/ })
  await browser.logIn({ username: 'bob', password: 'secret-bob' })
  const page = await browser.get(`/device?user_code=${codes.user_code}`)
  t.match(page.body, `value="${codes.user_code}"`)
  t.match(page.body, /<label for="user_code">/)
})

t.test('a link with a code connects nothing by itself, nor does a foreign form', async (t) => {
  const { app, codes, poll: ask } = await start(t)
  const browser = await logIn(app)
  await browser.get(codes.verification_uri_complete.replace('https://as.example', ''))
  const fields = { user_code: codes.user_code, decision: 'allow' }
  t.equal((await browser.post('/device/decision', fields)).statusCode, 403)
  t.equal((await browser.post('/device', fields)).statusCode, 403)
  t.match(await ask(), { error: 'authorization_pending' })
})

t.test('codes cannot be guessed: one address has ten attempts a minute', async (t) => {
  const { app } = await start(t)
  const browser = await logIn(app)
  const csrf_token = fieldOf((await browser.get('/device')).body, 'csrf_token')
  const guess = async () => (await browser.post('/device', { csrf_token, user_code: 'BBBB-BBBB' })).statusCode
  for (let count = 0; count < 10; count++) t.equal(await guess(), 400)
  t.equal(await guess(), 429)
})

t.test('the pages stand in no frame, and what was typed is text', async (t) => {
  const { app } = await start(t)
  const browser = await logIn(app)
  const page = await browser.get(`/device?user_code=${encodeURIComponent('"><script>')}`)
  t.notMatch(page.body, '<script>')
  t.match(page.headers, { 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
})

t.test('rows hold no code of a device', async (t) => {
  const { app, codes } = await start(t)
  const [, secret = ''] = codes.device_code.split('.')
  const rows = await app.models.get('OAuthState').find()
  t.ok(rows.length > 1)
  t.notOk(JSON.stringify(rows).includes(secret))
})

t.test('without the grant there is no device flow', async (t) => {
  const app = await makeApp(t, { options: { supportedGrantTypes: ['authorizationCode'] } })
  t.equal((await post(app, '/oauth/device_authorization', {})).statusCode, 404)
  t.equal((await app.inject('/device')).statusCode, 404)
})
