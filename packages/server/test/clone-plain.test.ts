import t from 'tap'
import { clonePlain, exactJson, isPlainObject, setOwn } from '#src/clone-plain.ts'

t.test('a copy shares no container with its original', async (t) => {
  const original = { list: [{ a: 1 }], nested: { b: [2] }, text: 'x', nothing: null, absent: undefined }
  const copy = clonePlain(original)
  t.strictSame(copy, original)
  t.not(copy.list, original.list)
  t.not(copy.list[0], original.list[0])
  t.not(copy.nested.b, original.nested.b)
})

t.test('dates and buffers are copied, since they can be changed', async (t) => {
  const original = { at: new Date(5), bytes: Buffer.from('x') }
  const copy = clonePlain(original)
  t.strictSame(copy, original)
  t.not(copy.at, original.at)
  t.not(copy.bytes, original.bytes)
})

t.test('values that are no containers are kept as they are', async (t) => {
  for (const value of [new Map(), /x/, 5, 'x', null, undefined, true]) {
    t.equal(clonePlain(value), value)
  }
})

t.test('an own __proto__ key stays an own key', async (t) => {
  const copy = clonePlain(JSON.parse('{"__proto__":{"polluted":true}}') as object)
  t.strictSame(Object.keys(copy), ['__proto__'])
  t.equal(Object.getPrototypeOf(copy), Object.prototype)
})

t.test('setting __proto__ sets an own property', async (t) => {
  const target: Record<string, unknown> = {}
  setOwn(target, '__proto__', { polluted: true })
  setOwn(target, 'a', 1)
  t.strictSame(Object.keys(target), ['__proto__', 'a'])
  t.equal(target['polluted'], undefined)
})

t.test('plain objects are told from others', async (t) => {
  for (const value of [{}, Object.create(null), { a: 1 }]) t.equal(isPlainObject(value), true)
  for (const value of [[], new Date(), Buffer.from(''), null, 'x', new Map(), () => {}]) {
    t.equal(isPlainObject(value), false)
  }
})

t.test('exact JSON is only made of what can be read from it again', async (t) => {
  for (const value of [null, 1, -0.5, 'x', true, [], {}, [{ a: [null] }]])
    t.strictSame(JSON.parse(exactJson(value) ?? ''), value)
  class Private {
    readonly #value = 1
    read(): number {
      return this.#value
    }
  }
  const lossy = [undefined, NaN, Infinity, 1n, Symbol('s'), () => 1, /a/, new Date(0), Buffer.from('x'), new Map()]
  // oxlint-disable-next-line no-sparse-arrays -- holes are what is tested
  for (const value of [...lossy, new Private(), [, 1]])
    for (const around of [value, [value], { a: value }, { a: [{ b: value }] }]) t.equal(exactJson(around), undefined)
})
