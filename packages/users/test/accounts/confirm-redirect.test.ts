import t from 'tap'
import { ask, codeOf, enter, makeApp } from '../make-app.ts'

const verifyOptions = { redirect: 'https://front.shop.org/welcome' }

/** Where a customer who confirms is sent to: the status, and the header or the code of the error. */
async function confirm(
  app: Awaited<ReturnType<typeof makeApp>>,
  redirect: string
): Promise<readonly [number, unknown]> {
  await enter(app, 'ann@shop.org')
  await app.models.get('Customer').updateAll({}, { verificationToken: 'right' })
  const query = new URLSearchParams({ uid: '1', token: 'right', redirect })
  const answer = await ask(app, 'GET', `/Customers/confirm?${query.toString()}`)
  return [answer.statusCode, answer.statusCode === 302 ? answer.headers.location : codeOf(answer)]
}

for (const redirect of ['/welcome', 'welcome?a=1#b', '/a//b', 'https://front.shop.org/other']) {
  void t.test(`confirm goes on to ${redirect}`, async (t) => {
    const app = await makeApp(t, { customer: { verifyOptions } })
    t.strictSame(await confirm(app, redirect), [302, redirect])
    t.equal((await app.models.get('Customer').findOne())?.['emailVerified'], true)
  })
}

const foreign = [
  'https://evil.org/',
  '//evil.org/',
  '/\\evil.org',
  '\\\\evil.org',
  '\t//evil.org',
  '/\t/evil.org',
  'https:evil.org',
  'http:evil.org',
  'HTTP:/evil.org/',
  'http://front.shop.org/',
  'https://front.shop.org.evil.org/',
  'https://front.shop.org@evil.org/',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://self.invalid@evil.org/',
  'http://[bad'
]

for (const redirect of foreign) {
  void t.test(`confirm does not lead to ${JSON.stringify(redirect)}, and confirms nothing`, async (t) => {
    const app = await makeApp(t, { customer: { verifyOptions } })
    t.strictSame(await confirm(app, redirect), [400, 'REDIRECT_REFUSED'])
    t.not((await app.models.get('Customer').findOne())?.['emailVerified'], true)
  })
}

void t.test('origins can be named, or all be allowed as in LoopBack', async (t) => {
  const named = await makeApp(t, { users: { confirmRedirects: ['https://app.shop.org'] } })
  t.strictSame(await confirm(named, 'https://app.shop.org/a'), [302, 'https://app.shop.org/a'])
  const other = await makeApp(t, { users: { confirmRedirects: ['https://app.shop.org'] } })
  t.strictSame(await confirm(other, 'https://evil.org/'), [400, 'REDIRECT_REFUSED'])
  const open = await makeApp(t, { users: { confirmRedirects: true } })
  t.strictSame(await confirm(open, 'https://evil.org/'), [302, 'https://evil.org/'])
})
