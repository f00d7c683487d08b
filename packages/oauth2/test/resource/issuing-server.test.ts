import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { type OAuth2Options, resourceServer } from '#src/index.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'
import { echo, withToken } from './resource-app.ts'

const secret = 'a secret of tests that is long enough'
const jwts = { accessTokens: 'jwt', keys: { secret } } as const

async function setUp(t: Test, options: OAuth2Options = {}) {
  const app = await makeApp(t, { options })
  app.oauth2.authenticate('/me')
  echo(app, '/me')
  await app.ready()
  const client = await addClient(app, { grantTypes: ['client_credentials'] })
  const token = async (form: Readonly<Record<string, string>> = {}): Promise<string> => {
    const answer = await post(
      app,
      '/oauth/token',
      { grant_type: 'client_credentials', scope: 'read', ...form },
      basic(client)
    )
    t.equal(answer.statusCode, 200, answer.body)
    return answer.json().access_token
  }
  return { app, client, token }
}

const statusOf = async (app: FastifyInstance, token: string): Promise<number> =>
  (await app.inject(withToken('/me', token))).statusCode

void t.test('access tokens are JWTs with the claims of RFC 9068', async (t) => {
  const { app, client, token } = await setUp(t, jwts)
  const jwt = await token()
  t.match(decodeProtectedHeader(jwt), { alg: 'ES256', typ: 'at+jwt', kid: String })
  const claims = decodeJwt(jwt)
  t.match(claims, {
    iss: 'https://as.example',
    aud: 'https://as.example',
    sub: client.id,
    client_id: client.id,
    scope: 'read',
    jti: String
  })
  t.equal((claims.exp ?? 0) - (claims.iat ?? 0), 600)
  t.not(decodeJwt(await token()).jti, claims.jti)
  t.match((await app.inject(withToken('/me', jwt))).json(), { client: client.id, user: null, scopes: ['read'] })
})

void t.test('the published keys verify them, and say how long they may be kept', async (t) => {
  const { app, token } = await setUp(t, jwts)
  const answer = await app.inject('/oauth/jwks')
  t.equal(answer.headers['cache-control'], 'public, max-age=600')
  t.equal(answer.json().keys.length, 2, 'the current and the next')
  t.notMatch(answer.body, /"d"/)
  t.match((await app.inject('/.well-known/oauth-authorization-server')).json(), {
    jwks_uri: 'https://as.example/oauth/jwks'
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const keys = createRemoteJWKSet(new URL(`${address}/oauth/jwks`))
  t.ok(await jwtVerify(await token(), keys, { issuer: 'https://as.example', typ: 'at+jwt' }))
})

void t.test('a token is meant for the resource that it was asked for', async (t) => {
  const resources = ['https://api.example', 'https://as.example']
  for (const form of [jwts, {}] as const) {
    const { app, token } = await setUp(t, { ...form, resources })
    const own = await token({ resource: 'https://as.example' })
    const other = await token({ resource: 'https://api.example' })
    t.equal(await statusOf(app, own), 200)
    t.equal(await statusOf(app, other), 401, 'another resource’s token')
    if (form === jwts) t.equal(decodeJwt(other).aud, 'https://api.example')
  }
})

void t.test('the issuing server refuses a revoked JWT at once, and those of a compromised key', async (t) => {
  const { app, client, token } = await setUp(t, jwts)
  const [first, second] = [await token(), await token()]
  t.equal(await statusOf(app, first), 200)
  await post(app, '/oauth/revoke', { token: first }, basic(client))
  t.equal(await statusOf(app, first), 401)
  t.equal(await statusOf(app, second), 200)
  await app.oauth2.keys?.rotate({ compromised: true })
  t.equal(await statusOf(app, second), 401)
  t.equal(await statusOf(app, await token()), 200)
})

void t.test('tokens of a client that is gone are refused', async (t) => {
  const { app, client, token } = await setUp(t, jwts)
  const jwt = await token()
  await app.oauth2.clients.remove(client.id)
  t.equal(await statusOf(app, jwt), 401)
})

void t.test('attack: a token of the tables, presented as what the table holds', async (t) => {
  const { app, token } = await setUp(t)
  const opaque = await token()
  t.equal(await statusOf(app, opaque), 200)
  const [row] = await app.models.get('OAuthAccessToken').find()
  t.not(row?.['id'], opaque)
  for (const text of [String(row?.['id']), opaque.toLowerCase(), `${opaque}=`, opaque.slice(1)])
    t.ok([400, 401].includes(await statusOf(app, text)), text)
})

void t.test('JWTs need an issuer and something to keep keys with', async (t) => {
  const options = { accessTokens: 'jwt', session: false } as const
  await t.rejects(makeApp(t, { options }), { code: 'OAUTH_OPTION_MISSING' })
})

void t.test('a function of the application looks tokens up instead', async (t) => {
  const { app } = await setUp(t, {
    checkAccessToken: (_request, token, callback) => {
      if (token === 'broken') callback(new Error('database'))
      else if (token === 'good')
        callback(null, { id: 'u9' }, { accessToken: { appId: 'c9', userId: 'u9', scopes: ['a'] } })
      else callback(null, false)
    }
  })
  t.match((await app.inject(withToken('/me', 'good'))).json(), { client: 'c9', user: 'u9', scopes: ['a'] })
  t.equal(await statusOf(app, 'bad'), 401)
  t.equal(await statusOf(app, 'broken'), 401)
})

void t.test(
  'a resource server without anything of this server takes its JWTs and asks about its opaque tokens',
  async (t) => {
    for (const form of [jwts, {}] as const) {
      const { app, token } = await setUp(t, {
        ...form,
        issuer: 'http://127.0.0.1:9',
        resources: ['https://api.example']
      })
      const address = await app.listen({ port: 0, host: '127.0.0.1' })
      const asking = await addClient(app, { name: 'API' })
      const api = Fastify()
      t.teardown(() => api.close())
      await api.register(resourceServer, {
        issuer: 'http://127.0.0.1:9',
        audience: 'https://api.example',
        jwksUri: `${address}/oauth/jwks`,
        introspection: { url: `${address}/oauth/introspect`, clientId: asking.id, clientSecret: asking.secret },
        protect: '/me'
      })
      echo(api, '/me')
      t.equal(await statusOf(api, await token({ resource: 'https://api.example' })), 200)
      t.equal(await statusOf(api, `${await token()}x`), 401)
      t.equal(await statusOf(api, 'unknown'), 401)
      if (form === jwts) t.equal(await statusOf(api, await token()), 401, 'a token that names another audience')
    }
  }
)
