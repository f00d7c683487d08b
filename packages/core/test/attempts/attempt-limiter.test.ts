import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import {
  type Attempt,
  countAttempt,
  type LocalAttemptLimiter,
  makeAttemptLimiter
} from '#src/attempts/attempt-limiter.ts'

const limits = { failures: 3, accountFailures: 6 }
const attempt = (address: string, more: Partial<Attempt> = {}): Attempt => ({
  kind: 'login',
  account: 'ann',
  address,
  countsAtOnce: true,
  ...more
})

function fail(limiter: LocalAttemptLimiter, address: string, now: number, more: Partial<Attempt> = {}): number {
  const begun = limiter.begin(attempt(address, more), limits, now)
  if (begun.waitFor === undefined) void begun.fail()
  return begun.waitFor ?? 0
}

t.test(
  'after some failures each further attempt waits twice as long as the one before, a quarter of an hour at most',
  async (t) => {
    const limiter = makeAttemptLimiter()
    let now = 0
    const waits = Array.from({ length: 16 }, () => {
      const wait = fail(limiter, 'a', now)
      now += wait * 1000
      if (wait > 0) fail(limiter, 'a', now)
      return wait
    })
    t.strictSame(waits.slice(0, 7), [0, 0, 0, 1, 2, 4, 8])
    t.equal(Math.max(...waits), 900)
  }
)

t.test('attempts that run at the same time count before they have failed', async (t) => {
  const limiter = makeAttemptLimiter()
  const begun = Array.from({ length: 20 }, () => limiter.begin(attempt('a'), limits, 0))
  t.equal(begun.filter(({ waitFor }) => waitFor === undefined).length, 3)
})

t.test('those of programs do not', async (t) => {
  const limiter = makeAttemptLimiter()
  const begun = Array.from({ length: 20 }, () => limiter.begin(attempt('a', { countsAtOnce: false }), limits, 0))
  t.equal(begun.filter(({ waitFor }) => waitFor === undefined).length, 20)
})

t.test(
  'failures of many addresses hold up a new one for a minute at most, and none that was right before',
  async (t) => {
    const limiter = makeAttemptLimiter()
    const own = limiter.begin(attempt('home'), limits, 0)
    if (own.waitFor === undefined) void own.succeed()
    for (let index = 0; index < 50; index++) fail(limiter, `bot ${index}`, index * 60_000)
    const now = 50 * 60_000 - 59_000
    t.match(limiter.begin(attempt('new'), limits, now), { waitFor: Number })
    t.equal(limiter.begin(attempt('home'), limits, now).waitFor, undefined)
    t.equal(limiter.begin(attempt('new'), limits, 50 * 60_000).waitFor, undefined)
  }
)

t.test('a success forgets the failures of its address, a day those of everybody', async (t) => {
  const limiter = makeAttemptLimiter()
  fail(limiter, 'a', 0)
  fail(limiter, 'a', 0)
  const right = limiter.begin(attempt('a'), limits, 0)
  if (right.waitFor === undefined) void right.succeed()
  for (const index of [1, 2, 3]) t.equal(fail(limiter, 'a', index), 0)
  t.not(fail(limiter, 'a', 4), 0)
  t.equal(fail(limiter, 'a', 2 * 86_400_000), 0)
})

t.test('other accounts and other kinds of attempts are counted by themselves', async (t) => {
  const limiter = makeAttemptLimiter()
  for (let index = 0; index < 3; index++) fail(limiter, 'a', 0)
  t.equal(fail(limiter, 'a', 0, { account: 'bob' }), 0)
  t.equal(fail(limiter, 'a', 0, { kind: 'confirm' }), 0)
  t.equal(fail(limiter, 'a', 0), 1)
})

t.test('of the counters of many accounts, the oldest are forgotten', async (t) => {
  const limiter = makeAttemptLimiter(10)
  for (let index = 0; index < 3; index++) fail(limiter, 'a', 0)
  for (let index = 0; index < 10; index++) fail(limiter, 'a', 0, { account: `other ${index}` })
  t.equal(fail(limiter, 'a', 0), 0)
})

t.test('an accident neither fails nor succeeds', async (t) => {
  const limiter = makeAttemptLimiter()
  const refuse = (waitFor: number): Error => new Error(`wait ${waitFor}`)
  const crash = (): Promise<undefined> => Promise.reject(new Error('no database'))
  for (let index = 0; index < 10; index++)
    await t.rejects(countAttempt(limiter.begin(attempt('a'), limits, 0), crash, refuse), { message: 'no database' })
  for (let index = 0; index < 3; index++)
    t.equal(await countAttempt(limiter.begin(attempt('a'), limits, 0), async () => undefined, refuse), undefined)
  await t.rejects(countAttempt(limiter.begin(attempt('a'), limits, 0), crash, refuse), { message: 'wait 1' })
})

t.test(
  'whatever the order of attempts, one address makes no more than the free ones and those it waited for',
  async () => {
    const steps = fc.array(fc.record({ address: fc.constantFrom('a', 'b'), pause: fc.integer({ min: 0, max: 5000 }) }))
    fc.assert(
      fc.property(steps, (list) => {
        const limiter = makeAttemptLimiter()
        const made = new Map<string, number>()
        let now = 0
        for (const { address, pause } of list) {
          now += pause
          if (fail(limiter, address, now) === 0) made.set(address, (made.get(address) ?? 0) + 1)
        }
        // Each attempt after the free ones waited at least a second.
        for (const count of made.values()) if (count > limits.failures + now / 1000) return false
        return true
      }),
      { numRuns: runs(200) }
    )
  }
)
