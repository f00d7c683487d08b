import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { type Attempt, type AttemptLimiter, countAttempt, limitAttemptsIn } from '#src/shared/attempt-limiter.ts'
import { makeLocalCells } from '#src/shared/cells.ts'

const limits = { failures: 3, accountFailures: 6 }
const attempt = (address: string, more: Partial<Attempt> = {}): Attempt => ({
  kind: 'login',
  account: 'ann',
  address,
  countsAtOnce: true,
  ...more
})

const makeLimiter = (size = 1000): AttemptLimiter => limitAttemptsIn(makeLocalCells(size))

async function fail(
  limiter: AttemptLimiter,
  address: string,
  now: number,
  more: Partial<Attempt> = {}
): Promise<number> {
  const begun = await limiter.begin(attempt(address, more), limits, now)
  if (begun.waitFor === undefined) await begun.fail()
  return begun.waitFor ?? 0
}

async function succeed(limiter: AttemptLimiter, address: string): Promise<void> {
  const begun = await limiter.begin(attempt(address), limits, 0)
  if (begun.waitFor === undefined) await begun.succeed()
}

t.test(
  'after some failures each further attempt waits twice as long as the one before, a quarter of an hour at most',
  async (t) => {
    const limiter = makeLimiter()
    let now = 0
    const waits: number[] = []
    while (waits.length < 16) {
      const wait = await fail(limiter, 'a', now)
      now += wait * 1000
      if (wait > 0) await fail(limiter, 'a', now)
      waits.push(wait)
    }
    t.strictSame(waits.slice(0, 7), [0, 0, 0, 1, 2, 4, 8])
    t.equal(Math.max(...waits), 900)
  }
)

t.test('attempts that run at the same time count before they have failed', async (t) => {
  const limiter = makeLimiter()
  const begun = await Promise.all(Array.from({ length: 20 }, () => limiter.begin(attempt('a'), limits, 0)))
  t.equal(begun.filter(({ waitFor }) => waitFor === undefined).length, 3)
})

t.test('those of programs do not', async (t) => {
  const limiter = makeLimiter()
  const program = attempt('a', { countsAtOnce: false })
  const begun = await Promise.all(Array.from({ length: 20 }, () => limiter.begin(program, limits, 0)))
  t.equal(begun.filter(({ waitFor }) => waitFor === undefined).length, 20)
})

t.test(
  'failures of many addresses hold up a new one for a minute at most, and none that was right before',
  async (t) => {
    const limiter = makeLimiter()
    await succeed(limiter, 'home')
    for (let index = 0; index < 50; index++) await fail(limiter, `bot ${index}`, index * 60_000)
    const now = 50 * 60_000 - 59_000
    t.match(await limiter.begin(attempt('new'), limits, now), { waitFor: Number })
    t.match(await limiter.begin(attempt('home'), limits, now), { waitFor: undefined })
    t.match(await limiter.begin(attempt('new'), limits, 50 * 60_000), { waitFor: undefined })
  }
)

t.test('a success forgets the failures of its address, a day those of everybody', async (t) => {
  const limiter = makeLimiter()
  await fail(limiter, 'a', 0)
  await fail(limiter, 'a', 0)
  await succeed(limiter, 'a')
  for (const index of [1, 2, 3]) t.equal(await fail(limiter, 'a', index), 0)
  t.not(await fail(limiter, 'a', 4), 0)
  t.equal(await fail(limiter, 'a', 2 * 86_400_000), 0)
})

t.test('other accounts and other kinds of attempts are counted by themselves', async (t) => {
  const limiter = makeLimiter()
  for (let index = 0; index < 3; index++) await fail(limiter, 'a', 0)
  t.equal(await fail(limiter, 'a', 0, { account: 'bob' }), 0)
  t.equal(await fail(limiter, 'a', 0, { kind: 'confirm' }), 0)
  t.equal(await fail(limiter, 'a', 0), 1)
})

t.test('of the counters of many accounts, the oldest are forgotten', async (t) => {
  const limiter = makeLimiter(10)
  for (let index = 0; index < 3; index++) await fail(limiter, 'a', 0)
  for (let index = 0; index < 10; index++) await fail(limiter, 'a', 0, { account: `other ${index}` })
  t.equal(await fail(limiter, 'a', 0), 0)
})

t.test('an accident neither fails nor succeeds', async (t) => {
  const limiter = makeLimiter()
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
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const limiter = makeLimiter()
        const made = new Map<string, number>()
        let now = 0
        for (const { address, pause } of list) {
          now += pause
          if ((await fail(limiter, address, now)) === 0) made.set(address, (made.get(address) ?? 0) + 1)
        }
        // Each attempt after the free ones waited at least a second.
        for (const count of made.values()) if (count > limits.failures + now / 1000) return false
        return true
      }),
      { numRuns: runs(200) }
    )
  }
)
