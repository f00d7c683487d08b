import t from 'tap'
import { authorizeUrl, decide, locationOf, logIn } from '../flow.ts'
import { addClient, makeApp } from '../make-app.ts'
import { fieldOf, makeBrowser } from '../pages/page-app.ts'

t.test("one user's question is not answered by another", async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const [bob, eve] = [await logIn(app, 'bob'), await logIn(app, 'eve')]
  const asked = await bob.get(authorizeUrl(client.id))
  const own = await eve.get(authorizeUrl(client.id))
  const stolen = { transaction_id: fieldOf(asked.body, 'transaction_id'), csrf_token: fieldOf(own.body, 'csrf_token') }
  t.equal((await eve.post('/oauth/authorize/decision', stolen)).statusCode, 403)
  t.equal((await decide(bob, asked)).statusCode, 302, 'the attempt did not answer it')
})

t.test('a question is answered once', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  const page = await browser.get(authorizeUrl(client.id))
  t.ok(locationOf(await decide(browser, page, { cancel: 'no' })).searchParams.has('error'))
  t.equal((await decide(browser, page)).statusCode, 403, 'a no stays a no')
})

t.test('a question is over after the login that it was asked in', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  const page = await browser.get(authorizeUrl(client.id))
  await browser.logIn({ username: 'bob', password: 'secret-bob' })
  const again = await browser.get(authorizeUrl(client.id))
  const old = { transaction_id: fieldOf(page.body, 'transaction_id'), csrf_token: fieldOf(again.body, 'csrf_token') }
  t.equal((await browser.post('/oauth/authorize/decision', old)).statusCode, 403)
})

t.test('no other site answers for the user', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  const page = await browser.get(authorizeUrl(client.id))
  const transaction_id = fieldOf(page.body, 'transaction_id')
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  for (const csrf_token of ['', 'guess', fieldOf((await makeBrowser(app).get('/login')).body, 'csrf_token')])
    t.equal((await browser.post('/oauth/authorize/decision', { transaction_id, csrf_token }, headers)).statusCode, 403)
  t.equal((await browser.get(`/oauth/authorize/decision?transaction_id=${transaction_id}`)).statusCode, 404)
  t.equal(await app.models.get('OAuthAuthorizationCode').count(), 0)
})

t.test('who is not signed in decides nothing', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const page = await (await logIn(app)).get(authorizeUrl(client.id))
  const answer = await decide(makeBrowser(app), page)
  t.equal(answer.statusCode, 302)
  t.equal(locationOf(answer).pathname, '/login')
})

t.test('the request decides what is permitted, the form does not', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  const page = await browser.get(authorizeUrl(client.id, { scope: 'read' }))
  const more = {
    scope: 'admin',
    redirect_uri: 'https://evil.example/',
    client_id: 'other',
    response_type: 'token',
    user_id: 'u2'
  }
  const address = locationOf(await decide(browser, page, more))
  t.equal(address.origin, 'https://client.example')
  const [code] = await app.models.get('OAuthAuthorizationCode').find()
  t.same({ ...code?.toJSON() }['scopes'], ['read'])
  t.equal(code?.['userId'], 'u1')
})

t.test('pages stand in no frame and no cache, and write what they are given as text', async (t) => {
  const app = await makeApp(t)
  const scopes = ['<script>alert(1)</script>']
  const client = await addClient(app, { name: '<img src=x onerror=alert(1)>', scopes })
  const page = await (
    await logIn(app)
  ).get(authorizeUrl(client.id, { scope: '<script>alert(1)</script>', state: '"><script>' }))
  t.equal(page.statusCode, 200, page.body)
  t.notMatch(page.body, '<script>alert(1)')
  t.notMatch(page.body, '<img src=x')
  t.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
  t.equal(page.headers['x-frame-options'], 'DENY')
  t.match(page.headers['cache-control'], /no-store/)
})

t.test('an unknown client, with markup in its name, is told to nobody but the user', async (t) => {
  const app = await makeApp(t)
  const answer = await (await logIn(app)).get(authorizeUrl('<script>alert(1)</script>'))
  t.equal(answer.statusCode, 400)
  t.notOk(answer.headers.location)
  t.notMatch(answer.body, '<script>alert(1)')
})

const unsupported: readonly (readonly [string, Record<string, string>, string])[] = [
  ['an address to fetch a request from', { request_uri: 'http://169.254.169.254/latest' }, 'request_uri_not_supported'],
  ['an unsigned request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ['a code in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['a code by form', { response_mode: 'form_post' }, 'invalid_request'],
  ['a token where implicit is off', { response_type: 'token' }, 'unsupported_response_type'],
  ['two types at once', { response_type: 'code token' }, 'unsupported_response_type'],
  ['a type of the object model', { response_type: 'constructor' }, 'unsupported_response_type'],
  ['silence and a login at once', { prompt: 'none login' }, 'invalid_request'],
  ['an age that is none', { max_age: '-1' }, 'invalid_request'],
  ['a resource that there is not', { resource: 'https://other.example/' }, 'invalid_target'],
  ['silence without a permission', { prompt: 'none' }, 'consent_required']
]

for (const [what, asked, error] of unsupported)
  t.test(`an authorization request for ${what} is refused`, async (t) => {
    const app = await makeApp(t)
    const client = await addClient(app)
    const address = locationOf(await (await logIn(app)).get(authorizeUrl(client.id, asked)))
    t.equal(address.origin, 'https://client.example')
    t.equal(address.searchParams.get('error'), error)
    t.equal(address.searchParams.get('iss'), 'https://as.example')
  })

t.test('silence shows no login', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const answer = await makeBrowser(app).get(authorizeUrl(client.id, { prompt: 'none' }))
  t.equal(locationOf(answer).searchParams.get('error'), 'login_required')
})

t.test('a login that was asked for is asked for, also of who is signed in', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  await decide(browser, await browser.get(authorizeUrl(client.id)))
  const answer = await browser.get(authorizeUrl(client.id, { prompt: 'login' }))
  t.equal(locationOf(answer).pathname, '/login')
  const back = new URL(String(locationOf(answer).searchParams.get('return_to')), 'https://as.example')
  t.notOk(back.searchParams.has('prompt'), 'and not for ever')
  t.equal(back.searchParams.get('state'), 'st')
})

t.test('the server names itself, whatever the header Host says', async (t) => {
  const app = await makeApp(t)
  const url = '/.well-known/oauth-authorization-server'
  const answer = await app.inject({ url, headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } })
  t.equal(answer.json<{ issuer: string }>().issuer, 'https://as.example')
  t.notMatch(answer.body, 'evil.example')
})
