import t from 'tap'
import { oauth2Models } from '#src/server/store/models.ts'

/** Properties of the original's models, in its order. @see loopback-component-oauth2 3.2.0 */
const original: Readonly<Record<string, readonly string[]>> = {
  OAuthAccessToken: [
    'id',
    'appId',
    'userId',
    'issuedAt',
    'expiresIn',
    'expiredAt',
    'scopes',
    'parameters',
    'authorizationCode',
    'refreshToken',
    'tokenType',
    'hash'
  ],
  OAuthAuthorizationCode: [
    'id',
    'appId',
    'userId',
    'issuedAt',
    'expiresIn',
    'expiredAt',
    'scopes',
    'parameters',
    'used',
    'redirectURI',
    'hash'
  ],
  OAuthPermission: ['appId', 'userId', 'issuedAt', 'expiresIn', 'expiredAt', 'scopes'],
  OAuthScope: ['scope', 'description', 'iconURL', 'ttl'],
  OAuthScopeMapping: ['scope', 'route']
}

t.test('the models have the properties of the original', async (t) => {
  const models = new Map(oauth2Models('User', 'number').map((model) => [model.name, model]))
  for (const [name, properties] of Object.entries(original))
    t.same(Object.keys(models.get(name)?.properties ?? {}), properties, name)
  const client = Object.keys(models.get('OAuthClientApplication')?.properties ?? {})
  t.equal(client.length, 35)
  for (const name of ['clientSecret', 'redirectURIs', 'jwks', 'restApiKey', 'created'])
    t.ok(client.includes(name), name)
})

t.test(
  'clients have a column for logouts where ID tokens are given alone: tables of the original stay as they are',
  async (t) => {
    const columns = (givesIdTokens: boolean): number =>
      Object.keys(oauth2Models(undefined, 'string', givesIdTokens)[1]?.properties ?? {}).length
    t.equal(columns(true), columns(false) + 1)
  }
)

t.test('no model of OAuth is public', async (t) => {
  for (const model of oauth2Models(undefined, 'string')) t.equal(model.public, false, model.name)
})
