import t from 'tap'
import { readRetryAfter, retryPause } from '#src/delivery/keep-outcome.ts'

const rules = { retries: [5, 300], jitter: 0.1, longestRetryAfter: 600 }
const failed = (attempts: number, retryAfter?: number) => ({ attempts, retryAfter })

t.test('pauses grow, by jitter too, and end', async (t) => {
  t.equal(
    retryPause(failed(1), rules, () => 0),
    5000
  )
  t.equal(
    retryPause(failed(1), rules, () => 1),
    5500
  )
  t.equal(
    retryPause(failed(2), rules, () => 0),
    300_000
  )
  t.equal(retryPause(failed(3), rules), undefined)
})

t.test('an endpoint may ask for a longer pause, within bounds', async (t) => {
  t.equal(
    retryPause(failed(1, 60), rules, () => 0),
    60_000
  )
  t.equal(
    retryPause(failed(1, 1), rules, () => 0),
    5000,
    'for no shorter one'
  )
  t.equal(
    retryPause(failed(1, 1e9), rules, () => 0),
    600_000
  )
  t.equal(retryPause(failed(3, 60), rules), undefined, 'and for no more attempts')
})

t.test('Retry-After is a number of seconds, or a date', async (t) => {
  const now = new Date('2026-01-01T00:00:00Z')
  t.equal(readRetryAfter('120', now), 120)
  t.equal(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now), 60)
  t.equal(readRetryAfter('Wed, 31 Dec 2025 00:01:00 GMT', now), 0)
  t.equal(readRetryAfter('soon', now), undefined)
  t.equal(readRetryAfter(undefined, now), undefined)
})
