import * as fc from 'fast-check'
import t from 'tap'
import { runs } from '@modelwire/test-waits'
import { compileOrder, type Row, type RowComparator } from '@modelwire/core/connector'
import { collectTop } from '#src/find/collect-top.ts'

const compare = compileOrder([{ path: ['v'], descending: true }], ['id'])
const isOdd = (row: Record<string, unknown>): boolean => Number(row['v']) % 2 === 1

/** The matching rows in order, without the first `skip`, at most `limit`. */
function topOf(items: readonly Row[], order: RowComparator, skip: number, limit?: number): Row[] {
  const top = collectTop(order, skip, limit)
  for (const item of items) top.add(item)
  return top.finish()
}

void t.test('the top rows are what sorting everything returns', async (t) => {
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
      t.same(topOf(rows.filter(isOdd), compare, skip, limit), expected)
    }),
    { numRuns: runs(300) }
  )
})

void t.test('equal rows keep the order in which they come', async (t) => {
  const rows = Array.from({ length: 100 }, (_, at) => ({ at, v: at % 3 }))
  const byValue = compileOrder([{ path: ['v'], descending: false }], undefined)
  t.same(
    topOf(rows, byValue, 0, 5).map(({ at }) => at),
    [0, 3, 6, 9, 12]
  )
})

void t.test('few rows that are not returned are compared', async (t) => {
  let comparisons = 0
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, v: (id * 7919) % 10_007 }))
  topOf(rows, (a, b) => (comparisons++, compare(a, b)), 0, 10)
  t.ok(comparisons < 12_000, `${comparisons} comparisons`)
})
