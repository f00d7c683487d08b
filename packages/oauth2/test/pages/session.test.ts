import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { buildPageApp, fieldOf, makeBrowser, makeStates, type PageSetUp } from './page-app.ts'

const secret = 'a secret of more than thirty-two signs'

async function start(t: Test, setUp?: PageSetUp) {
  const page = await buildPageApp(setUp)
  t.teardown(() => page.app.close())
  return { ...page, browser: makeBrowser(page.app) }
}

type Browser = ReturnType<typeof makeBrowser>
const isSignedIn = async (browser: Browser) => (await browser.get('/oauth/authorize')).statusCode === 200

t.test('the cookie is for this host alone, and out of reach of scripts and foreign forms', async (t) => {
  const { browser } = await start(t, { options: { issuer: 'https://id.example', session: { secret } } })
  const [cookie] = (await browser.logIn()).cookies
  const flags = { name: '__Host-oauth2', path: '/', httpOnly: true, sameSite: 'Lax', secure: true, maxAge: 43_200 }
  t.match(cookie, flags)
  t.notOk(cookie?.domain)
})

t.test('a cookie without a login ends with the browser', async (t) => {
  const { browser } = await start(t)
  const [cookie] = (await browser.get('/login')).cookies
  t.match(cookie, { name: 'oauth2', httpOnly: true, sameSite: 'Lax' })
  t.notOk(cookie?.maxAge)
})

t.test('a request over TLS gets a secure cookie where the issuer does not say so', async (t) => {
  const { app } = await start(t, { server: { trustProxy: true } })
  const [cookie] = (await app.inject({ url: '/login', headers: { 'x-forwarded-proto': 'https' } })).cookies
  t.equal(cookie?.secure, true)
})

t.test('a login renews the session: what was in the browser before is worth nothing', async (t) => {
  const { app, browser } = await start(t)
  await browser.get('/login')
  const attacker = makeBrowser(app)
  for (const [name, value] of browser.cookies) attacker.cookies.set(name, value)
  await browser.logIn()
  t.ok(await isSignedIn(browser))
  t.notOk(await isSignedIn(attacker))
  t.not(browser.cookies.get('oauth2'), attacker.cookies.get('oauth2'))
})

t.test('the form token of before the login is void after it', async (t) => {
  const { browser } = await start(t)
  const old = fieldOf((await browser.get('/login')).body, 'csrf_token')
  await browser.logIn()
  t.equal((await browser.post('/oauth/authorize/decision', { csrf_token: old })).statusCode, 403)
})

t.test('a login in a browser that is signed in ends the session before', async (t) => {
  const { app, browser, states } = await start(t)
  await browser.logIn()
  const copy = makeBrowser(app)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  await browser.logIn()
  t.ok(await isSignedIn(browser))
  t.notOk(await isSignedIn(copy))
  t.equal(states.rows.size, 1)
})

t.test('a logout ends the session on the server: a copy of the cookie is worth nothing', async (t) => {
  const { app, browser } = await start(t)
  await browser.logIn()
  const copy = makeBrowser(app)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  const csrf_token = fieldOf((await browser.get('/logout')).body, 'csrf_token')
  t.match((await browser.post('/logout', { csrf_token })).body, /You are signed out/)
  t.notOk(await isSignedIn(browser))
  t.notOk(await isSignedIn(copy))
})

const ends: Readonly<Record<string, (users: { password: string; email: string }[]) => void>> = {
  'a new password': ([user]) => {
    if (user !== undefined) user.password = 'hash-2'
  },
  'a new address': ([user]) => {
    if (user !== undefined) user.email = 'other@shop.org'
  },
  'the end of the account': (users) => {
    users.pop()
  }
}

for (const [what, change] of Object.entries(ends))
  t.test(`${what} ends the session`, async (t) => {
    const { browser, users } = await start(t)
    await browser.logIn()
    t.ok(await isSignedIn(browser))
    change(users)
    t.notOk(await isSignedIn(browser))
  })

