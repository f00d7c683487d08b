import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { OAuth2Options } from '#src/index.ts'
import { failOnce, once } from './interfere.ts'
import { logIn } from '../flow.ts'
import { addClient, makeApp, post } from '../make-app.ts'
import { fieldOf } from '../pages/page-app.ts'

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

interface Answer {
  readonly error?: string
  readonly access_token?: string
  readonly scope?: string
}

/** A television that bob has allowed in. */
async function start(t: Test, options: OAuth2Options = {}, asked: Record<string, string> = {}) {
  const app = await makeApp(t, { options: { rateLimit: false, ...options } })
  const { id } = await addClient(app, { name: 'Television', type: 'public', scopes: ['read', 'write'] })
  const form = { client_id: id, scope: 'read write', ...asked }
  const codes = (await post(app, '/oauth/device_authorization', form)).json<Record<string, string>>()
  const ask = async (more: Record<string, string> = {}): Promise<Answer> => {
    const device_code = String(codes['device_code'])
    return (await post(app, '/oauth/token', { grant_type, client_id: id, device_code, ...more })).json<Answer>()
  }
  await allow(app, String(codes['user_code']))
  return { app, id, ask }
}

async function allow(app: FastifyInstance, user_code: string): Promise<void> {
  const browser = await logIn(app)
  const csrf_token = fieldOf((await browser.get('/device')).body, 'csrf_token')
  const done = await browser.post('/device/decision', { csrf_token, user_code })
  if (done.statusCode !== 200) throw new Error(done.body)
}

t.test('what a user takes back before the device has asked again is not given', async (t) => {
  for (const clientId of [undefined, 'own'] as const) {
    const { app, id, ask } = await start(t)
    await app.oauth2.revokeUser('u1', clientId === undefined ? undefined : id)
    t.match(await ask(), { error: 'invalid_grant' })
    t.equal(await app.models.get('OAuthAccessToken').count(), 0)
  }
})

t.test('what others take back, or is taken from other clients, is given', async (t) => {
  const { app, ask } = await start(t)
  await app.oauth2.revokeUser('u2')
  await app.oauth2.revokeUser('u1', 'another')
  t.ok((await ask()).access_token)
})

t.test('what is taken back while tokens are made is not given', async (t) => {
  const { app, ask } = await start(t)
  once(app, 'OAuthAccessToken', () => app.oauth2.revokeUser('u1'))
  await ask()
  t.equal(await app.models.get('OAuthAccessToken').count(), 0)
})

t.test('a second use ends the tokens of the first, also while these are made', async (t) => {
  const { app, ask } = await start(t)
  const answers: Answer[] = []
  once(app, 'OAuthAccessToken', async () => {
    answers.push(await ask())
  })
  await ask()
  t.match(answers, [{ error: 'invalid_grant' }])
  t.equal(await app.models.get('OAuthAccessToken').count(), 0)
})

t.test('a store that fails while tokens are made leaves the code to the device', async (t) => {
  const { app, ask } = await start(t)
  failOnce(app, 'OAuthAccessToken')
  t.match(await ask(), { error: 'server_error' })
  t.ok((await ask()).access_token)
})

t.test('a device asks for some of its resources, and for no others', async (t) => {
  const [one, other] = ['https://one.example', 'https://other.example']
  const { app, ask } = await start(t, { resources: [one, other] }, { resource: one })
  t.match(await ask({ resource: other }), { error: 'invalid_target' })
  const { access_token = '' } = await ask({ resource: one })
  t.same((await app.oauth2.tokens.findAccessToken(access_token))?.resources, [one])
  const open = await start(t, { resources: [one, other] })
  const token = (await open.ask({ resource: other })).access_token ?? ''
  t.same((await open.app.oauth2.tokens.findAccessToken(token))?.resources, [other])
})

t.test('a scope that was taken from the client meanwhile is not given', async (t) => {
  const { app, id, ask } = await start(t)
  await app.models.get('OAuthClientApplication').updateAll({ id }, { scopes: ['read'] })
  t.equal((await ask()).scope, 'read')
})

t.test('every parameter of the request for codes is one text, also one that is not needed', async (t) => {
  const { app, id } = await start(t)
  for (const form of ['nonce=a&nonce=b', 'code[]=x', 'redirect_uri[like]=%25']) {
    const answer = await post(app, '/oauth/device_authorization', `client_id=${id}&${form}`)
    t.equal(answer.statusCode, 400, form)
    t.match(answer.json(), { error: 'invalid_request' })
  }
})
