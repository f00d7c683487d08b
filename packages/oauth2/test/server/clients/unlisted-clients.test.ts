import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { NewClient, OAuth2Options } from '#src/index.ts'
import { authorizeUrl, getCode, locationOf, logIn, redeem, refresh } from '../../flow.ts'
import { basic, callback, makeApp, post } from '../../make-app.ts'

const grants = [
  'authorizationCode',
  'implicit',
  'clientCredentials',
  'resourceOwnerPasswordCredentials',
  'refreshToken',
  'jwt',
  'deviceCode'
] as const

/** A client that is registered for nothing in particular. */
async function start(t: Test, options: OAuth2Options = {}) {
  const app = await makeApp(t, { options: { scopes: ['read'], ...options } })
  const { client, secret = '' } = await app.oauth2.clients.create({ name: 'Shop', redirectUris: [callback] })
  return { app, client: { id: client.id, secret } }
}

t.test('attack: a client without grant types gets tokens for codes and refresh tokens only', async (t) => {
  const { app, client } = await start(t, { supportedGrantTypes: [...grants] })
  const tokens = (await redeem(app, client, await getCode(app, client.id))).json<{ refresh_token: string }>()
  t.equal((await refresh(app, client, tokens.refresh_token)).statusCode, 200)
  const others = [
    { grant_type: 'client_credentials' },
    { grant_type: 'password', username: 'bob', password: 'secret-bob' },
    { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
    { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'x' }
  ]
  for (const form of others) {
    const answer = await post(app, '/oauth/token', form, basic(client))
    t.match(answer.json(), { error: 'unauthorized_client' }, form.grant_type)
  }
  t.match((await post(app, '/oauth/device_authorization', {}, basic(client))).json(), { error: 'unauthorized_client' })
  const implicit = locationOf(await (await logIn(app)).get(authorizeUrl(client.id, { response_type: 'token' })))
  t.match(implicit.hash, 'error=unauthorized_client')
})

t.test('attack: a client without scopes gets those that the server names only', async (t) => {
  const { app, client } = await start(t, { keys: {}, scopeMappings: { 'orders:write': [] } })
  const browser = await logIn(app)
  const ask = async (scope: string) => browser.get(authorizeUrl(client.id, { scope }))
  t.equal(locationOf(await ask('anything:at-all admin')).searchParams.get('error'), 'invalid_scope')
  t.equal((await ask('read orders:write openid email')).statusCode, 200, 'the consent page')
  const issue = app.oauth2.issueToken
  t.ok(await issue?.({ clientId: client.id, userId: 'u1', scopes: ['read'] }))
  await t.rejects(async () => issue?.({ clientId: client.id, scopes: ['admin'] }), { code: 'OAUTH_SCOPE_NOT_ALLOWED' })
  const metadata = (await app.inject('/.well-known/oauth-authorization-server')).json<{ scopes_supported: string[] }>()
  t.strictSame(metadata.scopes_supported, [
    'openid',
    'profile',
    'email',
    'address',
    'phone',
    'offline_access',
    'read',
    'orders:write'
  ])
})

t.test('a client without scopes of a server that names none has none', async (t) => {
  const { app, client } = await start(t, { scopes: [] })
  const browser = await logIn(app)
  t.equal(locationOf(await browser.get(authorizeUrl(client.id))).searchParams.get('error'), 'invalid_scope')
  t.equal((await browser.get(authorizeUrl(client.id, { scope: undefined }))).statusCode, 200)
})

t.test("compat: 'loopback': empty lists allow everything, and the log says so once", async (t) => {
  const lines: string[] = []
  const server = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  const app = await makeApp(t, { server, options: { compat: 'loopback', scopes: ['read'] } })
  const { client, secret = '' } = await app.oauth2.clients.create({ name: 'Shop' })
  const form = { grant_type: 'client_credentials', scope: 'anything:at-all' }
  t.equal((await post(app, '/oauth/token', form, basic({ id: client.id, secret }))).statusCode, 200)
  t.equal(lines.filter((line) => line.includes('clients without grantTypes or scopes')).length, 1)
})

const invalid: readonly (readonly [string, object, RegExp])[] = [
  ['an unknown grant type', { grantTypes: ['nonsense'] }, /"nonsense", must be one of authorization_code, /],
  ['the name of an option', { grantTypes: ['clientCredentials'] }, /client_credentials/],
  ['an unknown response type', { responseTypes: ['id_token'] }, /must be one of code, token/],
  ['a type that there is not', { type: 'native' }, /confidential, public/],
  ['an unknown method', { authMethod: 'client_secret_jwt' }, /private_key_jwt/],
  ['resources', { resources: ['https://api.example'] }, /unknown property "resources"/],
  ['a misspelt property', { redirectURIs: [callback] }, /unknown property "redirectURIs"/],
  ['two scopes in one', { scopes: ['read write'] }, /scope/],
  ['unchecked columns', { record: { grantTypes: ['nonsense'] } }, /record must not contain/]
]

for (const [what, given, message] of invalid)
  t.test(`a client with ${what} is refused when it is made`, async (t) => {
    const { app } = await start(t)
    const before = await app.models.get('OAuthClientApplication').count()
    const made = async () => app.oauth2.clients.create({ name: 'x', ...given } as NewClient) // JavaScript has no types
    await t.rejects(made, { code: 'OAUTH_CLIENT_INVALID', message })
    t.equal(await app.models.get('OAuthClientApplication').count(), before)
  })

t.test('a resource that no request could name keeps the server from starting', async (t) => {
  for (const resource of ['orders', 'https://api.example/#x'])
    await t.rejects(makeApp(t, { options: { resources: [resource] } }), {
      code: 'OPTION_INVALID',
      message: 'resources'
    })
})
