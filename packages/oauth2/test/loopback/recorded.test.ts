import { createHmac, sign } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { basic, post } from '../make-app.ts'
import { fieldOf, makeBrowser } from '../pages/page-app.ts'
import { keys, recordedApp } from './recorded-app.ts'
import { allIds, compare, pairOf, recordedCallback, replay, send } from './replay.ts'

const bearer = basic({ id: 'c-bearer', secret: 's-bearer' })

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const passwordTokens = async (app: FastifyInstance, scope = 'email'): Promise<Tokens> =>
  (
    await post(app, '/oauth/token', { grant_type: 'password', username: 'bob', password: 'secret-bob', scope }, bearer)
  ).json()

const clientTokens = async (app: FastifyInstance, scope = 'read write'): Promise<Tokens> =>
  (await post(app, '/oauth/token', { grant_type: 'client_credentials', scope }, bearer)).json()

/** A browser of bob. */
async function logIn(app: FastifyInstance): Promise<{ cookie: string; browser: ReturnType<typeof makeBrowser> }> {
  const browser = makeBrowser(app)
  await browser.post('/login', { username: 'bob', password: 'secret-bob' })
  return { browser, cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

const ask = (scope: string, more: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: 'c-bearer', redirect_uri: recordedCallback, scope, state: 'xyz', ...more }).toString()}`

type Session = Awaited<ReturnType<typeof logIn>>

async function transaction({ browser }: Session, scope: string, more: Record<string, string> = {}): Promise<string> {
  return fieldOf((await browser.get(ask(scope, more))).body, 'transaction_id')
}

async function codeOf(session: Session, scope = 'email profile'): Promise<string> {
  const first = await session.browser.get(ask(scope))
  const answer =
    first.statusCode === 302
      ? first
      : await session.browser.post('/oauth/authorize/decision', {
          transaction_id: fieldOf(first.body, 'transaction_id')
        })
  return new URL(String(answer.headers.location)).searchParams.get('code') ?? ''
}

const covered = new Set<number>()
const cover = (...ids: readonly number[]): readonly number[] => {
  for (const id of ids) covered.add(id)
  return ids
}

t.test('client authentication is answered as recorded', async (t) => {
  await replay(t, await recordedApp(t), cover(1, 2, 3, 4, 5, 6, 7, 8, 9))
})

t.test('client credentials are answered as recorded', async (t) => {
  await replay(t, await recordedApp(t), cover(11, 12, 13, 14, 17, 18, 19, 20))
})

t.test('passwords are answered as recorded', async (t) => {
  await replay(t, await recordedApp(t), cover(21, 22, 23, 24, 25, 26, 27))
})

t.test('refresh tokens are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  for (const id of cover(29, 31, 32, 35))
    compare(t, pairOf(id), await send(app, pairOf(id), { token: (await passwordTokens(app)).refresh_token }))
  await replay(t, app, cover(33, 34))
})

t.test('tokens are presented as recorded', async (t) => {
  const app = await recordedApp(t)
  const { access_token: user, refresh_token } = await passwordTokens(app)
  await replay(t, app, cover(36, 37, 38, 39, 40, 41, 42, 43, 46, 47, 48, 138), { token: user })
  await replay(t, app, cover(44, 49, 50), { token: (await clientTokens(app)).access_token })
  await replay(t, app, cover(51), { token: user })
  await post(app, '/oauth/token', { grant_type: 'refresh_token', refresh_token }, bearer)
  await replay(t, app, cover(45), { token: user })
})

t.test('tokens that have expired, and those of users who are gone, are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  const { access_token: token } = await passwordTokens(app)
  await app.models.get('OAuthAccessToken').updateAll({ expiredAt: new Date(Date.now() - 1000) })
  await replay(t, app, cover(53), { token })
  await app.models.get('User').create({ username: 'eve', email: 'eve@example.com', password: 'secret-eve' })
  const form = { grant_type: 'password', username: 'eve', password: 'secret-eve' }
  const eve = (await post(app, '/oauth/token', form, bearer)).json<Tokens>()
  await app.models.get('User').destroyAll({ username: 'eve' })
  await replay(t, app, cover(54), { token: eve.access_token })
})

t.test('authorization requests are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  const { cookie } = await logIn(app)
  await replay(t, app, cover(68))
  await replay(t, app, cover(71, 72, 73, 74, 75, 76, 77, 79, 80, 82, 83, 84), { cookie })
})

t.test('logins are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  const browser = makeBrowser(app)
  await browser.get(ask('email profile'))
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  await replay(t, app, cover(69, 70), { cookie })
})

t.test('decisions are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  const session = await logIn(app)
  const { cookie } = session
  await replay(t, app, cover(86), { txn: 'unknown' })
  await replay(t, app, cover(87, 88, 89), { cookie, txn: 'unknown' })
  const txn = await transaction(session, 'email profile')
  await replay(t, app, cover(90, 91), { cookie, txn })
  await replay(t, app, cover(92), { cookie, txn: await transaction(session, 'email profile') })
  await replay(t, app, cover(100, 101, 102, 110, 114), { cookie })
  const implicit = () => transaction(session, 'other', { response_type: 'token' })
  await replay(t, app, cover(111), { cookie, txn: await implicit() })
  const limited = await transaction(session, 'read', { client_id: 'c-limited' })
  await replay(t, app, cover(113), { cookie, txn: limited })
})

t.test('an implicit token is answered as recorded', async (t) => {
  const app = await recordedApp(t)
  const session = await logIn(app)
  const txn = await transaction(session, 'email', { response_type: 'token' })
  await replay(t, app, cover(112), { cookie: session.cookie, txn })
})

t.test('codes are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  const session = await logIn(app)
  await replay(t, app, cover(93, 94, 95, 96, 97, 98, 99), { token: await codeOf(session) })
  const late = await codeOf(session)
  await app.models.get('OAuthAuthorizationCode').updateAll({ expiredAt: new Date(Date.now() - 1000) })
  await replay(t, app, cover(103), { token: late })
})

t.test('codes that were asked for without a redirect URI are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  const session = await logIn(app)
  await codeOf(session)
  const without = async (): Promise<string> => {
    const answer = await session.browser.get('/oauth/authorize?response_type=code&client_id=c-bearer&scope=email')
    return new URL(String(answer.headers.location)).searchParams.get('code') ?? ''
  }
  await replay(t, app, cover(105), { token: await without() })
  await replay(t, app, cover(106), { token: await without() })
})

/** An assertion of `c-bearer`, signed as the test wants it. */
function assertion(claims: object = {}, header: object = {}, signer?: (text: string) => string): string {
  const all = {
    iss: 'c-bearer',
    sub: 'bob',
    aud: '/oauth/token',
    exp: Math.floor(Date.now() / 1000) + 60,
    jti: crypto.randomUUID(),
    ...claims
  }
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ alg: 'RS256', ...header })}.${encode(all)}`
  const usual = (): string => sign('sha256', Buffer.from(text), keys.privateKey).toString('base64url')
  return `${text}.${signer === undefined ? usual() : signer(text)}`
}

