import { makeFakeStore, until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { makeSharedState, type SharedState } from '#src/shared/shared-state.ts'
import { type Purge, runPurges, type RunningPurges } from '#src/shared/purges.ts'

async function share(count: number): Promise<SharedState[]> {
  const fake = makeFakeStore()
  const states = Array.from({ length: count }, makeSharedState)
  for (const state of states) state.use(fake.join())
  await Promise.all(states.map((state) => state.open({ warn: () => undefined, info: () => undefined })))
  return states
}

interface Runs {
  count: number
  atOnce: number
  most: number
  end: () => void
}

/** A purge that goes on until `end` is called. */
function makePurge(): { purge: Purge; runs: Runs } {
  const ends: (() => void)[] = []
  const runs: Runs = { count: 0, atOnce: 0, most: 0, end: () => ends.splice(0).forEach((end) => end()) }
  const run = async (): Promise<void> => {
    runs.count++
    runs.most = Math.max(runs.most, ++runs.atOnce)
    await new Promise<void>((resolve) => ends.push(resolve))
    runs.atOnce--
  }
  return { purge: { name: 'work', run }, runs }
}

function startAll(t: Test, states: readonly SharedState[], purge: Purge, more: object = {}): RunningPurges[] {
  const log = { warn: () => undefined }
  const all = states.map((shared) => runPurges({ shared, purges: [purge], interval: 0, log, ...more }))
  t.teardown(() => Promise.all(all.map(({ stop }) => stop())))
  return all
}

t.test('one process at a time purges, however long that takes', async (t) => {
  const { purge, runs } = makePurge()
  const all = startAll(t, await share(3), purge, { leaseTime: 60, interval: 1000 })
  const rounds = all.map(({ round }) => round())
  await until(() => runs.count === 1, 'the purge to run')
  const begun = performance.now()
  // Several times the time of the lease, which is renewed.
  await until(() => performance.now() - begun > 250, 'some time')
  await Promise.all(all.slice(1).map(({ round }) => round()))
  t.equal(runs.most, 1)
  runs.end()
  await Promise.all(rounds)
  await Promise.all(all.map(({ round }) => round()))
  t.equal(runs.count, 1, 'once in an interval')
})

t.test('what fails is logged, and another purge and another round go on', async (t) => {
  const warnings: object[] = []
  const ran: string[] = []
  const failing: Purge = { name: 'failing', run: () => Promise.reject(new Error('no database')) }
  const good: Purge = { name: 'good', run: () => ran.push('good') }
  const purging = runPurges({
    shared: makeSharedState(),
    purges: [failing, good],
    interval: 1,
    log: { warn: (data, message) => void warnings.push({ ...data, message }) }
  })
  await until(() => ran.length > 2, 'further rounds')
  await purging.stop()
  t.match(warnings[0], {
    purge: 'failing',
    err: { message: 'no database' },
    message: 'expired data could not be removed'
  })
  t.ok(warnings.length > 1)
})
