import t, { type Test } from 'tap'
import { type Answer, openBrowser } from './passport-browser.ts'
import { profiles, startProvider } from './passport-provider.ts'
import { type AppParts, oldPassport, startApp } from './passport-start-app.ts'

// What LoopBack 3.28 answers with loopback-component-passport 3.12 and passport 0.4 unless a test says otherwise.

async function start(t: Test, parts?: AppParts) {
  const app = await startApp(t, await startProvider(t, profiles), parts)
  return { app, open: () => openBrowser(app) }
}

const tokenCookies = ['access_token; Max-Age=1209600; Path=/', 'userId; Max-Age=1209600; Path=/']
const withoutSession = ({ cookies }: Answer): readonly string[] => cookies.filter((line) => !line.startsWith('sid'))

const identity = {
  provider: 'example',
  authScheme: 'oAuth 2.0',
  externalId: '1',
  profile: profiles.ann,
  credentials: { accessToken: 'at-ann', refreshToken: 'rt-ann' },
  created: /Z$/,
  modified: /Z$/,
  id: 1,
  userId: 1
}

for (const [version, packages] of [
  ['0.7', undefined],
  ['0.4', oldPassport]
] as const) {
  t.test(`a login by a provider begins a session of an account, with Passport ${version}`, async (t) => {
    const { open } = await start(t, packages && { packages })
    const ann = open()
    const begin = await ann.get('/auth/example')
    t.equal(begin.status, 302)
    t.match(begin.location, /\/authorize\?response_type=code&redirect_uri=.*&scope=email%20name&client_id=c$/)
    const end = await ann.get('/auth/example/callback?code=ann')
    t.match(end, { status: 302, location: '/in' })
    t.strictSame(withoutSession(end), tokenCookies)
    const { body } = await ann.get('/me')
    t.match(body, { user: { username: 'example.ann', profiles: [identity], accounts: [] } })
    t.match((await open().get('/api/users')).body, [
      { username: 'example.ann', email: 'ann@loopback.example.com', id: 1 }
    ])
    t.strictSame((await ann.get('/token')).body, { ttl: 1_209_600, userId: 1 })
  })

  t.test(`a login begins a new session that holds what the one before held, with Passport ${version}`, async (t) => {
    // LoopBack keeps the id of the session.
    const { open } = await start(t, packages && { packages })
    const ann = open()
    await ann.post('/keep', { kept: 'k', returnTo: '/deep?x=1' })
    const before = ann.cookies.get('sid')
    const known = new Map(ann.cookies)
    t.equal((await ann.get('/auth/example/callback?code=ann')).location, '/deep?x=1')
    t.not(ann.cookies.get('sid'), before)
    t.match((await ann.get('/me')).body, { kept: 'k', user: { username: 'example.ann' }, returnTo: undefined })
    const other = open()
    for (const [name, value] of known) other.cookies.set(name, value)
    t.notOk(((await other.get('/me')).body as { user?: unknown }).user, 'the old session is nobody’s')
  })
}

t.test('a user who comes again gets the same account, with new credentials', async (t) => {
  const { open } = await start(t)
  await open().get('/auth/example/callback?code=ann')
  const again = open()
  await again.get('/auth/example/callback?code=ann')
  t.match((await again.get('/me')).body, { user: { profiles: [identity] } })
  t.equal(((await again.get('/api/userIdentities')).body as unknown[]).length, 1)
})

t.test('users of two providers with the same id are two', async (t) => {
  // LoopBack looks for the id alone, and gives the identity of the other one.
  const { open } = await start(t)
  await open().get('/auth/example/callback?code=bob')
  const mapped = open()
  t.match(await mapped.get('/auth/example-mapped/callback?code=bob'), { status: 302, location: '/in' })
  t.match((await mapped.get('/me')).body, { user: { username: 'bob', profiles: [{ provider: 'mapped', userId: 2 }] } })
})

t.test('without a session the token goes along with the redirect, or as JSON', async (t) => {
  const { open } = await start(t)
  const redirected = await open().get('/auth/example-token/callback?code=bob')
  t.match(redirected.location, /^\/in\?access-token=\w{64}&user-id=1$/)
  t.strictSame(withoutSession(redirected), tokenCookies)
  const answered = await open().get('/auth/example-json/callback?code=bob')
  t.match(answered, { status: 200, body: { access_token: /^\w{64}$/, userId: 1 } })
  t.strictSame(withoutSession(answered), [])
})

