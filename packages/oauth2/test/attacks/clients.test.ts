import t from 'tap'
import { getCode, getTokens, isActive, redeem } from '../flow.ts'
import { addClient, basic, makeApp, post } from '../make-app.ts'

const grant = { grant_type: 'client_credentials' } as const
const grantTypes = ['client_credentials']
const raw = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

/** Headers of somebody who does not know the secret, with the id in place of ID. */
const guesses: readonly (readonly [string, (id: string) => Record<string, string>, Record<string, string>?])[] = [
  ['no secret', (id) => raw(`${id}:`)],
  ['the id as the secret', (id) => raw(`${id}:${id}`)],
  ['no colon', (id) => raw(id)],
  ['no id', () => raw(':secret')],
  ['a zero', (id) => raw(`${id}\0:secret`)],
  ['a percent sign that encodes nothing', (id) => raw(`${id}:%zz`)],
  ['an id that is an operator', () => raw('{"neq":"x"}:secret')],
  ['a wildcard', () => raw('%:%')],
  ['signs that are no Base64', () => ({ authorization: 'Basic ???' })],
  ['another scheme', (id) => ({ authorization: `Digest username="${id}"` })],
  ['two words too many', (id) => ({ authorization: `${raw(`${id}:x`).authorization} x y` })],
  ['nothing but an id in the body', () => ({}), { client_id: 'ID' }],
  ['a secret without an id', () => ({}), { client_secret: 'x' }],
  [
    'an assertion type without an assertion',
    () => ({}),
    { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' }
  ],
  ['an assertion without its type', () => ({}), { client_assertion: 'a.b.c' }],
  [
    'an assertion that is none',
    () => ({}),
    { client_assertion: 'a.b.c', client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' }
  ]
]

for (const [what, header, form = {}] of guesses)
  t.test(`a confidential client is not known by ${what}`, async (t) => {
    const app = await makeApp(t)
    const { id } = await addClient(app)
    const fields = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value.replace('ID', id)]))
    const answer = await post(app, '/oauth/token', { ...grant, ...fields }, header(id))
    t.ok([400, 401].includes(answer.statusCode), answer.body)
    t.match(answer.json(), { error: /^invalid_(client|request)$/ })
    const isByHeader = answer.statusCode === 401 && header(id)['authorization'] !== undefined
    if (isByHeader) t.match(answer.headers['www-authenticate'], /^Basic /)
    t.equal(await app.models.get('OAuthAccessToken').count(), 0)
  })

t.test('who has a wrong secret learns nothing of who has none', async (t) => {
  const app = await makeApp(t)
  const { id } = await addClient(app)
  const wrong = await post(app, '/oauth/token', grant, raw(`${id}:wrong`))
  const unknown = await post(app, '/oauth/token', grant, raw('ghost:wrong'))
  t.equal(wrong.body, unknown.body)
  t.equal(wrong.statusCode, unknown.statusCode)
  t.same(wrong.headers['www-authenticate'], unknown.headers['www-authenticate'])
})

t.test('a client proves itself in one way, and as one client', async (t) => {
  const app = await makeApp(t)
  const [one, other] = [await addClient(app), await addClient(app)]
  const twice = { ...grant, client_id: one.id, client_secret: one.secret }
  t.equal((await post(app, '/oauth/token', twice, basic(one))).statusCode, 400)
  t.equal((await post(app, '/oauth/token', { ...grant, client_id: other.id }, basic(one))).statusCode, 401)
  t.equal((await post(app, '/oauth/token', { ...grant, client_id: one.id }, basic(one))).statusCode, 200)
})

