import t, { type Test } from 'tap'
import { buildPageApp, makeBrowser } from './page-app.ts'
import { InvalidRequest } from '#src/errors.ts'

async function start(t: Test) {
  const page = await buildPageApp()
  t.teardown(() => page.app.close())
  return makeBrowser(page.app)
}

t.test('a browser gets a page, a program JSON', async (t) => {
  const browser = await start(t)
  const fields = { transaction_id: 't1' }
  const page = await browser.post('/oauth/authorize/decision', fields)
  t.match(page.headers, { 'content-type': /html/, 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
  t.match(page.body, /<dt>Error<\/dt>\s*<dd><code>access_denied<\/code>/)
  const json = await browser.post('/oauth/authorize/decision', fields, { accept: 'application/json' })
  t.match(json.json(), { error: 'access_denied', error_description: /^the form/ })
  t.match(json.headers, { 'content-type': /json/, 'cache-control': 'no-store' })
})

t.test('descriptions of errors are text', async (t) => {
  const { app } = await buildPageApp({ verify: () => Promise.reject(new InvalidRequest('<script>alert(1)</script>')) })
  t.teardown(() => app.close())
  const { statusCode, body } = await makeBrowser(app).logIn({ username: 'x' })
  t.equal(statusCode, 400)
  t.notMatch(body, /<script/)
  t.match(body, '&lt;script&gt;alert(1)&lt;/script&gt;')
})
