import t from 'tap'
import { defaultFunctionNames, makeDefault } from '#src/types/compile-type.ts'

const uuid = (version: number) =>
  new RegExp(`^[\\da-f]{8}-[\\da-f]{4}-${version}[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}$`)

const named: readonly (readonly [name: string, made: RegExp])[] = [
  ['guid', uuid(1)],
  ['uuid', uuid(1)],
  ['uuidv4', uuid(4)],
  ['shortid', /^[\w-]{10}$/]
]

t.test('named functions make defaults', async (t) => {
  for (const [defaultFn, made] of named) {
    const make = makeDefault({ type: 'string', defaultFn })
    t.match(make?.(), made, defaultFn)
    t.not(make?.(), make?.(), `${defaultFn} makes another one each time`)
  }
})

t.test('now makes the present time', async (t) => {
  const made = makeDefault({ type: 'date', defaultFn: 'now' })?.()
  t.ok(made instanceof Date && Math.abs(made.getTime() - Date.now()) < 1000)
})

t.test('values and functions make defaults', async (t) => {
  t.equal(makeDefault({ type: 'number', default: 5 })?.(), 5)
  t.equal(makeDefault({ type: 'string', default: null })?.(), null)
  t.equal(makeDefault({ type: 'number', default: () => 6 })?.(), 6)
  t.equal(makeDefault({ type: 'number', defaultFn: () => 7 })?.(), 7)
  t.equal(makeDefault({ type: 'number', default: 5, defaultFn: () => 7 })?.(), 7)
})

t.test('a default object is a new one each time', async (t) => {
  const make = makeDefault({ type: 'object', default: { tags: [] } })
  const [first, second] = [make?.(), make?.()]
  t.strictSame(first, { tags: [] })
  t.not(first, second)
})

t.test('nothing and unknown names make no default', async (t) => {
  t.equal(makeDefault({ type: 'string' }), undefined)
  t.equal(makeDefault({ type: 'string', defaultFn: 'nonsense' }), undefined)
  t.strictSame(defaultFunctionNames, ['guid', 'uuid', 'uuidv4', 'now', 'shortid'])
})
