import { randomUUID } from 'node:crypto'
import { ModelRegistry, type CoreOptions, modelwire } from '@modelwire/core'
import { until } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import type { Test } from 'tap'
import type { Connector } from '@modelwire/core/connector'
import Fastify, { type FastifyInstance } from 'fastify'

type SharedStore = Exclude<CoreOptions['sharedState'], string | undefined>

type SharedState = ModelRegistry['shared']
type AttemptLimiter = ModelRegistry['attempts']
type Attempt = Parameters<AttemptLimiter['begin']>[0]

/** A process: its shared state, and the limiter of attempts on it. */
export type Process = Pick<ModelRegistry, 'shared' | 'attempts'>

const minute = 60_000

/** One attempt of a sequence. */
interface Step {
  readonly account: string
  readonly address: string
  /** Milliseconds since the one before. */
  readonly pause: number
  readonly outcome: 'fail' | 'succeed' | 'takeBack'
  readonly countsAtOnce: boolean
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    account: fc.constantFrom('ann', 'bob'),
    address: fc.constantFrom('home', 'work', 'bot'),
    pause: fc.constantFrom(0, 1, 900, 1000, 4000, minute, 86_400_001),
    outcome: fc.constantFrom<Step['outcome'][]>('fail', 'fail', 'fail', 'succeed', 'takeBack'),
    countsAtOnce: fc.boolean()
  }),
  { maxLength: 25 }
)

const limits = { failures: 3, accountFailures: 5 }

/** Carries out a sequence, each attempt by the next of the limiters, and gives the seconds that each had to wait. */
async function carryOut(
  limiters: readonly AttemptLimiter[],
  sequence: readonly Step[],
  kind: string
): Promise<number[]> {
  const waits: number[] = []
  let now = Date.now()
  for (const [at, { account, address, pause, outcome, countsAtOnce }] of sequence.entries()) {
    now += pause
    const attempt: Attempt = { kind, account, address, countsAtOnce }
    const begun = await limiters[at % limiters.length]?.begin(attempt, limits, now)
    waits.push(begun?.waitFor ?? 0)
    if (begun?.waitFor === undefined) await begun?.[outcome]()
  }
  return waits
}

async function countsAsOne(limiters: readonly AttemptLimiter[], numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const kind = randomUUID()
      const alone = await carryOut([new ModelRegistry().attempts], sequence, kind)
      return JSON.stringify(await carryOut(limiters, sequence, kind)) === JSON.stringify(alone)
    }),
    { numRuns }
  )
}

/** Each of many that come at once is counted, and none twice. */
async function countEach(t: Test, states: readonly SharedState[]): Promise<void> {
  const key = randomUUID()
  const each = Array.from({ length: 20 }, () => states.map(async ({ cells }) => cells.count(key, minute)))
  const hits = await Promise.all(each.flat())
  const counts = hits.map(({ count }) => count).toSorted((one, other) => one - other)
  t.strictSame(
    counts,
    Array.from({ length: 20 * states.length }, (_, at) => at + 1)
  )
  t.ok(hits.every(({ left }) => left > 0 && left <= minute))
}

/** Of many attempts at once, those that are free begin. */
async function limitsAtOnce(t: Test, limiters: readonly AttemptLimiter[]): Promise<void> {
  const attempt: Attempt = { kind: randomUUID(), account: 'ann', address: 'bot', countsAtOnce: true }
  const all = Array.from({ length: 10 }, () => limiters.map(async (limiter) => limiter.begin(attempt, limits)))
  const begun = await Promise.all(all.flat())
  t.equal(begun.filter(({ waitFor }) => waitFor === undefined).length, limits.failures)
}

/** A window begins anew when it is over. */
async function countsAnew(t: Test, [state]: readonly SharedState[]): Promise<void> {
  const key = randomUUID()
  await state?.cells.count(key, 200)
  t.equal((await state?.cells.count(key, 200))?.count, 2)
  await until(async () => (await state?.cells.count(key, 200))?.count === 1, 'the window to end')
}

