import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import t from 'tap'
import { decodeRow, encodeRow } from '#src/index.ts'

/** Keys as records have them, and those that mean something to JavaScript or to the encoding. */
const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', '$date', '$$date', '$bytes', '$undefined', '$')
)

const { value } = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.constant(null),
    fc.constant(undefined),
    fc.boolean(),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.maxSafeInteger(),
    fc.bigInt(),
    fc.date(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.record({ lat: fc.double(), lng: fc.double() }, { noNullPrototype: true })
  ),
  value: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('value')),
    fc.dictionary(key, tie('value'), { noNullPrototype: true })
  )
}))

t.test('a row is the same after it went through JSON', async (t) => {
  fc.assert(
    fc.property(fc.dictionary(key, value, { noNullPrototype: true }), (row) => {
      assert.deepStrictEqual(decodeRow(encodeRow(row)), row)
    })
  )
  t.pass('for every row')
})

t.test('other systems can read it', async (t) => {
  const row = { at: new Date('2020-02-29T12:34:56.789Z'), bytes: Buffer.from([0, 255]), n: 1.5, $a: [null, undefined] }
  t.same(JSON.parse(encodeRow(row)), {
    at: { $date: '2020-02-29T12:34:56.789Z' },
    bytes: { $bytes: 'AP8=' },
    n: 1.5,
    $$a: [null, { $undefined: '' }]
  })
})
