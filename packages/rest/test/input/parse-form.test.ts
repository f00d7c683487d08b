import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { parseForm } from '../fixtures/with-defaults.ts'

const many = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=1`).join('&')

const cases: readonly (readonly [text: string, form: unknown])[] = [
  ['', undefined],
  ['title=A%20B+C', { title: 'A B C' }],
  ['title=%E6%97%A5', { title: '日' }],
  ['title=%ZZ', { title: '%ZZ' }],
  ['title=null&year=&artist', { title: 'null', year: '', artist: '' }],
  ['size[w]=1&size[h]=2', { size: { w: '1', h: '2' } }],
  ['tags[]=a&tags[]=b', { tags: ['a', 'b'] }],
  ['tags=a&tags=b', { tags: ['a', 'b'] }],
  ['notes[a][b][c]=1', { notes: { a: { b: { c: '1' } } } }],
  ['list[99]=a', { list: ['a'] }],
  ['list[100]=a', { list: { 100: 'a' } }]
]

t.test('forms are read as LoopBack reads them', async (t) => {
  for (const [text, form] of cases) t.strictSame(parseForm(text), form, text)
})

t.test('parameters named __proto__ are refused, or left out as LoopBack does', async (t) => {
  for (const [text, form] of [
    ['title=__&__proto__[x]=1', { title: '__' }],
    ['a[__proto__][x]=1&b=2', { a: {}, b: '2' }]
  ] as const) {
    t.throws(() => parseForm(text), { code: 'PROPERTY_NAME_REFUSED', statusCode: 400 }, text)
    t.strictSame(parseForm(text, {}, true), form, text)
  }
})

t.test('objects of a form have the usual prototype', async (t) => {
  const form = parseForm('a[b]=1') as { a: object }
  t.equal(Object.getPrototypeOf(form), Object.prototype)
  t.equal(Object.getPrototypeOf(form.a), Object.prototype)
})

t.test('names of the object model are refused', async (t) => {
  for (const text of [
    'constructor=1',
    'a[constructor][prototype]=1',
    'toString=',
    '%63onstructor=1',
    'a[0][hasOwnProperty]=1'
  ]) {
    t.throws(() => parseForm(text), { code: 'PROPERTY_NAME_REFUSED', statusCode: 400 }, text)
  }
})

t.test('too many parameters are a 413', async (t) => {
  t.equal(Object.keys(parseForm(many(1000)) as object).length, 1000)
  t.throws(() => parseForm(many(1001)), { code: 'PAYLOAD_TOO_LARGE', statusCode: 413, name: 'PayloadTooLargeError' })
  t.throws(() => parseForm('a=1&b=2', { parameters: 1 }), { code: 'PAYLOAD_TOO_LARGE', message: /1 param/ })
})

t.test('depth is bounded', async (t) => {
  t.doesNotThrow(() => parseForm(`a${'[b]'.repeat(32)}=1`))
  t.throws(() => parseForm(`a${'[b]'.repeat(33)}=1`), { code: 'LIMIT_EXCEEDED', statusCode: 400 })
})

t.test('no text makes reading throw anything but a 4xx or change a prototype', async (t) => {
  const part = fc.constantFrom(
    'a',
    'b',
    '__proto__',
    'constructor',
    '[',
    ']',
    '[]',
    '[0]',
    '[a]',
    '=',
    '&',
    '+',
    '%',
    '%20',
    '日'
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      try {
        parseForm(parts.join(''))
      } catch (error) {
        t.match(String((error as { statusCode?: number }).statusCode), /^4/)
      }
    }),
    { numRuns: runs(500) }
  )
  t.equal(({} as { a?: unknown }).a, undefined)
})
