import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import type { OAuth2Options } from '@modelwire/oauth2'
import { addClient, makeApp } from './make-app.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = { ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256' }

const styles: Readonly<Record<string, OAuth2Options>> = {
  opaque: {},
  jwt: { accessTokens: 'jwt', keys: { jwks: { keys: [key] } } }
}

for (const [style, options] of Object.entries(styles))
  void t.test(`code issues tokens that resources take: ${style}`, async (t) => {
    const app = await makeApp(t, { options })
    app.oauth2.authenticate('/notes')
    app.get('/notes', (request) => request.principal)
    const { id: clientId } = await addClient(app, { scopes: ['notes'] })
    const token = await app.oauth2.issueToken?.({ clientId, userId: 'u1', scopes: ['notes'] })
    t.match(token, { scopes: ['notes'], accessToken: String })
    t.ok((token?.expiresAt.getTime() ?? 0) > Date.now())
    const ask = (text = ''): Promise<{ statusCode: number; json: () => unknown }> =>
      app.inject({ url: '/notes', headers: { authorization: `Bearer ${text}` } })
    t.match((await ask(token?.accessToken)).json(), { userId: 'u1', appId: clientId, scopes: ['notes'] })
    const own = await app.oauth2.issueToken?.({ clientId })
    const answer = await ask(own?.accessToken)
    t.match(answer.json(), { appId: clientId })
    t.notMatch(answer.json(), { userId: 'u1' })
  })

t.test('a client has to exist, and to be registered for the scopes', async (t) => {
  const app = await makeApp(t)
  const { id: clientId } = await addClient(app, { scopes: ['notes'] })
  const { oauth2 } = app
  await t.rejects(async () => oauth2.issueToken?.({ clientId: 'nobody' }), { code: 'OAUTH_CLIENT_UNKNOWN' })
  await t.rejects(async () => oauth2.issueToken?.({ clientId, scopes: ['other'] }), { code: 'OAUTH_SCOPE_NOT_ALLOWED' })
})

t.test('a server of resources alone issues none', async (t) => {
  const app = await makeApp(t, { options: { authorizationServer: false } })
  t.equal(app.oauth2.issueToken, undefined)
})
