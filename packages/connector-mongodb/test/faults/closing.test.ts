import { postEntry, serveEntries } from '@modelwire/connector-tests'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

/** Sockets and timers that keep a process from ending, but for those of the test itself. */
const held = (): readonly string[] =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => kind === 'TCPSocketWrap' || kind === 'Timeout')
    .toSorted()

/** Resolves when so many are left: the events of what closes come a little later. */
async function untilHeld(wanted: number): Promise<void> {
  await until(
    () => held().length <= wanted,
    () => `${held().join()} to be ${wanted} at most`
  )
}

void t.test('an application that is closed while requests are open leaves no socket and no timer', async (t) => {
  const server = await startOwnServer()
  t.teardown(() => server.stop())
  const before = held().length
  const { app } = await serveEntries(mongodb({ url: `${server.url}/closing`, max: 4 }))
  t.equal((await postEntry(app, { id: 'a', serial: 1 })).statusCode, 200)
  const open = Array.from({ length: 12 }, (_, serial) => postEntry(app, { id: `b${serial}`, serial }))
  server.failNext('find', 'wait')
  const waiting = app.inject('/api/entries')
  await Promise.all([app.close(), ...open, waiting])
  for (const answer of await Promise.all(open)) t.ok([200, 503].includes(answer.statusCode), answer.body)
  await untilHeld(before)
})

void t.test('so does one whose database is not there', async (t) => {
  const server = await startOwnServer()
  await server.crash()
  const before = held().length
  const url = `${server.url}/closing`
  const unavailable = { code: 'DATA_SOURCE_UNAVAILABLE' }
  await t.rejects(serveEntries(mongodb({ url, connectTimeout: 200 })), unavailable)
  const lazy = mongodb({ url, connectTimeout: 200, lazyConnect: true })
  await t.rejects(lazy.ping(), unavailable)
  await lazy.disconnect()
  await untilHeld(before)
})
