import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import qs from 'qs'
import t from 'tap'
import { parseQueryString } from '../fixtures/with-defaults.ts'

const cases: readonly (readonly [raw: string, query: unknown])[] = [
  ['', {}],
  ['a=1', { a: '1' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=1&a=2', { a: '2' }],
  ['&&a=2&', { a: '2' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a==1', { a: '=1' }],
  ['a=a%20b+c%2Bd', { a: 'a b c+d' }],
  ['a%20b=1', { 'a b': '1' }],
  ['a=%ZZ+1', { a: '%ZZ 1' }],
  ['a=%E6%97+x%20', { a: '%E6%97 x%20' }],
  ['a=%ff%5B%5d', { a: '%ff[]' }],
  ['a=%E6%97%A5', { a: '日' }],
  ['a=x%00y', { a: 'x\0y' }],
  ['a=1;a=2', { a: '1;a=2' }],
  ['a.b=1', { 'a.b': '1' }],
  ['a=[1]', { a: '[1]' }],
  ['filter={"where":{"a":["x]=y"]}}', { filter: '{"where":{"a":["x]=y"]}}' }],
  ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
  ['a[b][c]=1', { a: { b: { c: '1' } } }],
  ['a%5Bb%5d=1', { a: { b: '1' } }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[]=1', { a: ['1'] }],
  ['a[1]=x&a[0]=y', { a: ['y', 'x'] }],
  ['a[100]=x&a[101]=y', { a: ['x', 'y'] }],
  ['a[1000]=x', { a: { 1000: 'x' } }],
  ['a[b]=1&a[b]=2', { a: { b: ['1', '2'] } }],
  ['a={}&a[b]=1', { a: ['{}', { b: '1' }] }],
  ['a[b][c][d][e][f][g]=1', { a: { b: { c: { d: { e: { f: { '[g]': '1' } } } } } } }],
  ['a[constructor]=1', { a: { constructor: '1' } }],
  ['a[0][b]=1&a[0][c]=2', { a: [{ b: '1', c: '2' }] }],
  ['[a]=1', { a: '1' }],
  ['a[b', { a: { '[b': '' } }]
]

t.test('query strings are read as LoopBack reads them', async (t) => {
  for (const [raw, query] of cases) t.same(JSON.parse(JSON.stringify(parseQueryString(raw))), query, raw)
})

t.test('no object of a query has a prototype', async (t) => {
  for (const raw of ['a=1', 'a[b][c]=1', '']) {
    const query = parseQueryString(raw)
    t.equal(Object.getPrototypeOf(query), null)
    if (typeof query['a'] === 'object') t.equal(Object.getPrototypeOf(query['a']), null)
  }
})

t.test('parameters named __proto__ are left out', async (t) => {
  const texts = [
    '__proto__=1',
    '__proto__[a]=1',
    'a[__proto__][b]=1',
    '%5F_proto__=1',
    'a[b][__proto__]=1',
    '__proto__[]=1&__proto__=2'
  ]
  for (const raw of texts) {
    t.notMatch(JSON.stringify(parseQueryString(`${raw}&z=1`)), /__proto__/, raw)
    t.equal(({} as { a?: unknown }).a, undefined)
  }
})

t.test('a long query is a 400, parameters beyond the limit are ignored', async (t) => {
  t.throws(() => parseQueryString('a'.repeat(65_537)), { code: 'LIMIT_EXCEEDED' })
  const many = Array.from({ length: 1001 }, (_, index) => `x${index}=1`).join('&')
  t.equal(Object.keys(parseQueryString(many)).length, 1000)
  t.equal(Object.keys(parseQueryString(`${many}&a[b]=1`)).length, 1000)
  const items = Array.from({ length: 1001 }, (_, index) => `a[]=${index}`).join('&')
  t.equal((parseQueryString(items)['a'] as string[]).length, 1000)
  t.same(parseQueryString('a=1&b=2&c=3', { length: 100, parameters: 2 }), { a: '1', b: '2' })
})

const part = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '__proto__',
    'constructor',
    '[',
    ']',
    '[]',
    '[0]',
    '[a]',
    '%5B',
    '%5D',
    '=',
    '&',
    '+',
    '%',
    '%20',
    '%ff',
    '日'
  ),
  fc.string({ maxLength: 4 })
)
const raws = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''))

t.test('no text makes parsing throw or change a prototype', async (t) => {
  const names = Object.getOwnPropertyNames(Object.prototype).length
  fc.assert(
    fc.property(raws, (raw) => {
      parseQueryString(raw)
    }),
    { numRuns: runs(500) }
  )
  t.equal(Object.getOwnPropertyNames(Object.prototype).length, names)
})

t.test('queries mean what qs says, but for a bracket before = in a value', async (t) => {
  const options = { plainObjects: true, depth: 5, arrayLimit: 1000, parameterLimit: 1000 } as const
  fc.assert(
    fc.property(raws, (raw) => {
      fc.pre(!/=[^&]*(\]|%5D)=/i.test(raw))
      t.strictSame(JSON.stringify(parseQueryString(raw)), JSON.stringify(qs.parse(raw, options)), raw)
    }),
    { numRuns: runs(500) }
  )
})
