import t, { type Test } from 'tap'
import { buildPageApp, fieldOf, makeBrowser, type PageSetUp } from './page-app.ts'

const authorize = '/oauth/authorize?client_id=printer&state=s&redirect_uri=https%3A%2F%2Fprinter.example%2Fcb'

async function start(t: Test, setUp?: PageSetUp) {
  const page = await buildPageApp(setUp)
  t.teardown(() => page.app.close())
  return { ...page, browser: makeBrowser(page.app) }
}

t.test('a browser logs in and comes back to where it was asked', async (t) => {
  const { browser } = await start(t)
  const asked = await browser.get(authorize)
  t.equal(asked.statusCode, 302)
  t.equal(asked.headers.location, `/login?return_to=${encodeURIComponent(authorize)}`)
  const page = await browser.get(String(asked.headers.location))
  const fields = { csrf_token: fieldOf(page.body, 'csrf_token'), return_to: fieldOf(page.body, 'return_to') }
  const done = await browser.post('/login', { ...fields, username: 'ann', password: 'secret' })
  t.equal(done.statusCode, 302)
  t.equal(done.headers.location, authorize)
  t.match((await browser.get(authorize)).body, /Photo Printer wants to use your account/)
})

t.test('without a place to go back to, a login leads to /', async (t) => {
  const { browser } = await start(t)
  t.equal((await browser.logIn()).headers.location, '/')
})