t.test('a public client has no other way in, and nothing that it could ask for itself', async (t) => {
  const app = await makeApp(t, {
    options: { supportedGrantTypes: ['clientCredentials', 'resourceOwnerPasswordCredentials'] }
  })
  const { id } = await addClient(app, { type: 'public' })
  t.equal((await post(app, '/oauth/token', { ...grant, client_id: id })).statusCode, 401)
  const password = { grant_type: 'password', username: 'bob', password: 'secret-bob', client_id: id }
  t.equal((await post(app, '/oauth/token', password)).statusCode, 401)
  t.equal((await post(app, '/oauth/token', grant, raw(`${id}:`))).statusCode, 401)
  t.equal((await post(app, '/oauth/token', { ...grant, client_id: id, client_secret: 'x' })).statusCode, 401)
})

t.test('a client with a key is not known by a secret', async (t) => {
  const app = await makeApp(t)
  await addClient(app, { id: 'keyed', authMethod: 'private_key_jwt', jwks: '{"keys":[]}' })
  for (const secret of ['', 'undefined', 'null'])
    t.equal((await post(app, '/oauth/token', grant, raw(`keyed:${secret}`))).statusCode, 401)
  t.equal((await post(app, '/oauth/token', { ...grant, client_id: 'keyed' })).statusCode, 401)
})

t.test('credentials are read form-encoded and raw', async (t) => {
  const app = await makeApp(t)
  const clients = app.models.get('OAuthClientApplication')
  await clients.create({ id: 'a-b c', name: 'x', clientSecret: 's%2B+ü', grantTypes })
  const form = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  const encoded = `${form('a-b c').replaceAll('-', '%2D')}:${form('s%2B+ü')}`
  t.equal((await post(app, '/oauth/token', grant, raw(encoded))).statusCode, 200)
  t.equal((await post(app, '/oauth/token', grant, raw('a-b c:s%2B+ü'))).statusCode, 200)
  t.equal((await post(app, '/oauth/token', grant, raw('a-b c:s+ ü'))).statusCode, 401)
})

t.test('a plain secret of an existing database works, and is hashed with its first use', async (t) => {
  const app = await makeApp(t)
  const clients = app.models.get('OAuthClientApplication')
  await clients.create({ id: 'old', name: 'x', clientSecret: 'plain', grantTypes })
  await clients.create({ id: 'older', name: 'x', restApiKey: 'key', grantTypes })
  for (const [id, secret, column] of [
    ['old', 'plain', 'clientSecret'],
    ['older', 'key', 'restApiKey']
  ] as const) {
    for (let time = 0; time < 2; time++)
      t.equal((await post(app, '/oauth/token', grant, raw(`${id}:${secret}`))).statusCode, 200)
    const record = await clients.findById(id)
    t.match(String(record?.[column]), /^sha256:.{43}$/)
    t.equal((await post(app, '/oauth/token', grant, raw(`${id}:${String(record?.[column])}`))).statusCode, 401)
  }
})

t.test('plain tokens of an existing database work, and are hashed with their first use', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const tokens = app.models.get('OAuthAccessToken')
  const issuedAt = new Date()
  const facts = {
    appId: client.id,
    userId: 'u1',
    issuedAt,
    expiresIn: 60,
    expiredAt: new Date(Date.now() + 60_000),
    scopes: ['read']
  }
  await tokens.create({ id: 'plain-access', refreshToken: 'plain-refresh', ...facts })
  t.ok(await isActive(app, client, 'plain-access'))
  const [row] = await tokens.find()
  t.match(row, { id: /^sha256:/, refreshToken: /^sha256:/ })
  const form = { grant_type: 'refresh_token', refresh_token: 'plain-refresh' }
  const answers = await Promise.all([1, 2, 3].map(() => post(app, '/oauth/token', form, basic(client))))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
})

t.test('a rotated secret ends at once, and a new one is shown once', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const { secret = '' } = await app.oauth2.clients.rotateSecret(client.id)
  t.equal((await post(app, '/oauth/token', grant, basic(client))).statusCode, 401)
  t.equal((await post(app, '/oauth/token', grant, basic({ id: client.id, secret }))).statusCode, 200)
  t.notMatch(JSON.stringify(await app.oauth2.clients.list()), secret)
  await t.rejects(app.oauth2.clients.rotateSecret('ghost'), { code: 'OAUTH_CLIENT_UNKNOWN' })
})

