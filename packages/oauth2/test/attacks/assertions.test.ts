import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { addClient, basic, makeApp, post } from '../make-app.ts'

type Claims = Readonly<Record<string, unknown>>
type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

interface Set {
  readonly app: FastifyInstance
  readonly client: { readonly id: string; readonly secret: string }
  readonly key: Key
}

/** A client with a key, which bob has permitted to read. */
async function start(t: Test): Promise<Set> {
  const app = await makeApp(t)
  const { privateKey: key, publicKey } = await generateKeyPair('ES256')
  const client = await addClient(app, { id: 'robot', jwks: JSON.stringify({ keys: [await exportJWK(publicKey)] }) })
  await app.ready()
  const permission = { appId: client.id, userId: 'u1', issuedAt: new Date(), scopes: ['read'] }
  await app.models.get('OAuthPermission').create(permission)
  return { app, client, key }
}

const now = (): number => Math.floor(Date.now() / 1000)
const usual = (): Claims => ({
  iss: 'robot',
  sub: 'bob',
  aud: 'https://as.example/oauth/token',
  exp: now() + 60,
  jti: crypto.randomUUID()
})

async function sign(key: Key, claims: Claims = {}, header: object = {}): Promise<string> {
  return new SignJWT({ ...usual(), ...claims }).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)
}

const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const present = (
  { app, client }: Set,
  assertion: string,
  more: Record<string, string> = {},
  byBasic = true
): Promise<LightMyRequestResponse> =>
  post(app, '/oauth/token', { grant_type, assertion, ...more }, byBasic ? basic(client) : {})

t.test('an assertion in order is a grant, with the header typ and a scope that is a text', async (t) => {
  const set = await start(t)
  const answer = await present(set, await sign(set.key, { scope: 'read' }, { typ: 'JWT' }))
  t.equal(answer.statusCode, 200, answer.body)
  t.match(answer.json(), { scope: 'read', token_type: 'bearer' })
  t.notOk('refresh_token' in answer.json<object>())
  const alone = await present(set, await sign(set.key, { scope: ['read'] }), {}, false)
  t.equal(alone.statusCode, 200, alone.body)
})

const wrong: readonly (readonly [string, Claims, string])[] = [
  ['has expired', { exp: now() - 60 }, 'invalid_grant'],
  ['never expires', { exp: undefined }, 'invalid_grant'],
  ['is meant for another server', { aud: 'https://other.example' }, 'invalid_grant'],
  ['is meant for other servers, too', { aud: ['https://as.example', 'https://other.example'] }, 'invalid_grant'],
  ['was issued by another client', { iss: 'other' }, 'invalid_grant'],
  ['has no subject', { sub: undefined }, 'invalid_grant'],
  ['names a user who permitted nothing', { sub: 'eve' }, 'access_denied'],
  ['names a user that there is not', { sub: 'ghost' }, 'access_denied'],
  ['asks for more than was permitted', { scope: 'admin' }, 'access_denied'],
  ['is not valid yet', { nbf: now() + 600 }, 'invalid_grant']
]

for (const [what, claims, error] of wrong)
  t.test(`an assertion that ${what} gets no token, also beside a secret`, async (t) => {
    const set = await start(t)
    const answer = await present(set, await sign(set.key, claims))
    t.ok([400, 403].includes(answer.statusCode), answer.body)
    t.match(answer.json(), { error })
    t.equal(await set.app.models.get('OAuthAccessToken').count(), 0)
  })

t.test('a bad signature is an answer, not the end of a connection', async (t) => {
  const set = await start(t)
  const { privateKey } = await generateKeyPair('ES256')
  for (const byBasic of [true, false]) {
    const answer = await present(set, await sign(privateKey), {}, byBasic)
    t.match(answer.json(), { error: 'invalid_grant' })
  }
  const good = await sign(set.key)
  t.match((await present(set, `${good.slice(0, -8)}AAAAAAAA`)).json(), { error: 'invalid_grant' })
})

t.test('an assertion works once, also of many at once', async (t) => {
  const set = await start(t)
  const assertion = await sign(set.key)
  const answers = await Promise.all(Array.from({ length: 10 }, () => present(set, assertion)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
})

t.test('an assertion is no authentication of a client, nor the other way round', async (t) => {
  const set = await start(t)
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const form = { grant_type: 'client_credentials', client_assertion_type, client_assertion: await sign(set.key) }
  t.equal((await post(set.app, '/oauth/token', form)).statusCode, 401, 'its subject is somebody else')
  const typed = await sign(set.key, {}, { typ: 'at+jwt' })
  t.match((await present(set, typed)).json(), { error: 'invalid_grant' })
})

t.test("a client does not use another client's assertion", async (t) => {
  const set = await start(t)
  const thief = await addClient(set.app)
  const answer = await present({ ...set, client: thief }, await sign(set.key))
  t.match(answer.json(), { error: 'invalid_grant' })
  const named = await present(set, await sign(set.key), { client_id: thief.id }, false)
  t.match(named.json(), { error: 'invalid_grant' })
})

t.test('a request asks for no more than its assertion names', async (t) => {
  const set = await start(t)
  const answer = await present(set, await sign(set.key, { scope: 'read' }), { scope: 'read admin' })
  t.match(answer.json(), { error: 'invalid_scope' })
})
