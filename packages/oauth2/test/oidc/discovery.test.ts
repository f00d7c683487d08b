import t from 'tap'
import { addClient, makeApp } from '../make-app.ts'

t.test('discovery says where everything is', async (t) => {
  const app = await makeApp(t, { options: { keys: {}, scopes: ['orders', 'openid'] } })
  await addClient(app)
  const answer = await app.inject('/.well-known/openid-configuration')
  t.match(answer.headers['content-type'], /^application\/json/)
  const document = answer.json<Record<string, unknown>>()
  t.match(document, {
    issuer: 'https://as.example',
    authorization_endpoint: 'https://as.example/oauth/authorize',
    token_endpoint: 'https://as.example/oauth/token',
    userinfo_endpoint: 'https://as.example/oauth/userinfo',
    jwks_uri: 'https://as.example/oauth/jwks',
    device_authorization_endpoint: 'https://as.example/oauth/device_authorization',
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    scopes_supported: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access', 'orders'],
    request_parameter_supported: false
  })
  t.ok((document['grant_types_supported'] as string[]).includes('urn:ietf:params:oauth:grant-type:device_code'))
  t.same((await app.inject('/.well-known/oauth-authorization-server')).json(), document)
})

t.test('the endpoint of userinfo can be elsewhere or nowhere', async (t) => {
  const app = await makeApp(t, { options: { keys: {}, userinfoPath: false } })
  t.notOk('userinfo_endpoint' in (await app.inject('/.well-known/openid-configuration')).json())
  t.equal((await app.inject('/oauth/userinfo')).statusCode, 404)
})
