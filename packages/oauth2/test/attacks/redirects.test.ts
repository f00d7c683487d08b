import t from 'tap'
import { authorizeUrl, decide, locationOf, logIn } from '../flow.ts'
import { addClient, callback, makeApp } from '../make-app.ts'

/** Addresses that look like `https://client.example/cb` to somebody. */
const tricks: readonly string[] = [
  'https://client.example/cb.evil.example/x',
  'https://client.example/cb/',
  'https://client.example/cb/../../evil',
  'https://client.example/cb%2f..%2fevil',
  'https://client.example/cb?next=https://evil.example',
  'https://client.example/cb#fragment',
  'https://client.example/CB',
  'https://CLIENT.example/cb',
  'http://client.example/cb',
  'https://client.example:443/cb',
  'https://client.example:8443/cb',
  'https://client.example@evil.example/cb',
  'https://evil.example\\@client.example/cb',
  'https://client.example.evil.example/cb',
  'https://evil.example/https://client.example/cb',
  'https://client。example/cb',
  'https://client.example/cb\t',
  ' https://client.example/cb',
  'https://client.example/cb\r\nSet-Cookie: a=b',
  '//client.example/cb',
  '/cb',
  'cb',
  'javascript:alert(1)//https://client.example/cb',
  'data:text/html,<script>alert(1)</script>',
  'https://evil.example/cb'
]

for (const redirect_uri of tricks)
  t.test(`no browser is sent to ${JSON.stringify(redirect_uri)}`, async (t) => {
    const app = await makeApp(t)
    const client = await addClient(app)
    const answer = await (await logIn(app)).get(authorizeUrl(client.id, { redirect_uri }))
    t.equal(answer.statusCode, 400)
    t.notOk(answer.headers.location)
    t.notMatch(answer.body, '<script>alert')
  })

t.test('a client without redirect URIs sends nobody anywhere', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { redirectUris: [] })
  const browser = await logIn(app)
  for (const redirect_uri of [callback, 'javascript:alert(1)', undefined])
    t.equal((await browser.get(authorizeUrl(client.id, { redirect_uri }))).statusCode, 400)
})

t.test('where unregistered addresses are allowed, those that run in the browser are not', async (t) => {
  const app = await makeApp(t, { options: { allowUnregisteredRedirects: true } })
  const client = await addClient(app, { redirectUris: [] })
  const browser = await logIn(app)
  t.equal((await browser.get(authorizeUrl(client.id))).statusCode, 200)
  t.equal((await browser.get(authorizeUrl(client.id, { redirect_uri: 'javascript:alert(1)' }))).statusCode, 400)
})

t.test('of several registered addresses the request names one', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { redirectUris: [callback, 'https://client.example/other'] })
  t.equal((await (await logIn(app)).get(authorizeUrl(client.id, { redirect_uri: undefined }))).statusCode, 400)
})

const native: readonly (readonly [string, string, number])[] = [
  ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', 200],
  ['http://[::1]/cb', 'http://[::1]:51004/cb', 200],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb', 200],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb/', 400],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:51004@evil.example/cb', 400],
  ['http://127.0.0.1/cb', 'http://127.0.0.1.evil.example:51004/cb', 400],
  ['http://127.0.0.1/cb', 'http://localhost:51004/cb', 400],
  ['http://127.0.0.1/cb', 'https://127.0.0.1:51004/cb', 400],
  ['http://10.0.0.1/cb', 'http://10.0.0.1:51004/cb', 400],
  ['https://client.example/cb', 'https://client.example:51004/cb', 400]
]

for (const [registered, redirect_uri, status] of native)
  t.test(`${registered} ${status === 200 ? 'serves' : 'does not serve'} ${redirect_uri}`, async (t) => {
    const app = await makeApp(t)
    const client = await addClient(app, { type: 'public' })
    await app.models.get('OAuthClientApplication').updateAll({ id: client.id }, { redirectURIs: [registered] })
    t.equal((await (await logIn(app)).get(authorizeUrl(client.id, { redirect_uri }))).statusCode, status)
  })

t.test('another program at the address of a native client gets no code without a question', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app, { type: 'public', redirectUris: ['http://127.0.0.1/cb'] })
  const browser = await logIn(app)
  const url = authorizeUrl(client.id, { redirect_uri: 'http://127.0.0.1:5000/cb' })
  await decide(browser, await browser.get(url))
  t.equal((await browser.get(url)).statusCode, 200, 'the permission is not enough')
})

t.test('no redirect URI that runs in the browser can be registered', async (t) => {
  const app = await makeApp(t)
  for (const uri of [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.example/#x',
    '/cb',
    'https://u:p@a.example/'
  ])
    await t.rejects(app.oauth2.clients.create({ name: 'x', redirectUris: [uri] }), { code: 'OAUTH_CLIENT_INVALID' })
})

t.test('errors reach registered addresses alone, with the state encoded and the issuer named', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const state = 'a&code=forged#x\r\nSet-Cookie: a=b'
  const answer = await (await logIn(app)).get(authorizeUrl(client.id, { response_type: 'nonsense', state }))
  t.equal(answer.statusCode, 302)
  const address = locationOf(answer)
  t.equal(address.searchParams.get('state'), state)
  t.equal(address.searchParams.get('code'), null)
  t.equal(address.searchParams.get('iss'), 'https://as.example')
  t.equal(address.searchParams.get('error'), 'unsupported_response_type')
  t.notOk(answer.headers['set-cookie']?.toString().includes('a=b'))
})

t.test('a code is sent over TLS, or stays on the device', async (t) => {
  const app = await makeApp(t)
  for (const uri of [
    'http://client.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1.evil.example/cb'
  ])
    await t.rejects(addClient(app, { redirectUris: [callback, uri] }), { code: 'OAUTH_CLIENT_INVALID' }, uri)
  const redirectUris = [
    'http://127.0.0.1/cb',
    'http://[::1]:8000/cb',
    'http://localhost:3000/cb',
    'com.example.app:/cb'
  ]
  t.ok(await addClient(app, { redirectUris }))
})
