import t from 'tap'
import { authorizeUrl, getCode, getTokens, isActive, logIn, redeem, refresh } from '../../flow.ts'
import { addClient, basic, makeApp, post } from '../../make-app.ts'

const keys = { keys: {}, accessTokens: 'jwt' as const }

for (const options of [{}, keys, { compat: 'loopback' as const }])
  t.test(`a disabled client ends until it is enabled, with ${JSON.stringify(options)}`, async (t) => {
    const app = await makeApp(t, { options })
    app.get('/me', { onRequest: app.oauth2.authenticate() }, async () => 'me')
    const [client, other] = [await addClient(app), await addClient(app)]
    const tokens = await getTokens(app, client)
    const code = await getCode(app, client.id)
    const reach = async (): Promise<number> =>
      (await app.inject({ url: '/me', headers: { authorization: `Bearer ${tokens.access_token}` } })).statusCode
    t.equal(await reach(), 200)
    t.ok((await app.oauth2.clients.disable(client.id)).isDisabled)
    t.not(await reach(), 200)
    t.notOk(await isActive(app, other, tokens.access_token))
    t.equal((await redeem(app, client, code)).statusCode, 401)
    t.equal((await refresh(app, client, tokens.refresh_token)).statusCode, 401)
    for (const url of ['/oauth/token', '/oauth/introspect', '/oauth/revoke'])
      t.equal(
        (await post(app, url, { grant_type: 'client_credentials', token: 'x' }, basic(client))).statusCode,
        401,
        url
      )
    t.not((await (await logIn(app)).get(authorizeUrl(client.id))).statusCode, 200, 'nobody is asked for consent')
    await t.rejects(async () => app.oauth2.issueToken?.({ clientId: client.id }), { code: 'OAUTH_CLIENT_UNKNOWN' })
    t.match(await app.oauth2.clients.find(client.id), { isDisabled: true }, 'it is there all the same')
    await app.oauth2.clients.enable(client.id)
    t.equal(await reach(), 200)
    t.equal((await refresh(app, client, tokens.refresh_token)).statusCode, 200)
  })

t.test('a public client that is disabled is unknown', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { type: 'public' })
  const tokens = await getTokens(app, client)
  await app.oauth2.clients.disable(client.id)
  t.equal((await refresh(app, client, tokens.refresh_token)).statusCode, 401)
})

t.test('no client that there is not is disabled or enabled', async (t) => {
  const { clients } = (await makeApp(t)).oauth2
  await t.rejects(clients.disable('ghost'), { code: 'OAUTH_CLIENT_UNKNOWN' })
  await t.rejects(clients.enable('ghost'), { code: 'OAUTH_CLIENT_UNKNOWN' })
})
