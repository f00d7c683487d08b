import t from 'tap'
import { logIn } from '../flow.ts'
import { makeApp } from '../make-app.ts'
import { anywhere, sourcesOf } from '#src/pages/show-page.ts'

const pages = [
  '/login',
  '/login?return_to=/x',
  '/logout',
  '/device',
  '/oauth/authorize?client_id=nobody',
  '/oauth/authorize'
]

for (const page of pages)
  t.test(`${page} stands in no frame and no cache, and runs and loads nothing`, async (t) => {
    const { headers, body } = await (await logIn(await makeApp(t))).get(page)
    t.match(headers, {
      'content-type': 'text/html; charset=utf-8',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        /^default-src 'none'; style-src 'sha256-\S+'; form-action 'self'.*frame-ancestors 'none'$/
    })
    t.notMatch(body, /<script|<link|<img|<iframe|src=|@import|url\(|https?:\/\//)
  })

t.test('redirects of the pages are kept in no cache and told to nobody', async (t) => {
  const app = await makeApp(t)
  const { headers } = await app.inject({ url: '/device', headers: { accept: 'text/html' } })
  t.match(headers, {
    location: '/login?return_to=%2Fdevice',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer'
  })
})

t.test('a form leads to the kind of address that its client has', async (t) => {
  t.same(sourcesOf('https://a.example/cb'), ['https:'])
  t.same(sourcesOf('http://127.0.0.1:9/cb'), anywhere)
  t.same(sourcesOf('com.example.app:/cb'), ['com.example.app:'])
  for (const address of [undefined, '', 'x', "https://a b'; script-src *", '/cb']) t.same(sourcesOf(address), anywhere)
})

t.test('an address cannot add to the policy of the login page', async (t) => {
  const app = await makeApp(t)
  const asked = encodeURIComponent(
    `/oauth/authorize?redirect_uri=${encodeURIComponent("x:'; script-src 'unsafe-inline")}`
  )
  const { headers } = await app.inject({ url: `/login?return_to=${asked}`, headers: { accept: 'text/html' } })
  t.match(headers['content-security-policy'], /form-action 'self' x:; base-uri/)
  t.notMatch(headers['content-security-policy'], 'unsafe')
})
