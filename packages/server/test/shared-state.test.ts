import { type FakeStore, makeFakeStore, takeTime, until } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { type Attempt, type AttemptLimiter, limitAttemptsIn } from '#src/shared/attempt-limiter.ts'
import { makeSharedState, type SharedState } from '#src/shared/shared-state.ts'

interface Process {
  readonly state: SharedState
  readonly warnings: string[]
  readonly news: string[]
}

/** Several processes that share a store. */
async function start(fake: FakeStore, count: number): Promise<Process[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const state = makeSharedState()
      const [warnings, news]: [string[], string[]] = [[], []]
      state.use(fake.join())
      await state.open({
        warn: (_data, message) => void warnings.push(message),
        info: (_data, message) => void news.push(message)
      })
      return { state, warnings, news }
    })
  )
}

const limits = { failures: 3, accountFailures: 6 }

const steps = fc.array(
  fc.record({
    account: fc.constantFrom('ann', 'bob'),
    address: fc.constantFrom('a', 'b', 'c'),
    pause: fc.constantFrom(0, 1, 999, 1000, 5000, 61_000, 86_400_001),
    outcome: fc.constantFrom('fail' as const, 'fail' as const, 'succeed' as const, 'takeBack' as const),
    countsAtOnce: fc.boolean()
  }),
  { maxLength: 40 }
)
type Steps = typeof steps extends fc.Arbitrary<infer List> ? List : never

async function waitsOf(limiters: readonly AttemptLimiter[], list: Steps): Promise<number[]> {
  const waits: number[] = []
  let now = Date.now()
  for (const [at, { pause, outcome, ...attempt }] of list.entries()) {
    now += pause
    const tried: Attempt = { kind: 'login', ...attempt }
    const begun = await limiters[at % limiters.length]?.begin(tried, limits, now)
    waits.push(begun?.waitFor ?? 0)
    if (begun?.waitFor === undefined) await begun?.[outcome]()
  }
  return waits
}

t.test('attempts at several processes wait as they would at one', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (list, count) => {
      const processes = await start(makeFakeStore(), count)
      const limiters = processes.map(({ state }) => limitAttemptsIn(state.cells))
      t.strictSame(await waitsOf(limiters, list), await waitsOf([limitAttemptsIn(makeSharedState().cells)], list))
    }),
    { numRuns: 100 }
  )
})

t.test('without a store nothing is shared', async (t) => {
  const state = makeSharedState()
  t.equal(state.isShared, false)
  t.equal(state.hasMessages, false)
  t.equal(state.facts, undefined)
  t.match(state.cells.count('a', 1000), { count: 1 })
  t.match(state.cells.count('a', 1000), { count: 2 })
  t.ok(await state.lease('x', 1000))
  t.equal(await state.lease('x', 1000), undefined)
  state.publish('topic', 'lost')
  await state.purge()
  await state.close()
})

t.test('hundred requests at three processes are a hundred', async (t) => {
  const processes = await start(makeFakeStore(), 3)
  const all = Array.from({ length: 99 }, async (_, at) => processes[at % 3]?.state.cells.count('rate', 60_000))
  const counts = (await Promise.all(all)).map((hits) => hits?.count)
  t.equal(new Set(counts).size, 99)
  t.equal((await processes[0]?.state.cells.count('rate', 60_000))?.count, 100)
})

t.test('while the store fails each process counts by itself, and says so once', async (t) => {
  const fake = makeFakeStore()
  const [one] = await start(fake, 2)
  if (one === undefined) return
  const { state, warnings, news } = one
  await state.cells.count('a', 60_000)
  fake.fails = true
  t.equal((await state.cells.count('a', 60_000)).count, 1, 'this process has not counted before')
  t.equal((await state.cells.count('a', 60_000)).count, 2)
  t.equal(await state.cells.change<number, number>('b', () => ({ result: 7, next: 7, lifetime: 1000 })), 7)
  t.strictSame(warnings, ['the shared state is unavailable: attempts and rates are counted per process'])
  const before = fake.asked
  await state.cells.count('a', 60_000)
  t.equal(fake.asked, before, 'a store that has just failed is left alone')
  fake.fails = false
  await until(async () => (await state.cells.count('a', 60_000)).count === 2, 'the shared count to go on')
  t.strictSame(news, ['the shared state is available again'])
  t.equal(warnings.length, 1)
})

