import t from 'tap'
import { authorizeUrl, decide, isActive, locationOf, logIn, redeem, refresh } from '../../flow.ts'
import { addClient, callback, makeApp } from '../../make-app.ts'
import { makeBrowser } from '../../pages/page-app.ts'

t.test('a code is asked for, permitted, exchanged and refreshed', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = makeBrowser(app)
  const first = await browser.get(authorizeUrl(client.id))
  t.equal(first.statusCode, 302)
  t.equal(locationOf(first).pathname, '/login')
  await browser.logIn({ username: 'bob', password: 'secret-bob' })
  const page = await browser.get(authorizeUrl(client.id))
  t.equal(page.statusCode, 200, page.body)
  const answer = await decide(browser, page)
  const address = locationOf(answer)
  t.equal(`${address.origin}${address.pathname}`, callback)
  t.equal(address.searchParams.get('state'), 'st')
  t.equal(address.searchParams.get('iss'), 'https://as.example')
  t.equal(answer.headers['referrer-policy'], 'no-referrer')
  const tokens = await redeem(app, client, String(address.searchParams.get('code')))
  t.equal(tokens.statusCode, 200, tokens.body)
  const body = tokens.json<Record<string, string>>()
  t.same(Object.keys(body), ['access_token', 'expires_in', 'scope', 'refresh_token', 'token_type'])
  const next = await refresh(app, client, String(body['refresh_token']))
  t.equal(next.statusCode, 200, next.body)
  t.ok(await isActive(app, client, next.json<{ access_token: string }>().access_token))
})

t.test('a permission is kept: the second time nobody asks', async (t) => {
  const app = await makeApp(t)
  const client = await addClient(app)
  const browser = await logIn(app)
  await decide(browser, await browser.get(authorizeUrl(client.id, { scope: 'read write' })))
  const again = await browser.get(authorizeUrl(client.id, { scope: 'write' }))
  t.ok(locationOf(again).searchParams.has('code'))
  const wider = await browser.get(authorizeUrl(client.id, { scope: 'read admin' }))
  t.equal(wider.statusCode, 200)
})