t.test('a client may do what it is registered for', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { scopes: ['read'], grantTypes: ['refresh_token'] })
  const errorOf = async (form: Record<string, string>) =>
    (await post(app, '/oauth/token', form, basic(client))).json<{ error: string }>().error
  t.equal(await errorOf({ ...grant, scope: 'read' }), 'unauthorized_client')
  const reader = await addClient(app, { scopes: ['read'] })
  const answer = await post(app, '/oauth/token', { ...grant, scope: 'read admin' }, basic(reader))
  t.match(answer.json(), { error: 'invalid_scope' })
})

t.test('tokens are told to clients that prove themselves, and refresh tokens to their own', async (t) => {
  const app = await makeApp(t)
  const [client, other] = [await addClient(app), await addClient(app)]
  const open = await addClient(app, { type: 'public' })
  const tokens = await getTokens(app, client)
  t.equal((await post(app, '/oauth/introspect', { token: tokens.access_token })).statusCode, 401)
  t.equal((await post(app, '/oauth/introspect', { token: tokens.access_token, client_id: open.id })).statusCode, 401)
  t.notOk(await isActive(app, other, tokens.refresh_token))
  t.ok(await isActive(app, client, tokens.refresh_token))
  t.same((await post(app, '/oauth/introspect', { token: 'unknown' }, basic(client))).json(), { active: false })
})

t.test("nobody ends another client's tokens", async (t) => {
  const app = await makeApp(t)
  const [client, other] = [await addClient(app), await addClient(app)]
  const tokens = await getTokens(app, client)
  for (const token of [tokens.access_token, tokens.refresh_token])
    t.equal((await post(app, '/oauth/revoke', { token, token_type_hint: 'nonsense' }, basic(other))).statusCode, 200)
  t.ok(await isActive(app, client, tokens.access_token))
  t.ok(await isActive(app, client, tokens.refresh_token))
  await post(app, '/oauth/revoke', { token: tokens.refresh_token }, basic(client))
  t.notOk(await isActive(app, client, tokens.access_token), 'a refresh token ends with its access tokens')
})

t.test('who guesses is slowed down', async (t) => {
  const app = await makeApp(t, { options: { rateLimit: { max: 2 } } })
  const client = await addClient(app)
  const statuses: number[] = []
  for (let time = 0; time < 3; time++)
    statuses.push((await post(app, '/oauth/token', grant, raw(`${client.id}:guess${time}`))).statusCode)
  t.same(statuses, [401, 401, 429])
})

t.test('a client of LoopBack with tokens of its own kind keeps the server from starting', async (t) => {
  const app = await makeApp(t)
  await app.models.connect()
  await app.models.get('OAuthClientApplication').create({ id: 'm', name: 'x', clientSecret: 's', tokenType: 'mac' })
  await t.rejects(async () => app.ready(), { code: 'OAUTH_CLIENT_TOKEN_TYPE_UNSUPPORTED' })
})

t.test('a code is not given to a client that was removed meanwhile', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const code = await getCode(app, client.id)
  await app.oauth2.clients.remove(client.id)
  t.equal((await redeem(app, client, code)).statusCode, 401)
})

t.test('a client of LoopBack that is called public and has a secret needs its secret', async (t) => {
  const app = await makeApp(t)
  await app.models
    .get('OAuthClientApplication')
    .create({ id: 'old', name: 'x', clientType: 'public', clientSecret: 's', grantTypes })
  t.equal((await post(app, '/oauth/token', grant, raw('old:s'))).statusCode, 200)
  t.equal((await post(app, '/oauth/token', { ...grant, client_id: 'old' })).statusCode, 401)
})
