import { Type } from '@sinclair/typebox'
import t from 'tap'
import { fillDefaults } from '#src/options.ts'

const limits = Type.Object({ max: Type.Optional(Type.Integer({ default: 100 })), note: Type.Optional(Type.String()) })
const schema = Type.Object({
  size: Type.Optional(Type.Integer({ default: 1 })),
  name: Type.Optional(Type.String()),
  inner: Type.Optional(limits),
  limit: Type.Optional(Type.Union([Type.Literal(false), limits], { default: {} }))
})

t.test('what is absent or undefined gets its default, in nested objects too', async (t) => {
  t.strictSame(fillDefaults(schema, {}), { size: 1, limit: { max: 100 } })
  t.strictSame(fillDefaults(schema, { size: 2, limit: false }), { size: 2, limit: false })
  const undefinedSize: object = { size: undefined, inner: { max: undefined, note: 'x' } }
  t.strictSame(fillDefaults(schema, undefinedSize), { size: 1, inner: { max: 100, note: 'x' }, limit: { max: 100 } })
})

t.test('the options of the caller stay as they are, and so do objects without anything to fill in', async (t) => {
  const options = Object.freeze({ inner: Object.freeze({ max: 3 }) })
  const filled = fillDefaults(schema, options)
  t.equal(filled.inner, options.inner)
  t.strictSame(options, { inner: { max: 3 } })
})

t.test('the type knows which options are there', async (t) => {
  const { size, limit } = fillDefaults(schema, {})
  const numbers: readonly [number, number] = [size, limit === false ? 0 : limit.max]
  t.strictSame(numbers, [1, 100])
})