t.test('facts and leases are refused while the store fails', async (t) => {
  const fake = makeFakeStore()
  const [one] = await start(fake, 1)
  fake.fails = true
  const refused = { code: 'SHARED_STATE_UNAVAILABLE', statusCode: 503 }
  await t.rejects(async () => one?.state.facts?.read('a'), refused)
  await t.rejects(async () => one?.state.facts?.swap('a', undefined, 'x', 1000), refused)
  await t.rejects(Promise.resolve(one?.state.lease('a', 1000)), refused)
})

t.test('a state is healthy while its store answers, or where there is none', async (t) => {
  const fake = makeFakeStore()
  const [one] = await start(fake, 1)
  await one?.state.check()
  fake.fails = true
  await t.rejects(async () => one?.state.check(), { code: 'SHARED_STATE_UNAVAILABLE' })
  await makeSharedState().check()
})

t.test('a store that does not answer has failed', async (t) => {
  const state = makeSharedState()
  state.use({ ...makeFakeStore().join(), read: () => new Promise(() => undefined) })
  await t.rejects(async () => state.facts?.read('a'), { code: 'SHARED_STATE_UNAVAILABLE' })
})

t.test('a value that others change every time is given up', async (t) => {
  const fake = makeFakeStore()
  const state = makeSharedState()
  state.use({ ...fake.join(), swap: () => Promise.resolve(false) })
  await t.rejects(Promise.resolve(state.lease('a', 1000)), { code: 'SHARED_STATE_UNAVAILABLE' })
})

t.test('messages reach the other processes, and a gap reaches all', async (t) => {
  const fake = makeFakeStore()
  const [one, other] = await start(fake, 2)
  const heard: (string | undefined)[] = []
  one?.state.listen('topic', (message) => heard.push(`one ${message}`))
  other?.state.listen('topic', (message) => heard.push(`other ${message}`))
  other?.state.listen('another topic', (message) => heard.push(`none ${message}`))
  one?.state.publish('topic', 'hello')
  await until(() => heard.length > 0, 'the message')
  await takeTime(5, 'in which a message could come to who sent it')
  t.strictSame(heard, ['other hello'])
  fake.loseMessages()
  t.strictSame(heard.slice(1).map(String).toSorted(), ['none undefined', 'one undefined', 'other undefined'])
  fake.fails = true
  one?.state.publish('topic', 'lost')
  await until(() => one?.warnings.length === 1, 'a warning')
  t.strictSame(one?.warnings, ['messages to other processes are lost'])
})

t.test('what no process of the application has sent is left out', async (t) => {
  const fake = makeFakeStore()
  const [one] = await start(fake, 1)
  const heard: (string | undefined)[] = []
  one?.state.listen('news', (message) => heard.push(message))
  const other = fake.join()
  for (const text of ['hello', 'null', '{}', '["a","news"]', '["a","news",1]', '["a","news","x"]'])
    await other.publish?.(text)
  t.strictSame(heard, ['x'])
  t.equal(one?.warnings.length, 5)
})

t.test('a lease that its holder does not renew is free when it is over', async (t) => {
  const [one, other] = await start(makeFakeStore(), 2)
  const lease = await one?.state.lease('work', 100)
  t.equal(await other?.state.lease('work', 100), undefined)
  t.ok(await until(() => other?.state.lease('work', 10_000), 'the lease to be free'))
  t.equal(await lease?.renew(1000), false)
  await lease?.release()
  t.equal(await one?.state.lease('work', 100), undefined, 'it is not given back by who held it before')
})

t.test('values of one process end with their time', async (t) => {
  const { cells } = makeSharedState()
  await cells.change<number, void>('a', () => ({ result: undefined, next: 1, lifetime: 20 }))
  const read = () => cells.change<number, number | undefined>('a', (value) => ({ result: value }))
  t.equal(read(), 1)
  await until(async () => (await read()) === undefined, 'the value to end')
  await cells.change<number, void>('b', () => ({ result: undefined, next: 1 }))
  await cells.change<number, void>('b', () => ({ result: undefined, next: null }))
  t.equal(
    cells.change<number, number | undefined>('b', (value) => ({ result: value })),
    undefined
  )
})
