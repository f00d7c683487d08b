import t from 'tap'
import { median, summarize, summarizeRatios } from '#src/statistics.ts'

t.test('the median is the middle value, in whatever order the values come', async (t) => {
  t.equal(median([9, 1, 5]), 5)
})

t.test('the median of an even number of values lies between the two middle ones', async (t) => {
  t.equal(median([4, 1, 3, 2]), 2.5)
})

t.test('nothing has no median', async (t) => {
  t.ok(Number.isNaN(median([])))
})

t.test('a summary has the median and the extremes', async (t) => {
  t.same(summarize([3, 1, 2]), { median: 2, lowest: 1, highest: 3 })
})

t.test('ratios are taken pair by pair before they are summarized', async (t) => {
  t.same(summarizeRatios([10, 40, 30], [20, 40, 10]), { median: 1, lowest: 0.5, highest: 3 })
})

t.test('ratios need as many values above as below', async (t) => {
  t.throws(() => summarizeRatios([1, 2], [1]), RangeError)
})
