import * as client from 'openid-client'
import t from 'tap'
import { decide, locationOf, logIn } from '../flow.ts'
import { addClient, callback, makeApp } from '../make-app.ts'
import { failure, injectFetch } from './inject-fetch.ts'

async function connect(t: Parameters<typeof makeApp>[0], type: 'confidential' | 'public' = 'confidential') {
  const app = await makeApp(t)
  // An id with a hyphen: strict clients write it as %2D.
  const { id, secret } = await addClient(app, { id: 'shop-1', type })
  const proof = type === 'public' ? client.None() : client.ClientSecretBasic(secret)
  const options = { algorithm: 'oauth2', [client.customFetch]: injectFetch(app) } as const
  const config = await client.discovery(new URL('https://as.example'), id, undefined, proof, options)
  return { app, config }
}

async function permitted(app: Awaited<ReturnType<typeof makeApp>>, address: URL): Promise<URL> {
  const browser = await logIn(app)
  return locationOf(await decide(browser, await browser.get(address.pathname + address.search)))
}

for (const type of ['confidential', 'public'] as const)
  t.test(`openid-client gets, refreshes and revokes tokens for a ${type} client`, async (t) => {
    const { app, config } = await connect(t, type)
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'read',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256'
    })
    const current = await permitted(app, address)
    const tokens = await client.authorizationCodeGrant(config, current, {
      pkceCodeVerifier: verifier,
      expectedState: state
    })
    t.equal(tokens.token_type, 'bearer')
    t.equal(tokens.scope, 'read')
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    t.not(next.access_token, tokens.access_token)
    await client.tokenRevocation(config, next.refresh_token ?? '')
    t.match(await failure(client.refreshTokenGrant(config, next.refresh_token ?? '')), {
      error: 'invalid_grant',
      status: 400
    })
  })

t.test('openid-client gets a token for itself and asks about it', async (t) => {
  const { config } = await connect(t)
  const tokens = await client.clientCredentialsGrant(config, { scope: 'read' })
  t.match(await client.tokenIntrospection(config, tokens.access_token), {
    active: true,
    client_id: 'shop-1',
    scope: 'read'
  })
  await client.tokenRevocation(config, tokens.access_token)
  t.same(await client.tokenIntrospection(config, tokens.access_token), { active: false })
})

t.test('openid-client is told what is wrong', async (t) => {
  const { app, config } = await connect(t)
  t.match(await failure(client.genericGrantRequest(config, 'no-such-grant', {})), { error: 'unsupported_grant_type' })
  const stranger = new client.Configuration(
    config.serverMetadata(),
    'shop-1',
    undefined,
    client.ClientSecretPost('wrong')
  )
  stranger[client.customFetch] = injectFetch(app)
  t.match(await failure(client.clientCredentialsGrant(stranger)), { status: 401 })
  const denied = new URL(`${callback}?error=access_denied&state=s&iss=https%3A%2F%2Fas.example`)
  t.match(await failure(client.authorizationCodeGrant(config, denied, { expectedState: 's' })), {
    error: 'access_denied'
  })
  const mixedUp = new URL(`${callback}?code=c&state=s&iss=https%3A%2F%2Fevil.example`)
  t.match(await failure(client.authorizationCodeGrant(config, mixedUp, { expectedState: 's' })), {
    code: 'OAUTH_INVALID_RESPONSE'
  })
})
