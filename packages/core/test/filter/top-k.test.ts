import * as fc from 'fast-check'
import t from 'tap'
import { compileOrder } from '#src/filter/compile-order.ts'
import { topK } from '#src/filter/top-k.ts'

const compare = compileOrder([{ path: ['v'], descending: true }], ['id'])
const everything = (): boolean => true
const isOdd = (row: Record<string, unknown>): boolean => Number(row['v']) % 2 === 1

void t.test('topK returns what sorting everything returns', async (t) => {
  const someValues = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 600, size: 'max' })
  const someLimit = fc.option(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 90, max: 140 })), {
    nil: undefined
  })
  fc.assert(
    fc.property(someValues, fc.integer({ min: 0, max: 30 }), someLimit, (values, skip, limit) => {
      const rows = values.map((v, id) => ({ v, id }))
      const expected = rows
        .filter(isOdd)
        .toSorted(compare)
        .slice(skip, limit === undefined ? undefined : skip + limit)
      t.same(topK(rows, isOdd, compare, skip, limit), expected)
    }),
    { numRuns: 300 }
  )
})

void t.test('topK keeps equal rows in the order in which they come', async (t) => {
  const rows = Array.from({ length: 100 }, (_, at) => ({ at, v: at % 3 }))
  const byValue = compileOrder([{ path: ['v'], descending: false }], undefined)
  t.same(
    topK(rows, everything, byValue, 0, 5).map(({ at }) => at),
    [0, 3, 6, 9, 12]
  )
})

void t.test('topK compares few rows that are not returned', async (t) => {
  let comparisons = 0
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, v: (id * 7919) % 10_007 }))
  topK(rows, everything, (a, b) => (comparisons++, compare(a, b)), 0, 10)
  t.ok(comparisons < 12_000, `${comparisons} comparisons`)
})
