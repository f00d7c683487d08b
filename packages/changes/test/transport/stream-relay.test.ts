import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { StreamRelay } from '#src/transport/stream-relay.ts'
import { TransportHealth } from '#src/transport/through-transport.ts'
import { type FakeLog, fakeLog } from './fake-log.ts'
import { type FakeServer, fakeServer } from './fake-transport.ts'

/** A process that may fill the stream of a server, and what it reports. */
function openRelay(t: Test, log: FakeLog, server: FakeServer) {
  const [states, transportStates]: [unknown[], unknown[]] = [[], []]
  const relay = new StreamRelay({
    source: log,
    order: log.order,
    models: [],
    stream: server.transport.open('db'),
    health: new TransportHealth((error) => transportStates.push(error)),
    pollInterval: 5,
    onState: (error) => states.push(error)
  })
  relay.start()
  t.teardown(async () => relay.stop())
  return { relay, states, transportStates }
}

/** Positions in a stream, without those at which it begins. */
const positionsIn = ({ entries }: FakeServer): readonly string[] =>
  entries.filter(({ row }) => row !== undefined).map(({ texts }) => texts.position)

const untilFilled = async (log: FakeLog, server: FakeServer): Promise<void> => {
  const wanted = log.entries.map(({ position }) => position)
  await until(
    () => JSON.stringify(positionsIn(server)) === JSON.stringify(wanted),
    () => `${wanted.join(' ')} to be in the stream, not ${positionsIn(server).join(' ')}`
  )
}

t.test('one process fills the stream, and another one goes on when it is gone', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const [one, two] = [openRelay(t, log, server), openRelay(t, log, server)]
  await until(() => one.relay.isLeading || two.relay.isLeading, 'one to lead')
  await until(() => server.entries.length === 1, 'the stream to begin')
  log.commit(1200)
  await untilFilled(log, server)
  const [leader, other] = one.relay.isLeading ? [one, two] : [two, one]
  t.notOk(other.relay.isLeading)
  t.match(other.relay.reader, { log: 'log' }, 'the other one may read it')
  const { holder } = server
  await leader.relay.stop()
  t.not(server.holder, holder, 'the lease was given back')
  log.commit(3)
  await untilFilled(log, server)
  t.ok(other.relay.isLeading)
  t.same([...one.states, ...two.states, ...one.transportStates, ...two.transportStates], [])
})

t.test('a process that cannot reach the database lets another one fill the stream', async (t) => {
  const server = fakeServer()
  const [log, broken] = [fakeLog(), fakeLog()]
  const one = openRelay(t, broken, server)
  await until(() => server.entries.length === 1, 'the stream to begin')
  broken.error = new Error('it cannot be reached')
  const two = openRelay(t, log, server)
  await until(() => two.relay.isLeading, 'the other one to lead')
  t.equal(one.states.length, 1, 'it is said once')
  broken.error = undefined
  await two.relay.stop()
  await until(() => one.relay.isLeading, 'the first one to lead again')
  await until(() => one.states.length === 2, 'it to be said')
  t.equal(one.states[1], undefined)
})

t.test('a stream that takes no entries is not relied on, which is said once', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const { relay, transportStates } = openRelay(t, log, server)
  await until(() => server.entries.length === 1, 'the stream to begin')
  server.isFull = true
  log.commit(1)
  relay.touch()
  await until(() => transportStates.length > 0, 'it to be said')
  t.match(transportStates[0], { code: 'CHANGE_TRANSPORT_FAILED' })
  t.equal(relay.reader, undefined)
  server.isFull = false
  await untilFilled(log, server)
  await until(() => transportStates.length > 1, 'it to be said')
  t.same(transportStates.slice(1), [undefined])
  t.not(relay.reader, undefined)
})

t.test('where the log has lost what follows, the stream begins anew', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const first = openRelay(t, log, server)
  await until(() => server.entries.length === 1, 'the stream to begin')
  await first.relay.stop()
  log.commit(3)
  log.purgeAll()
  openRelay(t, log, server)
  await until(() => server.entries.length === 2, 'a second beginning')
  log.commit(2)
  await untilFilled(log, server)
  t.equal(server.entries[1]?.texts.kind, 'start')
})

for (const [what, identity] of [
  ['another log', 'other'],
  ['a log that went back', 'log']
] as const)
  t.test(`the stream of ${what} is emptied`, async (t) => {
    const server = fakeServer()
    const before = fakeLog(identity, 5)
    const first = openRelay(t, before, server)
    await until(() => server.entries.length === 1, 'the stream to begin')
    before.commit(3)
    await untilFilled(before, server)
    await first.relay.stop()
    const log = fakeLog('log', 1)
    openRelay(t, log, server)
    await until(() => server.entries.length === 1, 'the stream to begin anew')
    log.commit(2)
    await untilFilled(log, server)
    t.match(server.entries[0], { texts: { kind: 'start', log: 'log' } })
  })
