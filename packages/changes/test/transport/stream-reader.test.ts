import { runs } from '@modelwire/test-waits'
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import t from 'tap'
import { writePlace } from '#src/transport/change-transport.ts'
import { StreamFiller } from '#src/transport/stream-relay.ts'
import { StreamReader } from '#src/transport/stream-reader.ts'
import { TransportHealth } from '#src/transport/through-transport.ts'
import { type FakeLog, fakeLog, knowing } from './fake-log.ts'
import { type FakeServer, fakeServer } from './fake-transport.ts'

const models = ['Item', 'Order']
const self = { log: 'log', token: 'a', version: 'all' }

/** A process that reads everything that there is, again and again. */
async function openReader(log: FakeLog, server: FakeServer) {
  const states: unknown[] = []
  const health = new TransportHealth((error) => states.push(error))
  const parts = { source: log, order: log.order, stream: server.transport.open('db'), health }
  const reader = new StreamReader({ ...parts, self: () => (health.isDown ? undefined : self) })
  let position = await reader.latest()
  const heard: string[] = []
  const look = async (limit = 3): Promise<void> => {
    for (;;) {
      const page = await reader.read(position, limit)
      position = page.at(-1)?.position ?? position
      heard.push(...page.map((entry) => entry.position))
      if (page.length === 0) return
    }
  }
  return { reader, health, look, heard, states }
}

/** A process that fills a stream as long as there is something to fill it with. */
async function fillFrom(log: FakeLog, server: FakeServer, version = 'all'): Promise<void> {
  const candidate = { token: `${version}-token`, version }
  server.holder = candidate
  const source = version === 'all' ? log : knowing(log, ['Item'])
  const filler = new StreamFiller({
    source,
    order: log.order,
    stream: server.transport.open('db'),
    candidate,
    log: 'log'
  })
  while ((await filler.fill()) !== 'complete');
}

const positionsOf = (log: FakeLog): readonly string[] => log.entries.map(({ position }) => position)

t.test('changes come from the stream, and the log is left alone', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const { look, heard } = await openReader(log, server)
  await fillFrom(log, server)
  log.commit(7)
  await fillFrom(log, server)
  const before = log.reads()
  await look()
  await look()
  t.same(heard, positionsOf(log))
  t.equal(log.reads(), before)
})

t.test('what is before the stream is read from the log, once', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const { look, heard } = await openReader(log, server)
  log.commit(2)
  await fillFrom(log, server)
  await look()
  t.same(heard, positionsOf(log))
  const before = log.reads()
  await look()
  log.commit(2)
  await fillFrom(log, server)
  const filled = log.reads()
  await look()
  t.same(heard, positionsOf(log))
  t.equal(log.reads(), filled, 'the stream is gone on with')
  t.ok(before > 0)
})

t.test('an entry without its row is read from the log', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const { look, heard } = await openReader(log, server)
  await fillFrom(log, server)
  server.maxBytes = 5
  log.commit(3)
  await fillFrom(log, server)
  t.equal(server.entries.at(-1)?.row, undefined)
  await look()
  t.same(heard, positionsOf(log))
})

t.test('entries that the stream has lost are read from the log', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const { look, heard } = await openReader(log, server)
  await fillFrom(log, server)
  log.commit(6)
  await fillFrom(log, server)
  server.entries.splice(0, 4)
  await look()
  t.same(heard, positionsOf(log))
})

t.test('who reads on from an earlier change gets all up to what the process has heard of', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const { reader, look, health } = await openReader(log, server)
  await fillFrom(log, server)
  log.commit(2)
  await fillFrom(log, server)
  await look()
  log.commit(2)
  health.failed(new Error('the stream is behind'))
  await look()
  health.works()
  const found = await reader.read(writePlace([1, 1]), 10)
  const rest = await reader.read(found.at(-1)?.position ?? '', 10)
  t.same(
    [...found, ...rest].map(({ position }) => position),
    positionsOf(log).slice(1)
  )
})

t.test('a position that is none of the log, or was purged, is refused', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const { reader } = await openReader(log, server)
  log.commit(2)
  await fillFrom(log, server)
  log.purgeAll()
  await t.rejects(reader.read(writePlace([0, 5]), 1), { code: 'LOG_POSITION_UNKNOWN' })
  await t.rejects(reader.read('other', 1), { code: 'LOG_POSITION_UNKNOWN' })
})

t.test('where the stream fails, the log is read, and it is said once', async (t) => {
  const [log, server] = [fakeLog(), fakeServer()]
  const { look, heard, states, health } = await openReader(log, server)
  await fillFrom(log, server)
  server.isDown = true
  for (let turn = 0; turn < 3; turn += 1) {
    log.commit(2)
    await look()
  }
  t.same(heard, positionsOf(log))
  t.match(states, [{ code: 'CHANGE_TRANSPORT_FAILED' }])
  server.isDown = false
  health.works()
  log.commit(2)
  await fillFrom(log, server)
  const before = log.reads()
  await look()
  t.same(heard, positionsOf(log))
  t.same(states.slice(1), [undefined])
  t.ok(log.reads() - before <= 2, 'the stream is read again')
})

/** What can happen to a log, its stream, and those who fill and read it. */
const events: Readonly<Record<string, (rig: { log: FakeLog; server: FakeServer }) => Promise<void> | void>> = {
  commit: ({ log }) => log.commit(3, models),
  commitMany: ({ log }) => log.commit(20, models),
  fill: async ({ log, server }) => (server.isDown ? undefined : fillFrom(log, server)),
  fillByOlderVersion: async ({ log, server }) => (server.isDown ? undefined : fillFrom(log, server, 'old')),
  trim: ({ server }) => void server.entries.splice(0, 4),
  lose: ({ server }) => server.forget(),
  fail: ({ server }) => void (server.isDown = true),
  recover: ({ server }) => void (server.isDown = false),
  shrink: ({ server }) => void (server.maxBytes = server.maxBytes === 5 ? 1000 : 5)
}

t.test('whatever happens, each change is read once and in order', async (t) => {
  const usual = fc.constantFrom('commit', 'fill', 'look')
  const step = fc.oneof(
    { weight: 3, arbitrary: usual },
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(events)) }
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const [log, server] = [fakeLog(), fakeServer()]
      const { look, heard, health } = await openReader(log, server)
      for (const name of steps) {
        if (name === 'look') await look()
        else await events[name]?.({ log, server })
        if (!server.isDown) health.works()
      }
      server.isDown = false
      log.commit(2, models)
      await fillFrom(log, server)
      health.works()
      await look()
      assert.deepStrictEqual(heard, positionsOf(log))
    }),
    { numRuns: runs(500) }
  )
  t.pass('for every course of events')
})
