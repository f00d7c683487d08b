import { maskSecrets } from '@modelwire/server'
import { Writable } from 'node:stream'
import Fastify from 'fastify'
import t from 'tap'
import { authorizeUrl, decide, getTokens, locationOf, logIn } from '../flow.ts'
import { addClient, basic, callback, makeApp, post } from '../make-app.ts'
import { failOnce } from './interfere.ts'

t.test('a redirect URI that was taken from the client meanwhile gets no code', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  const page = await browser.get(authorizeUrl(client.id))
  const redirectURIs = ['https://new.example/cb']
  await app.models.get('OAuthClientApplication').updateAll({ id: client.id }, { redirectURIs })
  const answer = await decide(browser, page)
  t.equal(answer.statusCode, 400)
  t.notOk(answer.headers.location)
  t.equal(await app.models.get('OAuthAuthorizationCode').count(), 0)
})

t.test('a scope that was taken from the client meanwhile is not permitted to it', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { scopes: ['read'] })
  const browser = await logIn(app)
  const page = await browser.get(authorizeUrl(client.id))
  await app.models.get('OAuthClientApplication').updateAll({ id: client.id }, { scopes: ['other'] })
  t.match(locationOf(await decide(browser, page)).searchParams.get('error'), 'invalid_scope')
  t.equal(await app.models.get('OAuthPermission').count(), 0)
})

t.test('a store that fails at the decision is told to the client, with who tells it', async (t) => {
  for (const model of ['OAuthPermission', 'OAuthAuthorizationCode']) {
    const app = await makeApp(t)
    const client = await addClient(app)
    const browser = await logIn(app)
    const page = await browser.get(authorizeUrl(client.id))
    failOnce(app, model)
    const answer = locationOf(await decide(browser, page))
    t.equal(answer.origin + answer.pathname, callback)
    t.same(Object.fromEntries(answer.searchParams), {
      error: 'server_error',
      error_description: 'the server could not process the request',
      state: 'st',
      iss: 'https://as.example'
    })
    t.equal(await app.models.get('OAuthAuthorizationCode').count(), 0, model)
  }
})

t.test('bytes that are not UTF-8 are no text, in a body or in an address', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const ask = { method: 'POST', url: '/oauth/token' } as const
  const form = 'application/x-www-form-urlencoded'
  const sent = [
    { type: 'application/json', payload: Buffer.from('{"grant_type":"client_credentials","scope":"é"}', 'latin1') },
    { type: form, payload: Buffer.from('grant_type=client_credentials&scope=é', 'latin1') },
    { type: form, payload: 'grant_type=client_credentials&scope=%e9' }
  ]
  for (const { type, payload } of sent) {
    const answer = await app.inject({ ...ask, payload, headers: { 'content-type': type, ...basic(client) } })
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { error: 'invalid_request' })
  }
  const address = await app.inject(authorizeUrl(client.id).replace('state=st', 'state=%ff'))
  t.equal(address.statusCode, 400)
  t.match(address.json(), { error: 'invalid_request' })
})

t.test('half a sign is no text: neither a failure nor an echo', async (t) => {
  const app = await makeApp(t, { options: { allowsPostForAuthorization: true } })
  const client = await addClient(app)
  const payload = `{"response_type":"code","client_id":"${client.id}","redirect_uri":"${callback}","state":"\\ud800"}`
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url: '/oauth/authorize', headers, payload })
  t.equal(answer.statusCode, 400)
  t.match(answer.json(), { error: 'invalid_request' })
})

t.test('whoever fails to prove who it is learns how', async (t) => {
  const app = await makeApp(t)
  const open = await addClient(app, { type: 'public' })
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const attempts = [
    post(app, '/oauth/introspect', { token: 'x', client_id: open.id }),
    post(app, '/oauth/token', { grant_type: 'client_credentials', client_id: open.id }),
    post(app, '/oauth/token', { grant_type: 'client_credentials', client_assertion: 'x', client_assertion_type })
  ]
  for (const answer of await Promise.all(attempts)) {
    t.equal(answer.statusCode, 401)
    t.match(answer.headers['www-authenticate'], /^Basic /)
  }
})

t.test('metadata name the algorithms of every endpoint that takes assertions', async (t) => {
  const app = await makeApp(t)
  const metadata = (await app.inject('/.well-known/oauth-authorization-server')).json<Record<string, unknown>>()
  for (const endpoint of ['token', 'revocation', 'introspection'])
    t.same(metadata[`${endpoint}_endpoint_auth_signing_alg_values_supported`], ['RS256', 'PS256', 'ES256', 'EdDSA'])
})

t.test('the token of a client that is gone tells nothing about its user', async (t) => {
  const app = await makeApp(t, { options: { keys: {} } })
  const client = await addClient(app)
  const { access_token } = await getTokens(app, client, { scope: 'openid' })
  const ask = () => app.inject({ url: '/oauth/userinfo', headers: { authorization: `Bearer ${access_token}` } })
  t.equal((await ask()).statusCode, 200)
  await app.models.get('OAuthClientApplication').destroyAll({ id: client.id })
  t.equal((await ask()).statusCode, 401)
})

t.test('what is sent to a wrong method or path by mistake is not logged', async (t) => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    }
  })
  const app = await makeApp(t, { server: Fastify({ logger: { level: 'trace', stream } }), options: { keys: {} } })
  const client = await addClient(app)
  const query = `grant_type=client_credentials&client_id=${client.id}&client_secret=${client.secret}`
  const paths = ['token', 'revoke', 'introspect', 'device_authorization']
  for (const path of paths) {
    const answer = await app.inject({ url: `/oauth/${path}?${query}`, headers: basic(client) })
    t.equal(answer.statusCode, 405, path)
    t.equal(answer.headers.allow, 'POST')
    t.notMatch(answer.body, client.secret)
  }
  t.ok(lines.length > 0)
  t.notOk(lines.join('').includes(client.secret))
})

t.test('addresses in addresses are logged without their secrets', async (t) => {
  const inner = '/oauth/authorize?client_id=a&id_token_hint=eyJ.x.y&state=s'
  t.equal(
    maskSecrets(`/login?return_to=${encodeURIComponent(inner)}&x=1`),
    `/login?return_to=${encodeURIComponent('/oauth/authorize?client_id=a&id_token_hint=')}…${encodeURIComponent('&state=s')}&x=1`
  )
  t.equal(
    maskSecrets('/login?return_to=%2Fdevice%3Fuser_code%3DBCDF-GHJK'),
    '/login?return_to=%2Fdevice%3Fuser_code%3D…'
  )
})
