import t, { type Test } from 'tap'
import { type Browser, openBrowser } from './passport-browser.ts'
import { startApp } from './passport-start-app.ts'

const refused = 'Invalid username/password or email has not been verified'

async function start(t: Test): Promise<() => Browser> {
  const app = await startApp(t, 'http://127.0.0.1:1')
  const open = (): Browser => openBrowser(app)
  const password = 'pass'
  await open().post('/api/users', { username: 'loc', email: 'loc@example.com', password })
  await open().post('/verify', { username: 'loc' })
  await open().post('/api/users', { username: 'unv', email: 'unv@example.com', password })
  return open
}

t.test('a user name, or an address, and its password begin a session', async (t) => {
  const open = await start(t)
  for (const username of ['loc', 'loc@example.com']) {
    const browser = open()
    t.match(await browser.post('/auth/local', { username, password: 'pass' }), { status: 302, location: '/in' })
    t.match((await browser.get('/me')).body, { user: { username: 'loc', profiles: [], accounts: [] } })
  }
})

const wrong: readonly (readonly [string, object])[] = [
  ['a wrong password', { username: 'loc', password: 'no' }],
  ['an unknown user', { username: 'nobody', password: 'pass' }],
  ['an address that is not verified', { username: 'unv', password: 'pass' }]
]

for (const [what, form] of wrong)
  t.test(`${what} is refused with the same words`, async (t) => {
    const browser = (await start(t))()
    t.match(await browser.post('/auth/local', form), { status: 302, location: '/out' })
    t.strictSame((await browser.get('/me')).body, { flash: { type: 'error', message: refused } })
  })

t.test('successReturnToOrRedirect leads to the page that the session names, and to no other server', async (t) => {
  // LoopBack goes wherever the session says.
  const open = await start(t)
  for (const [returnTo, location] of [
    ['/deep', '/deep'],
    ['//evil.example', '/in']
  ] as const) {
    const browser = open()
    await browser.post('/keep', { returnTo })
    t.match(await browser.post('/auth/local-return', { username: 'loc', password: 'pass' }), { status: 302, location })
  }
})

t.test('setAccessToken makes a token by the login of the users', async (t) => {
  const open = await start(t)
  const path = '/auth/local-email/callback'
  const right = await open().post(path, { email: 'loc@example.com', password: 'pass' })
  t.match(right, { status: 200, body: { access_token: /^\w{64}$/, userId: 1 } })
  for (const form of [
    { email: 'loc@example.com', password: 'no' },
    { email: 'unv@example.com', password: 'pass' },
    { email: 'nobody', password: 'pass' }
  ])
    t.match(await open().post(path, form), { status: 401, body: 'authentication error' })
  t.match(await open().post('/auth/local-email', { email: 'loc@example.com', password: 'no' }), { location: '/out' })
})
