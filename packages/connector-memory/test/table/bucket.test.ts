import * as fc from 'fast-check'
import t from 'tap'
import { addSlot, removeSlot, sizeOf, slotsOf, type Bucket } from '#src/table/bucket.ts'

const build = (slots: Iterable<number>): Bucket | undefined => {
  let bucket: Bucket | undefined
  for (const slot of slots) bucket = addSlot(bucket, slot)
  return bucket
}

void t.test('a bucket holds its slots in ascending order', async (t) => {
  const change = fc.record({ add: fc.boolean(), slot: fc.integer({ min: 0, max: 20 }) })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      let bucket: Bucket | undefined
      const slots = new Set<number>()
      for (const { add, slot } of changes) {
        if (add !== slots.has(slot)) bucket = add ? addSlot(bucket, slot) : removeSlot(bucket, slot)
        if (add) slots.add(slot)
        else slots.delete(slot)
      }
      const expected = [...slots].toSorted((a, b) => a - b)
      return JSON.stringify([...slotsOf(bucket)]) === JSON.stringify(expected) && sizeOf(bucket) === expected.length
    })
  )
  t.pass()
})

void t.test('a bucket of many slots works like one of few', async (t) => {
  const slots = Array.from({ length: 3000 }, (_, at) => (at * 1009) % 3001)
  let bucket = build(slots)
  t.equal(sizeOf(bucket), 3000)
  t.same(
    [...slotsOf(bucket)],
    slots.toSorted((a, b) => a - b)
  )
  for (const slot of slots) bucket = removeSlot(bucket, slot)
  t.equal(bucket, undefined)
})

void t.test('removing what is not there changes nothing', async (t) => {
  t.equal(removeSlot(undefined, 1), undefined)
  t.equal(removeSlot(5, 1), 5)
  t.same(removeSlot([1, 3], 2), [1, 3])
})
