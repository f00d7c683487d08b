import t from 'tap'
import { lifetimesOf, storeSlopes } from '#src/soak/summarize.ts'

const sample = { process: 1, heap: 40, descriptors: 30, lag: 12 }

t.test('each start of a process is a lifetime, and its first five minutes do not count', async (t) => {
  const early = [0, 240].map((at) => ({ ...sample, at, pid: 7, rss: 1000 * at }))
  const steady = [300, 360, 420, 480].map((at) => ({ ...sample, at, pid: 7, rss: 100 + at / 60 }))
  const second = [490, 500].map((at) => ({ ...sample, at, pid: 8, rss: 90 }))
  const [one, other, ...more] = lifetimesOf([...early, ...steady, ...second])
  t.match(one, { pid: 7, minutes: 8, rss: { perMinute: 1, samples: 4 }, lastRss: 108, mostDescriptors: 30 })
  t.match(other, { pid: 8, rss: undefined })
  t.strictSame(more, [])
})

t.test('what could not be counted is left out', async (t) => {
  const samples = [300, 360, 420, 480].map((at) => ({ at, rows: { order: at === 360 ? undefined : at * 2 } }))
  t.match(storeSlopes(samples), { order: { perMinute: 120, samples: 3 } })
})