t.test('a session ends twelve hours after the login, or when its time is over', async (t) => {
  const { browser, states } = await start(t)
  await browser.logIn()
  t.ok(await isSignedIn(browser))
  const [[key, row] = ['', undefined]] = states.rows
  const hours = ((row?.expiresAt.getTime() ?? 0) - Date.now()) / 3_600_000
  t.ok(hours > 11.9 && hours <= 12)
  if (row !== undefined) states.rows.set(key, { ...row, expiresAt: new Date(Date.now() - 1) })
  t.notOk(await isSignedIn(browser))
})

t.test('two processes that share the database and the secret share sessions', async (t) => {
  const states = makeStates()
  const { browser } = await start(t, { states })
  const other = await start(t, { states })
  await browser.logIn()
  for (const [name, value] of browser.cookies) other.browser.cookies.set(name, value)
  t.ok(await isSignedIn(other.browser))
})

t.test('a cookie of another secret, a changed one and a forged one are no session', async (t) => {
  const { browser } = await start(t)
  const other = await start(t, { options: { session: { secret: secret.toUpperCase() } } })
  await other.browser.logIn()
  const foreign = other.browser.cookies.get('oauth2') ?? ''
  await browser.logIn()
  const own = browser.cookies.get('oauth2') ?? ''
  for (const value of [
    foreign,
    `${own.startsWith('A') ? 'B' : 'A'}${own.slice(1)}`,
    own.slice(4),
    'x',
    ';',
    '%00;%00',
    '{"id":"1"}'
  ]) {
    browser.cookies.set('oauth2', value)
    t.notOk(await isSignedIn(browser))
  }
})

t.test('the cookie tells nobody what it holds', async (t) => {
  const { browser } = await start(t)
  await browser.logIn()
  const text = decodeURIComponent(browser.cookies.get('oauth2') ?? '')
  const [cipher = ''] = text.split(';')
  t.notMatch(Buffer.from(cipher, 'base64').toString('latin1'), /csrf|"id"|ann/)
})

t.test('rows of sessions hold no password, no hash and no name', async (t) => {
  const { browser, states } = await start(t)
  await browser.logIn()
  t.notMatch(JSON.stringify([...states.rows.values()]), /secret|hash-1|ann/)
})

t.test('a new key encrypts while the old one still opens', async (t) => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const states = makeStates()
  const before = await start(t, { states, options: { session: { key: old } } })
  await before.browser.logIn()
  const after = await start(t, { states, options: { session: { key: [fresh.toString('base64'), old] } } })
  for (const [name, value] of before.browser.cookies) after.browser.cookies.set(name, value)
  t.ok(await isSignedIn(after.browser))
})

t.test('a new secret encrypts while the old one still opens', async (t) => {
  const states = makeStates()
  const before = await start(t, { states })
  await before.browser.logIn()
  const fresh = 'a new secret of more than thirty-two signs'
  const after = await start(t, { states, options: { session: { secret: [fresh, secret] } } })
  for (const [name, value] of before.browser.cookies) after.browser.cookies.set(name, value)
  t.ok(await isSignedIn(after.browser))
  await after.browser.logIn()
  for (const [name, value] of after.browser.cookies) before.browser.cookies.set(name, value)
  t.notOk(await isSignedIn(before.browser))
})

t.test('a key that is too short is refused at the start', async (t) => {
  await t.rejects(buildPageApp({ options: { session: { key: 'short' } } }), { code: 'OPTION_INVALID' })
  await t.rejects(buildPageApp({ options: { session: { key: [Buffer.alloc(31)] } } }), { code: 'OPTION_INVALID' })
})

t.test('without a secret the log says that sessions end with the process', async (t) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  await start(t, { options: { session: {} }, server: { logger: { stream } } })
  t.match(lines.join(''), /no session\.secret/)
})