t.test('a failure leads to its page, or is told as JSON', async (t) => {
  const { open } = await start(t)
  const denied = 'error=access_denied&error_description=no'
  t.match(await open().get(`/auth/example/callback?${denied}`), { status: 302, location: '/out' })
  t.match(await open().get(`/auth/example-json/callback?${denied}`), { status: 401, body: 'authentication error' })
  t.match(await open().get('/auth/example/callback?code=wrong'), { status: 500, body: { failed: 'wrong code' } })
  // LoopBack tells the reason as [object Object].
  t.equal((await open().get(`/auth/example-reason/callback?${denied}`)).location, '/out?error=no')
})

t.test('a customCallback answers in place of the usual one, and autoLogin: false makes no token', async (t) => {
  const { open } = await start(t)
  const first = await open().get('/auth/example-own/callback?code=ann')
  t.strictSame(first.body, { user: 'own-1', has: ['identity'] })
})

t.test('a profile without an id signs no one in', async (t) => {
  // LoopBack takes the first identity of the provider.
  const { open } = await start(t)
  await open().get('/auth/example/callback?code=ann')
  const answer = await open().get('/auth/example/callback?code=nobody')
  t.match(answer, { status: 500, body: { failed: "the provider's profile has no id" } })
})

t.test('a profile without an address signs no one in unless emailOptional is set', async (t) => {
  const { open } = await start(t)
  const answer = await open().get('/auth/example-mapped/callback?code=silent')
  t.match(answer, { status: 500, body: { failed: 'email is missing from the user profile' } })
})

t.test('an address that the provider did not verify leads to no account', async (t) => {
  const { open } = await start(t)
  await open().post('/api/users', { username: 'loc', email: 'loc@example.com', password: 'pass' })
  const answer = await open().get('/auth/example-mapped/callback?code=doubtful')
  t.match(answer, { status: 422, body: { failed: /Email already exists/ } })
})

t.test('an account is linked to the user who is logged in', async (t) => {
  const { open } = await start(t)
  const ann = open()
  await ann.get('/auth/example/callback?code=ann')
  t.match((await ann.get('/link/example-link')).location, /\/authorize\?/)
  t.match(await ann.get('/link/example-link/callback?code=bob'), { status: 302, location: '/in' })
  t.match(await ann.get('/link/example-link/callback?code=bob'), { status: 302, location: '/in' })
  const linked = { provider: 'example', externalId: '2', userId: 1, credentials: { accessToken: 'at-bob' } }
  const { body } = await ann.get('/me')
  t.match(body, { user: { username: 'example.ann', accounts: [linked] } })
  t.equal((body as { user: { accounts: unknown[] } }).user.accounts.length, 1)
})

t.test('nothing is linked where no one is logged in', async (t) => {
  const { open } = await start(t)
  const browser = open()
  t.match(await browser.get('/link/example-link/callback?code=bob'), { status: 302, location: '/out' })
  t.match((await browser.get('/me')).body, { flash: { type: 'error', message: 'No user is logged in' } })
  t.strictSame((await browser.get('/api/userCredentials')).body, [])
})

t.test('a session leads nowhere but to servers that are known', async (t) => {
  // LoopBack goes wherever the session says.
  const { open } = await start(t)
  for (const returnTo of ['https://evil.example/x', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 7]) {
    const browser = open()
    await browser.post('/keep', { returnTo })
    t.equal((await browser.get('/auth/example/callback?code=ann')).location, '/in', String(returnTo))
  }
})

t.test('what is open is told once at the start', async (t) => {
  const messages: string[] = []
  await start(t, { onLog: (message) => messages.push(message) })
  const told = messages.filter((message) => message.startsWith('passport: '))
  t.equal(told.length, 3)
  t.ok(told.some((message) => message.startsWith('passport: userCredential, userIdentity: anonymous clients can read')))
  t.ok(told.some((message) => /example, .*: a first login takes over an existing account/.test(message)))
  t.ok(told.some((message) => /example, .*: pages of any site can sign a browser in/.test(message)))
})