for (const address of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example'])
  t.test(`a login does not lead to ${address}`, async (t) => {
    const { browser } = await start(t)
    const page = await browser.get(`/login?return_to=${encodeURIComponent(address)}`)
    t.notMatch(page.body, /evil/)
    t.equal((await browser.logIn({ return_to: address })).headers.location, '/')
  })

t.test('a wrong password is told beside the fields, with the name kept and the password not', async (t) => {
  const { browser } = await start(t)
  const { statusCode, body } = await browser.logIn({ username: 'ann"><b>', password: 'wrong-pass' })
  t.equal(statusCode, 401)
  t.match(body, /<p class="alert" id="problem" role="alert">/)
  t.match(body, /value="ann&quot;&gt;&lt;b&gt;"/)
  t.equal(body.match(/aria-describedby="problem"/g)?.length, 2)
  t.notMatch(body, /wrong-pass|<b>/)
})

t.test('an unknown name is answered as a wrong password is', async (t) => {
  const { browser } = await start(t)
  const strip = (body: string) => body.replace(/value="[^"]*"/g, '')
  const known = await browser.logIn({ password: 'wrong' })
  const unknown = await browser.logIn({ username: 'bob' })
  t.equal(unknown.statusCode, known.statusCode)
  t.equal(strip(unknown.body), strip(known.body))
})

t.test('an account that may not log in yet is a wrong login like another', async (t) => {
  const refused = Object.assign(new Error('not verified'), { statusCode: 401 })
  const { browser } = await start(t, { verify: () => Promise.reject(refused) })
  t.equal((await browser.logIn()).statusCode, 401)
})

t.test('a failure of the directory is a page without its reason', async (t) => {
  const { browser } = await start(t, { verify: () => Promise.reject(new Error('connect ECONNREFUSED db:5432')) })
  const { statusCode, body } = await browser.logIn()
  t.equal(statusCode, 500)
  t.match(body, /server_error/)
  t.notMatch(body, /ECONNREFUSED/)
})

t.test('a login without the token of its form changes nothing', async (t) => {
  const { app, browser, states } = await start(t)
  const stranger = makeBrowser(app)
  await browser.get('/login')
  const foreign = fieldOf((await stranger.get('/login')).body, 'csrf_token')
  for (const csrf_token of [undefined, '', 'x', foreign]) {
    const fields = { username: 'ann', password: 'secret', ...(csrf_token === undefined ? {} : { csrf_token }) }
    const { statusCode, body } = await browser.post('/login', fields)
    t.equal(statusCode, 403)
    t.match(body, /role="alert"/)
  }
  t.equal(states.rows.size, 0)
})

t.test('where the page is the own one, no header stands in for the token', async (t) => {
  const { browser } = await start(t)
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' }
  t.equal((await browser.post('/login', { username: 'ann', password: 'secret' }, headers)).statusCode, 403)
})

t.test('a field that is there twice is refused', async (t) => {
  const { browser } = await start(t)
  const csrf = encodeURIComponent(fieldOf((await browser.get('/login')).body, 'csrf_token'))
  for (const twice of ['username=ann&username=bob&password=secret', 'username=ann&password=secret&password=x'])
    t.equal((await browser.post('/login', `csrf_token=${csrf}&${twice}`)).statusCode, 400)
  t.equal((await browser.get('/login?return_to=/a&return_to=/b')).statusCode, 400)
})

t.test('many attempts of one address are a page with 429', async (t) => {
  const { browser } = await start(t, { options: { rateLimit: { max: 2 } } })
  t.equal((await browser.logIn({ password: 'a' })).statusCode, 401)
  t.equal((await browser.logIn({ password: 'b' })).statusCode, 401)
  const { statusCode, body } = await browser.logIn()
  t.equal(statusCode, 429)
  t.match(body, /Too many requests/)
})

t.test('the name that a client hints at is filled in', async (t) => {
  const { browser } = await start(t)
  const page = await browser.get(`/login?return_to=${encodeURIComponent('/oauth/authorize?login_hint=bob%40shop.org')}`)
  t.match(page.body, /value="bob@shop.org"/)
})

t.test('a page of the application logs in without a token, from its own origin alone', async (t) => {
  const { app, browser } = await start(t, { options: { loginPage: 'https://shop.example/sign-in' } })
  const asked = await browser.get(authorize)
  t.equal(asked.headers.location, 'https://shop.example/sign-in')
  t.equal((await makeBrowser(app).get('/login')).statusCode, 404)
  const fields = { username: 'ann', password: 'secret' }
  const failed = { location: 'https://shop.example/sign-in?error=form_outdated' }
  t.match((await browser.post('/login', fields)).headers, failed)
  t.match((await browser.post('/login', fields, { origin: 'https://evil.example' })).headers, failed)
  t.match((await browser.post('/login', fields, { origin: 'null', 'sec-fetch-site': 'cross-site' })).headers, failed)
  const wrong = await browser.post('/login', { ...fields, password: 'x' }, { origin: 'https://shop.example' })
  t.equal(wrong.headers.location, 'https://shop.example/sign-in?error=login_failed')
  const right = await browser.post('/login', fields, { origin: 'https://shop.example' })
  t.equal(right.headers.location, authorize)
})

t.test('compat: a page of the application posts name and password, and the session remembers the rest', async (t) => {
  const { browser } = await start(t, { options: { compat: 'loopback', loginPage: '/login' } })
  t.equal((await browser.get(authorize)).headers.location, '/login')
  const fields = { username: 'ann', password: 'secret' }
  const forged = await browser.post('/login', fields, {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site'
  })
  t.equal(forged.headers.location, '/login')
  t.equal((await browser.post('/login', { ...fields, password: 'bad' })).headers.location, '/login')
  t.equal((await browser.post('/login', fields)).headers.location, authorize)
})

t.test('a page of the application is not asked for what a cookie cannot remember', async (t) => {
  const { browser } = await start(t, { options: { loginPage: '/sign-in' } })
  const longest = await browser.get(`/oauth/authorize?state=${'x'.repeat(2000 - '/oauth/authorize?state='.length)}`)
  t.equal(longest.statusCode, 302)
  t.ok(String(longest.headers['set-cookie']).length < 4096)
  t.equal((await browser.get(`/oauth/authorize?state=${'x'.repeat(2000)}`)).statusCode, 400)
})

t.test('the path of the login form can be another one, or none', async (t) => {
  const other = await start(t, { options: { loginPath: '/enter' } })
  const page = await other.browser.get('/login')
  t.match(page.body, '<form method="post" action="/enter">')
  const fields = { csrf_token: fieldOf(page.body, 'csrf_token'), username: 'ann', password: 'secret' }
  t.equal((await other.browser.post('/login', fields)).statusCode, 404)
  t.equal((await other.browser.post('/enter', fields)).statusCode, 302)
  const none = await start(t, { options: { loginPath: false } })
  t.equal((await none.browser.get('/login')).statusCode, 404)
  t.equal((await none.browser.post('/login', fields)).statusCode, 404)
  t.equal((await none.browser.get(authorize)).statusCode, 500)
})