async function leases(t: Test, states: readonly SharedState[]): Promise<void> {
  const name = randomUUID()
  const taken = await Promise.all([...states, ...states].map(async (state) => state.lease(name, minute)))
  const [lease, ...others] = taken.filter((one) => one !== undefined)
  t.equal(others.length, 0, 'one of all gets it')
  t.equal(await states[0]?.lease(name, minute), undefined)
  t.equal(await lease?.renew(300), true)
  const next = await until(() => states.at(-1)?.lease(name, minute), 'the lease to be over')
  t.equal(await lease?.renew(minute), false, 'it is over for its holder as well')
  await lease?.release()
  t.equal(await states[0]?.lease(name, minute), undefined, 'a lease of another holder is not given back')
  await next.release()
  t.ok(await states[0]?.lease(name, 1))
}

/**
 * What every kind of shared state does: it counts as one process would, whatever comes at once.
 * @param processes that share one store
 */
export async function sharedStateTests(t: Test, processes: readonly Process[], numRuns = 15): Promise<void> {
  const [states, limiters] = [processes.map(({ shared }) => shared), processes.map(({ attempts }) => attempts)]
  await countEach(t, states)
  await limitsAtOnce(t, limiters)
  await countsAnew(t, states)
  await leases(t, states)
  await countsAsOne(limiters, numRuns)
}

/** A shared state in the memory of this process, which fails once it is told to. */
export function makeMemoryStore(): { store: SharedStore; state: { fails: boolean } } {
  const values = new Map<string, { readonly value: string; readonly until: number }>()
  const state = { fails: false }
  const valueAt = (key: string): string | undefined => {
    if (state.fails) throw new Error('the store is away')
    const found = values.get(key)
    return found !== undefined && found.until > Date.now() ? found.value : undefined
  }
  const store: SharedStore = {
    name: 'memory',
    keepsFacts: true,
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
    read: async (key) => valueAt(key),
    async swap(key, from, to, lifetime) {
      if (valueAt(key) !== from) return false
      if (to === undefined) values.delete(key)
      else values.set(key, { value: to, until: Date.now() + lifetime })
      return true
    }
  }
  return { store, state }
}

async function serve(t: Test, connector: Connector): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, sharedState: 'db' })
  return app
}

/** What is counted in a transaction that is rolled back stays counted. */
async function outlivesRollback(t: Test, { models }: FastifyInstance): Promise<void> {
  const key = randomUUID()
  const failing = models.transaction(async () => {
    await models.shared.cells.count(key, 60_000)
    throw new Error('rolled back')
  })
  await t.rejects(failing, { message: 'rolled back' })
  t.equal((await models.shared.cells.count(key, 60_000)).count, 2)
}

/** Values whose time is over are removed, and no others. */
async function purges(t: Test, { models }: FastifyInstance): Promise<void> {
  const entries = models.get('SharedState')
  await entries.create({ id: 'over', value: '1', until: '0000000000001' })
  await models.shared.cells.count('kept', 60_000)
  await models.shared.purge()
  t.equal(await entries.findById('over'), null)
  t.ok(await entries.findById('kept'))
}

/**
 * The shared state of several servers in one database. The model `SharedState` is migrated in an empty place.
 * @param connectors of one database, each for a server of its own
 * @param writesBeside a transaction lets others write meanwhile
 */
export async function sharedRowsTests(t: Test, connectors: readonly Connector[], writesBeside = true): Promise<void> {
  const apps = await Promise.all(connectors.map((connector) => serve(t, connector)))
  const [first] = apps
  const [connector] = connectors
  if (first === undefined || connector === undefined) throw new TypeError('there must be a connector')
  await connector.migrate?.([first.models.typeOf('SharedState')], { empty: true })
  await Promise.all(apps.map((app) => app.ready()))
  await sharedStateTests(
    t,
    apps.map(({ models }) => models)
  )
  if (writesBeside && connector.capabilities.transactions) await outlivesRollback(t, first)
  await purges(t, first)
}