const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const hmac = (text: string): string => createHmac('sha256', pem).update(text).digest('base64url')

const assertions: readonly (readonly [number, () => string])[] = [
  [115, () => assertion({ scope: ['email'] })],
  [117, () => assertion()],
  [119, () => assertion({ scope: ['other'] })],
  [120, () => assertion({ sub: 'nobody' })],
  [121, () => assertion({ aud: 'https://other.example/oauth/token' })],
  [122, () => assertion({ exp: Math.floor(Date.now() / 1000) - 60 })],
  [123, () => assertion({ iss: undefined })],
  [124, () => assertion({ exp: undefined })],
  [125, () => assertion({ sub: undefined })],
  [126, () => assertion({}, {}, () => 'AAAA')],
  [127, () => assertion({}, { alg: 'none' }, () => '')],
  [128, () => assertion({}, { alg: 'HS256' }, hmac)],
  [129, () => assertion({ scope: ['email'] })],
  [134, () => ''],
  [135, () => ''],
  [136, () => assertion({ sub: 'c-bearer' })],
  [137, () => assertion({ sub: 'c-bearer' }, { typ: 'JWT' })]
]

t.test('assertions are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  await codeOf(await logIn(app), 'email')
  for (const [id, make] of assertions) await replay(t, app, cover(id), { jwt: make() })
})

t.test('revocations are answered as recorded', async (t) => {
  const app = await recordedApp(t)
  await replay(t, app, cover(139, 140, 141, 142))
  const first = await clientTokens(app, '')
  await replay(t, app, cover(143, 144), { token: (await passwordTokens(app, '')).access_token })
  await replay(t, app, cover(145, 146), { token: first.refresh_token })
  const second = await clientTokens(app, '')
  await replay(t, app, cover(147, 148), { token: second.access_token })
  await replay(t, app, cover(149), { token: second.refresh_token })
  const third = await clientTokens(app, '')
  await replay(t, app, cover(150), { token: third.refresh_token })
  await replay(t, app, cover(151), { token: third.access_token })
  await replay(t, app, cover(152))
})

t.test('what the original has not is not there', async (t) => {
  await replay(t, await recordedApp(t), cover(154, 155, 156, 157, 158, 159))
})

/** Pairs that are answered otherwise on purpose, with the reason. What is answered instead is tested among the attacks. */
const otherwise: ReadonlyMap<number, string> = new Map([
  [10, 'form-encoded credentials are decoded'],
  ...[15, 16, 28, 61, 62, 63, 64, 65, 66, 67, 109].map(
    (id) => [id, 'client token types jwt and mac are not served'] as const
  ),
  [30, 'a refresh token works once'],
  [52, 'a route that no mapping covers is closed'],
  ...[55, 56, 57, 58, 59, 60, 153].map((id) => [id, 'a parameter is one text'] as const),
  [78, 'redirect URIs are compared as a whole'],
  [81, 'a client without redirect URIs gets no code'],
  [85, 'PKCE is done'],
  [107, 'PKCE is done'],
  [108, 'public clients are served, with PKCE'],
  [116, 'an assertion may have the header typ'],
  [118, 'the scope of an assertion may be a text'],
  ...[130, 131, 132].map((id) => [id, 'assertions are checked, whoever sends them, and work once'] as const)
])

t.test('every recorded pair is compared, or is answered otherwise for a reason', async (t) => {
  const left = allIds.filter((id) => !covered.has(id) && !otherwise.has(id))
  t.same(left, [])
  t.same(
    [...otherwise.keys()].filter((id) => covered.has(id)),
    []
  )
})
