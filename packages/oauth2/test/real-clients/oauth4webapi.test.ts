import { generateKeyPair, exportJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import t from 'tap'
import { decide, locationOf, logIn } from '../flow.ts'
import { addClient, callback, makeApp } from '../make-app.ts'
import { failure, injectFetch } from './inject-fetch.ts'

const issuer = new URL('https://as.example')

t.test('oauth4webapi: discovery, code with PKCE, refresh, introspection, revocation', async (t) => {
  const app = await makeApp(t)
  const { id, secret } = await addClient(app, { id: 'web-app' })
  const options = { [oauth.customFetch]: injectFetch(app) }
  const found = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
  const as = await oauth.processDiscoveryResponse(issuer, found)
  const client = { client_id: id }
  const proof = oauth.ClientSecretBasic(secret)
  const verifier = oauth.generateRandomCodeVerifier()
  const address = new URL(String(as.authorization_endpoint))
  const asked = {
    client_id: id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'read',
    state: 'st',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256'
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  const browser = await logIn(app)
  const current = locationOf(await decide(browser, await browser.get(address.pathname + address.search)))
  const answer = oauth.validateAuthResponse(as, client, current, 'st')
  const code = await oauth.authorizationCodeGrantRequest(as, client, proof, answer, callback, verifier, options)
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, code)
  const refresh = await oauth.refreshTokenGrantRequest(as, client, proof, tokens.refresh_token ?? '', options)
  const next = await oauth.processRefreshTokenResponse(as, client, refresh)
  const asks = await oauth.introspectionRequest(as, client, proof, next.access_token, options)
  t.match(await oauth.processIntrospectionResponse(as, client, asks), { active: true, sub: 'u1' })
  const revoked = await oauth.revocationRequest(as, client, proof, next.access_token, options)
  t.equal(await oauth.processRevocationResponse(revoked), undefined)
  const again = await oauth.authorizationCodeGrantRequest(as, client, proof, answer, callback, verifier, options)
  t.match(await failure(oauth.processAuthorizationCodeResponse(as, client, again)), { error: 'invalid_grant' })
  t.equal(again.status, 400)
})

t.test('oauth4webapi proves a client by a key', async (t) => {
  const app = await makeApp(t)
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] })
  await addClient(app, { id: 'keyed-client', authMethod: 'private_key_jwt', jwks })
  const options = { [oauth.customFetch]: injectFetch(app) }
  const found = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
  const as = await oauth.processDiscoveryResponse(issuer, found)
  const client = { client_id: 'keyed-client' }
  const proof = oauth.PrivateKeyJwt({ key: privateKey, kid: 'k1' })
  const answer = await oauth.clientCredentialsGrantRequest(as, client, proof, new URLSearchParams(), options)
  t.match(await oauth.processClientCredentialsResponse(as, client, answer), { token_type: 'bearer' })
  const other = oauth.PrivateKeyJwt({ key: (await generateKeyPair('ES256')).privateKey, kid: 'k1' })
  const refused = await oauth.clientCredentialsGrantRequest(as, client, other, new URLSearchParams(), options)
  await t.rejects(oauth.processClientCredentialsResponse(as, client, refused))
  t.equal(refused.status, 401)
})
