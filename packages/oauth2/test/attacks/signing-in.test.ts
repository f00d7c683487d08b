import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { authorizeUrl, type Browser, decide, locationOf, logIn } from '../flow.ts'
import { addClient, makeApp } from '../make-app.ts'
import { fieldOf, makeBrowser } from '../pages/page-app.ts'

async function start(t: Test) {
  const app = await makeApp(t)
  return { app, client: await addClient(app) }
}

/** Another browser with the same cookies. */
function copyOf(app: FastifyInstance, browser: Browser): Browser {
  const copy = makeBrowser(app)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

t.test('a cookie that was put into the browser before the login opens nothing afterwards', async (t) => {
  const { app, client } = await start(t)
  const attacker = makeBrowser(app)
  const planted = fieldOf((await attacker.get('/login')).body, 'csrf_token')
  const victim = copyOf(app, attacker)
  await victim.post('/login', { csrf_token: planted, username: 'bob', password: 'secret-bob' })
  t.equal((await victim.get(authorizeUrl(client.id))).statusCode, 200)
  t.equal((await attacker.get(authorizeUrl(client.id))).statusCode, 302)
})

t.test('a foreign page cannot sign somebody in as the attacker', async (t) => {
  const { app, client } = await start(t)
  const victim = makeBrowser(app)
  await victim.get('/login')
  const attacker = makeBrowser(app)
  const csrf_token = fieldOf((await attacker.get('/login')).body, 'csrf_token')
  const fields = { csrf_token, username: 'eve', password: 'secret-eve' }
  t.equal((await victim.post('/login', fields, { origin: 'https://evil.example' })).statusCode, 403)
  t.equal((await victim.get(authorizeUrl(client.id))).statusCode, 302)
})

const disguises = {
  'text/plain': 'csrf_token=x&username=eve&password=secret-eve',
  'application/json': JSON.stringify({ username: 'eve', password: 'secret-eve' }),
  'multipart/form-data; boundary=b': '--b\r\ncontent-disposition: form-data; name="username"\r\n\r\neve\r\n--b--'
}

for (const [type, payload] of Object.entries(disguises))
  t.test(`a login as ${type} needs the token of the form as well`, async (t) => {
    const { app } = await start(t)
    const browser = makeBrowser(app)
    await browser.get('/login')
    const { statusCode, cookies } = await browser.post('/login', payload, { 'content-type': type })
    t.ok(statusCode === 400 || statusCode === 403)
    t.same(cookies, [])
  })

t.test('a login in the address is none', async (t) => {
  const { app, client } = await start(t)
  const browser = makeBrowser(app)
  await browser.get('/login?username=bob&password=secret-bob')
  t.equal((await browser.get(authorizeUrl(client.id))).statusCode, 302)
  const token = encodeURIComponent(fieldOf((await browser.get('/login')).body, 'csrf_token'))
  t.equal((await browser.post(`/login?csrf_token=${token}&username=bob&password=secret-bob`, {})).statusCode, 403)
})

t.test('a foreign page cannot consent, nor with a token of its own browser', async (t) => {
  const { app, client } = await start(t)
  const [victim, attacker] = [await logIn(app), await logIn(app, 'eve')]
  const question = await victim.get(authorizeUrl(client.id))
  const foreign = fieldOf((await attacker.get(authorizeUrl(client.id))).body, 'csrf_token')
  const transaction_id = fieldOf(question.body, 'transaction_id')
  for (const csrf_token of [undefined, '', 'x', foreign]) {
    const fields = { transaction_id, ...(csrf_token === undefined ? {} : { csrf_token }) }
    t.equal((await victim.post('/oauth/authorize/decision', fields)).statusCode, 403)
  }
  t.equal((await victim.get(`/oauth/authorize/decision?transaction_id=${transaction_id}`)).statusCode, 404)
  t.ok(locationOf(await decide(victim, question)).searchParams.get('code'))
})

t.test("somebody else's question cannot be answered", async (t) => {
  const { app, client } = await start(t)
  const [victim, attacker] = [await logIn(app), await logIn(app, 'eve')]
  const question = await victim.get(authorizeUrl(client.id))
  const csrf_token = fieldOf((await attacker.get(authorizeUrl(client.id))).body, 'csrf_token')
  const answer = await decide(attacker, question, { csrf_token })
  t.equal(answer.statusCode, 403)
  t.notOk(answer.headers.location)
})

t.test('a question is answered once, also when the button is pressed many times', async (t) => {
  const { app, client } = await start(t)
  const browser = await logIn(app)
  const question = await browser.get(authorizeUrl(client.id))
  const answers = await Promise.all(Array.from({ length: 10 }, () => decide(browser, question)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 302).length, 1)
})

t.test('a stolen cookie is worth nothing after the logout', async (t) => {
  const { app, client } = await start(t)
  const browser = await logIn(app)
  const question = await browser.get(authorizeUrl(client.id))
  const thief = copyOf(app, browser)
  await browser.post('/logout', { csrf_token: fieldOf((await browser.get('/logout')).body, 'csrf_token') })
  t.match(locationOf(await decide(thief, question)).pathname, '/login')
  t.match(locationOf(await thief.get(authorizeUrl(client.id))).pathname, '/login')
})

t.test('nobody is signed out by a link or a foreign form', async (t) => {
  const { app, client } = await start(t)
  const browser = await logIn(app)
  await browser.get('/logout')
  t.equal((await browser.post('/logout', {})).statusCode, 403)
  t.equal((await browser.get(authorizeUrl(client.id))).statusCode, 200)
})

const elsewhere = ['https://evil.example', '//evil.example', '/\\evil.example', '/%09//evil.example/..//evil.example']

for (const address of elsewhere)
  t.test(`neither a login nor a logout leads to ${address}`, async (t) => {
    const { app } = await start(t)
    const browser = makeBrowser(app)
    const inside = await browser.logIn({ username: 'bob', password: 'secret-bob', return_to: address })
    const csrf_token = fieldOf((await browser.get('/logout')).body, 'csrf_token')
    const outside = await browser.post('/logout', { csrf_token, return_to: address })
    for (const { headers } of [inside, outside])
      t.equal(new URL(headers.location ?? '/', 'https://as.example').origin, 'https://as.example')
  })

t.test('what a Host header says is not believed', async (t) => {
  const { app, client } = await start(t)
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', accept: 'text/html' }
  const asked = await app.inject({ url: authorizeUrl(client.id), headers })
  t.match(asked.headers.location, /^\/login\?/)
  const page = await app.inject({ url: String(asked.headers.location), headers })
  t.notMatch(page.body, 'evil.example')
})

t.test('a line break in a place to go back to makes no header', async (t) => {
  const { app } = await start(t)
  const browser = makeBrowser(app)
  const { headers } = await browser.logIn({
    username: 'bob',
    password: 'secret-bob',
    return_to: '/x\r\nset-cookie: a=b'
  })
  t.equal(headers.location, '/')
  t.notMatch(String(headers['set-cookie']), 'a=b')
})

const script = '<script>alert(1)</script>'

t.test('names of clients and scopes are shown as text', async (t) => {
  const { app } = await start(t)
  await app.models.get('OAuthScope').create({ scope: 'evil', description: `${script}"onload="` })
  const evil = await addClient(app, { name: `${script}' onclick='x`, record: { tosURI: `javascript:${script}` } })
  const browser = await logIn(app)
  const { body } = await browser.get(authorizeUrl(evil.id, { scope: 'evil read' }))
  t.match(body, '&lt;script&gt;alert(1)&lt;/script&gt;&#39; onclick=&#39;x wants')
  t.notMatch(body, /<script|javascript:|"onload="|' onclick='/)
})

const reflected: Readonly<Record<string, string>> = {
  'an unknown client': `/oauth/authorize?client_id=${encodeURIComponent(script)}`,
  'a redirect URI': `/oauth/authorize?client_id=CLIENT&redirect_uri=${encodeURIComponent(`javascript:${script}`)}`,
  'a login hint': `/login?return_to=${encodeURIComponent(`/x?login_hint=${encodeURIComponent(`">${script}`)}`)}`,
  'a place to go back to': `/login?return_to=${encodeURIComponent(`/"${script}`)}`,
  'the code of a device': `/device?user_code=${encodeURIComponent(`">${script}`)}`
}

for (const [what, address] of Object.entries(reflected))
  t.test(`${what} is shown as text`, async (t) => {
    const { app, client } = await start(t)
    const browser = await logIn(app)
    const { body, headers } = await browser.get(address.replace('CLIENT', client.id))
    t.notMatch(body, '<script')
    t.match(headers, { 'content-security-policy': /default-src 'none'/ })
  })

t.test('a session of one server is none on another with another secret', async (t) => {
  const { app, client } = await start(t)
  const other = await makeApp(t, { options: { session: { secret: 'another secret of tests, long enough, too' } } })
  const browser = await logIn(other)
  t.equal(locationOf(await copyOf(app, browser).get(authorizeUrl(client.id))).pathname, '/login')
})
