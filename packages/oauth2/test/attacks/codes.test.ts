import t from 'tap'
import { authorizeUrl, getCode, getTokens, isActive, locationOf, logIn, pkce, redeem, refresh } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'

const errorOf = (answer: { json: () => unknown }): unknown => (answer.json() as { error: unknown }).error // bodies are objects

t.test('a code works for its client alone, also when it leaks', async (t) => {
  const app = await makeApp(t)
  const [client, thief] = [await addClient(app), await addClient(app)]
  const code = await getCode(app, client.id)
  t.equal(errorOf(await redeem(app, thief, code)), 'invalid_grant')
  t.equal((await redeem(app, client, code)).statusCode, 200, 'the theft did not end it')
})

t.test('a code that another client used up tells that client nothing, and ends nothing', async (t) => {
  const app = await makeApp(t)
  const [client, thief] = [await addClient(app), await addClient(app)]
  const code = await getCode(app, client.id)
  const tokens = (await redeem(app, client, code)).json<{ access_token: string }>()
  t.equal(errorOf(await redeem(app, thief, code)), 'invalid_grant')
  t.ok(await isActive(app, client, tokens.access_token))
})

const verifiers: readonly (readonly [string, string])[] = [
  ['another verifier', `${pkce.verifier}x`],
  ['the challenge in place of the verifier', pkce.challenge],
  ['no verifier', ''],
  ['a verifier that is too short', 'short'],
  ['a verifier with other signs', `${'a'.repeat(43)}!`]
]

for (const [what, code_verifier] of verifiers)
  t.test(`a stolen code is worth nothing with ${what}`, async (t) => {
    const app = await makeApp(t)
    const client = await addClient(app, { type: 'public' })
    const answer = await redeem(app, client, await getCode(app, client.id), { code_verifier })
    t.equal(answer.statusCode, 400)
    t.equal(errorOf(answer), 'invalid_grant')
  })

const downgrades: readonly (readonly [string, Record<string, string | undefined>])[] = [
  ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
  ['a method without a challenge', { code_challenge: undefined }],
  ['no method, which means plain', { code_challenge_method: undefined }],
  ['the method plain', { code_challenge_method: 'plain' }],
  ['a method that there is not', { code_challenge_method: 's256' }],
  ['a challenge that is no hash', { code_challenge: 'x' }]
]

for (const [what, asked] of downgrades)
  t.test(`PKCE is not talked out of by ${what}`, async (t) => {
    const app = await makeApp(t)
    for (const type of ['public', 'confidential'] as const) {
      const client = await addClient(app, { type })
      const address = locationOf(await (await logIn(app)).get(authorizeUrl(client.id, asked)))
      t.equal(address.searchParams.get('error'), 'invalid_request')
      t.notOk(address.searchParams.has('code'))
    }
  })

t.test('where PKCE is optional, public clients need it all the same', async (t) => {
  const app = await makeApp(t, { options: { pkce: 'optional' } })
  const client = await addClient(app, { type: 'public' })
  const without = { code_challenge: undefined, code_challenge_method: undefined }
  const address = locationOf(await (await logIn(app)).get(authorizeUrl(client.id, without)))
  t.equal(address.searchParams.get('error'), 'invalid_request')
})

t.test('a verifier for a code without a challenge is refused: somebody took the challenge away', async (t) => {
  const app = await makeApp(t, { options: { pkce: 'optional' } })
  const client = await addClient(app)
  const code = await getCode(app, client.id, { code_challenge: undefined, code_challenge_method: undefined })
  t.equal(errorOf(await redeem(app, client, code)), 'invalid_grant')
})

t.test('a code works for the redirect URI that it was asked for', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { redirectUris: ['https://client.example/cb', 'https://client.example/other'] })
  const code = await getCode(app, client.id)
  const other = await redeem(app, client, code, { redirect_uri: 'https://client.example/other' })
  t.equal(errorOf(other), 'invalid_grant')
  t.equal(errorOf(await redeem(app, client, code, { redirect_uri: '' })), 'invalid_grant')
})

t.test('a code ends after a minute', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const code = await getCode(app, client.id)
  const found = await app.models.get('OAuthAuthorizationCode').findOne()
  t.equal(found?.['expiresIn'], 60)
  await app.models.get('OAuthAuthorizationCode').updateAll({ expiredAt: new Date(Date.now() - 1) })
  t.equal(errorOf(await redeem(app, client, code)), 'invalid_grant')
})

