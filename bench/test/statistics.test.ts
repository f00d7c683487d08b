import t from 'tap'
import { median, spreadOf, spreadOfRatios, standardError } from '#src/statistics.ts'

t.test('the median is the middle value, in whatever order the values come', async (t) => {
  t.equal(median([9, 1, 5]), 5)
})

t.test('the median of an even number of values lies between the two middle ones', async (t) => {
  t.equal(median([4, 1, 3, 2]), 2.5)
})

t.test('nothing has no median', async (t) => {
  t.ok(Number.isNaN(median([])))
})

t.test('ratios are taken pair by pair before their median is', async (t) => {
  t.same(spreadOfRatios([10, 40, 30], [20, 40, 10]), { median: 1, spread: 1.25 })
})

t.test('ratios need as many values above as below', async (t) => {
  t.throws(() => spreadOfRatios([1, 2], [1]), RangeError)
})

t.test('the standard error is the deviation of the values, divided by the root of how many there are', async (t) => {
  t.equal(standardError([1, 3, 1, 3]), Math.sqrt(4 / 3) / 2)
  t.equal(standardError([2, 2]), 0)
})

t.test('one value has no standard error', async (t) => {
  t.ok(Number.isNaN(standardError([1])))
})

t.test('a spread is half of the distance between the quartiles, as a part of the median', async (t) => {
  t.same(spreadOf([10, 8, 12, 10]), { median: 10, spread: 0.1 })
  t.ok(Number.isNaN(spreadOf([]).spread))
})
