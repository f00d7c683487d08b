import t from 'tap'
import { authorizeUrl, getTokens, locationOf, logIn, refresh } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'

const scopes = ['openid', 'email']
const asked = { scope: 'openid offline_access' }

t.test('offline_access is taken from a client whose scopes do not list it', async (t) => {
  const app = await makeApp(t, { options: { keys: {} } })
  for (const given of [{ scopes }, { scopes, type: 'public' as const }]) {
    const client = await addClient(app, given)
    const tokens = await getTokens(app, client, asked)
    t.match(tokens, { scope: 'openid offline_access', refresh_token: /./ })
    const next = await refresh(app, client, tokens.refresh_token)
    t.match(next.json(), { scope: 'openid offline_access', refresh_token: /./ })
  }
  const metadata = (await app.inject('/.well-known/openid-configuration')).json<{ scopes_supported: string[] }>()
  t.ok(metadata.scopes_supported.includes('offline_access'))
})

t.test('offline_access is passed over where no refresh token comes of it', async (t) => {
  const app = await makeApp(t, { options: { keys: {} } })
  const client = await addClient(app, { scopes, grantTypes: ['authorization_code', 'client_credentials'] })
  const tokens = await getTokens(app, client, asked)
  t.equal(tokens.scope, 'openid')
  t.notOk(tokens.refresh_token)
  const own = { grant_type: 'client_credentials', scope: 'email offline_access' }
  t.equal((await post(app, '/oauth/token', own, basic(client))).json<{ scope: string }>().scope, 'email')
})

t.test('a server without OpenID Connect or refresh tokens does not know offline_access', async (t) => {
  const withoutRefresh = { keys: {}, supportedGrantTypes: ['authorizationCode' as const] }
  for (const options of [{}, withoutRefresh]) {
    const app = await makeApp(t, { options })
    const client = await addClient(app, { scopes })
    const answer = await (await logIn(app)).get(authorizeUrl(client.id, asked))
    t.equal(locationOf(answer).searchParams.get('error'), 'invalid_scope')
  }
})
