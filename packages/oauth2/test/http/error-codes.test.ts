import { SharedStateUnavailable } from '@modelwire/server'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { toOAuthError } from '#src/http/send-error.ts'
import type { OAuth2Options } from '#src/index.ts'
import { authorizeUrl, getTokens, logIn } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'
import { fieldOf } from '../pages/page-app.ts'

/** A server whose answers name the code of what their routes fail with: clients only see the `error` of the protocol. */
function codeTelling(): FastifyInstance {
  const app = Fastify()
  app.addHook('onRoute', (route) => {
    route.errorHandler ??= (error, _request, reply) => {
      void reply.header('failed-with', error.code)
      throw error
    }
  })
  return app
}

const start = (t: Test, options: OAuth2Options = {}): Promise<FastifyInstance> =>
  makeApp(t, { server: codeTelling(), options })

const codeOf = ({ headers }: LightMyRequestResponse): unknown => headers['failed-with']

t.test('what is wrong with a request of a token has a code', async (t) => {
  const app = await start(t)
  const client = await addClient(app)
  const limited = await addClient(app, { grantTypes: ['authorization_code'] })
  const ask = async (form: Record<string, string>, headers = basic(client)): Promise<unknown> =>
    codeOf(await post(app, '/oauth/token', form, headers))
  const grant_type = 'client_credentials'
  t.equal(codeOf(await app.inject('/oauth/token')), 'OAUTH_METHOD_NOT_ALLOWED')
  t.equal(await ask({}), 'OAUTH_GRANT_TYPE_MISSING')
  t.equal(await ask({ grant_type }, { authorization: 'Basic !' }), 'OAUTH_CREDENTIALS_MALFORMED')
  t.equal(await ask({ grant_type }, basic(limited)), 'OAUTH_GRANT_NOT_ALLOWED')
  t.equal(await ask({ grant_type, scope: 'a"b' }), 'OAUTH_INVALID_SCOPE')
  t.equal(await ask({ grant_type, username: 'bob' }), 'OAUTH_ACCESS_DENIED')
})

t.test('what is shown to the user and never sent to the client has a code', async (t) => {
  const app = await start(t)
  const client = await addClient(app)
  const ask = async (id: string, asked = {}): Promise<unknown> => codeOf(await app.inject(authorizeUrl(id, asked)))
  t.equal(await ask('ghost'), 'OAUTH_CLIENT_NOT_FOUND')
  t.equal(await ask(client.id, { redirect_uri: 'https://evil.example/cb' }), 'OAUTH_REDIRECT_URI_NOT_ALLOWED')
})

t.test('what is wrong with a decision has a code', async (t) => {
  const app = await start(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  const csrf_token = fieldOf((await browser.get(authorizeUrl(client.id))).body, 'csrf_token')
  const decide = async (form: Record<string, string>): Promise<unknown> =>
    codeOf(await browser.post('/oauth/authorize/decision', form))
  t.equal(await decide({ transaction_id: 'x' }), 'OAUTH_CSRF_TOKEN_INVALID')
  t.equal(await decide({ csrf_token }), 'OAUTH_TRANSACTION_MISSING')
  t.equal(await decide({ csrf_token, transaction_id: 'x' }), 'OAUTH_TRANSACTION_UNKNOWN')
})

t.test("where LoopBack's component answers a request that is not in order, the answer has a code", async (t) => {
  const app = await start(t, { compat: 'loopback' })
  const other = await addClient(app, { responseTypes: ['token'] })
  t.equal(codeOf(await app.inject(authorizeUrl(other.id))), 'OAUTH_RESPONSE_TYPE_NOT_ALLOWED')
  const client = await addClient(app, { grantTypes: ['client_credentials'] })
  const browser = await logIn(app)
  const page = (await browser.get(authorizeUrl(client.id))).body
  const form = { csrf_token: fieldOf(page, 'csrf_token'), transaction_id: fieldOf(page, 'transaction_id') }
  const decided = await browser.post('/oauth/authorize/decision', form)
  t.equal(codeOf(decided), 'OAUTH_PERMITTED_GRANT_NOT_ALLOWED')
})

t.test('a device that the user denied gets its code', async (t) => {
  const app = await start(t, { keys: {} })
  const { id } = await addClient(app, { type: 'public' })
  const codes = (await post(app, '/oauth/device_authorization', { client_id: id })).json<Record<string, string>>()
  const { user_code = '', device_code = '' } = codes
  const browser = await logIn(app)
  const question = await browser.get(`/device?user_code=${user_code}`)
  await browser.post('/device/decision', {
    csrf_token: fieldOf(question.body, 'csrf_token'),
    user_code,
    cancel: 'deny'
  })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  t.equal(codeOf(await post(app, '/oauth/token', { grant_type, device_code, client_id: id })), 'OAUTH_DEVICE_DENIED')
})

t.test('whoever asks too often learns that by a code of its own, not that of a server in trouble', async (t) => {
  const app = await start(t, { rateLimit: { max: 1 } })
  await post(app, '/oauth/token', {})
  const refused = await post(app, '/oauth/token', {})
  t.match([refused.statusCode, codeOf(refused)], [429, 'OAUTH_TOO_MANY_REQUESTS'])
  const cause = new SharedStateUnavailable('Redis does not answer')
  t.match(toOAuthError(cause), { statusCode: 503, code: 'OAUTH_TEMPORARILY_UNAVAILABLE', cause })
})

t.test('a token whose client is gone is refused as such (OAUTH_TOKEN_ORPHANED)', async (t) => {
  const app = await start(t)
  app.get('/mine', { onRequest: app.oauth2.authenticate() }, async () => 'mine')
  const client = await addClient(app)
  const { access_token } = await getTokens(app, client)
  await app.models.get('OAuthClientApplication').destroyAll({ id: client.id })
  const answer = await app.inject({ url: '/mine', headers: { authorization: `Bearer ${access_token}` } })
  t.equal(answer.statusCode, 401)
  const error_description = `Access token has invalid app id: ${client.id}`
  t.match(answer.json(), { error: 'invalid_token', error_description })
})
