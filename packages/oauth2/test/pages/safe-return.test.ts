import t from 'tap'
import { safeReturn } from '#src/pages/show-page.ts'

t.test('a path of this server comes back with its query', async (t) => {
  t.equal(safeReturn('/oauth/authorize?client_id=a&state=x%20y'), '/oauth/authorize?client_id=a&state=x%20y')
  t.equal(safeReturn('/'), '/')
  t.equal(safeReturn('/a/../b#part'), '/b')
  t.equal(safeReturn('/x?next=https://evil.example/'), '/x?next=https://evil.example/')
})

const elsewhere = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/a/..//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  ' /x',
  '@evil.example',
  '',
  '/\u2044evil.example',
  '/x\r\nset-cookie: a=b'
]

for (const address of elsewhere)
  t.test(`${JSON.stringify(address)} leads nowhere`, async (t) => {
    t.equal(safeReturn(address), undefined)
  })

t.test('what is no text leads nowhere', async (t) => {
  for (const value of [undefined, null, 1, ['/x'], { 0: '/' }]) t.equal(safeReturn(value), undefined)
})