t.test('tokens of one kind do not pass for another', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const tokens = await getTokens(app, client)
  const code = await getCode(app, client.id)
  t.equal(errorOf(await refresh(app, client, tokens.access_token)), 'invalid_grant')
  t.equal(errorOf(await refresh(app, client, code)), 'invalid_grant')
  t.equal(errorOf(await redeem(app, client, tokens.refresh_token)), 'invalid_grant')
  t.notOk(await isActive(app, client, code))
})

t.test('a leaked table is no set of keys: what is stored is no token, code or secret', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  await getTokens(app, client)
  const code = await getCode(app, client.id)
  const [token] = await app.models.get('OAuthAccessToken').find()
  const [stored] = await app.models.get('OAuthAuthorizationCode').find({ where: { used: false } })
  const record = await app.models.get('OAuthClientApplication').findById(client.id)
  t.equal(errorOf(await redeem(app, client, String(stored?.['id']))), 'invalid_grant')
  t.equal(errorOf(await refresh(app, client, String(token?.['refreshToken']))), 'invalid_grant')
  t.notOk(await isActive(app, client, String(token?.['id'])))
  const withHash = { id: client.id, secret: String(record?.['clientSecret']) }
  t.equal((await post(app, '/oauth/token', { grant_type: 'client_credentials' }, basic(withHash))).statusCode, 401)
  t.equal((await redeem(app, client, code)).statusCode, 200)
})

t.test('a used refresh token ends its family, and its mark in the table is no token', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const first = await getTokens(app, client)
  const second = (await refresh(app, client, first.refresh_token)).json<{
    access_token: string
    refresh_token: string
  }>()
  const marked = (await app.models.get('OAuthAccessToken').find()).map((row) => String(row['refreshToken']))
  for (const text of marked) t.equal(errorOf(await refresh(app, client, text)), 'invalid_grant')
  t.ok(await isActive(app, client, second.access_token), 'guesses ended nothing')
  t.equal(errorOf(await refresh(app, client, first.refresh_token)), 'invalid_grant')
  t.notOk(await isActive(app, client, second.access_token))
  t.equal(errorOf(await refresh(app, client, second.refresh_token)), 'invalid_grant')
})

t.test('a refresh token works for its client alone, and asks for no more than it has', async (t) => {
  const app = await makeApp(t)
  const [client, thief] = [await addClient(app), await addClient(app)]
  const { refresh_token } = await getTokens(app, client, { scope: 'read' })
  t.equal(errorOf(await refresh(app, thief, refresh_token)), 'invalid_grant')
  t.equal(errorOf(await refresh(app, client, refresh_token, { scope: 'read admin' })), 'invalid_grant')
  t.equal((await refresh(app, client, refresh_token)).statusCode, 200, 'attempts did not end it')
})

t.test('the refresh tokens of a public client end when the first one would have', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { type: 'public' })
  const { refresh_token } = await getTokens(app, client)
  const endOf = async (): Promise<readonly string[]> => {
    const rows = await app.models.get('OAuthAccessToken').find()
    return rows.flatMap(
      (row) => JSON.stringify(row['parameters']).match(/refresh_expires_at","value":"([^"]+)/)?.[1] ?? []
    )
  }
  const [first] = await endOf()
  await refresh(app, client, refresh_token)
  t.same(await endOf(), [first, first])
})

t.test('tokens of a client that was removed, and of a user who took it back, end', async (t) => {
  const app = await makeApp(t)
  const [client, other] = [await addClient(app), await addClient(app)]
  const [mine, others] = [await getTokens(app, client), await getTokens(app, other)]
  await app.oauth2.clients.remove(client.id)
  t.notOk(await isActive(app, other, mine.access_token))
  t.ok(await isActive(app, other, others.access_token))
  await app.oauth2.revokeUser('u1')
  t.notOk(await isActive(app, other, others.access_token))
  t.equal(errorOf(await refresh(app, other, others.refresh_token)), 'invalid_grant')
  t.equal((await (await logIn(app)).get(authorizeUrl(other.id))).statusCode, 200, 'and the user is asked again')
})
