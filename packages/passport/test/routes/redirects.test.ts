import t from 'tap'
import { checkReturnTo } from '#src/routes/redirects.ts'

/** Where a session wants to go to, as far as it may. */
function returnOf(returnTo: string): string | undefined {
  const request = { session: { returnTo }, headers: { host: 'shop.example' } }
  return checkReturnTo(request, { module: 'passport-any', callbackURL: 'https://sign-in.example/callback' })
}

t.test('after a login people return to this server, and to servers that options name', async (t) => {
  for (const address of ['/orders?page=2', 'orders', 'https://shop.example/orders', 'https://sign-in.example/'])
    t.equal(returnOf(address), address)
})

t.test('nobody is sent to another server after a login, however its address is written', async (t) => {
  const foreign = [
    'https://evil.example/',
    '//evil.example',
    String.raw`/\evil.example`,
    '/\t/evil.example',
    'javascript:1'
  ]
  // Browsers read these as addresses of another server where the page is of the other scheme.
  for (const address of [
    ...foreign,
    'http:evil.example',
    'https:evil.example',
    'http:/evil.example',
    'https:/evil.example'
  ])
    t.equal(returnOf(address), undefined, address)
})
