import { mongodb } from '@modelwire/connector-mongodb'
import { checkLoad, type EntryServer, sendLoad, serveEntries } from '@modelwire/connector-tests'
import { startMongod, startOwnServer, whyNoMongod } from '@modelwire/connector-tests/mongodb'
import { takeTime } from '@modelwire/test-waits'
import t, { type Test } from 'tap'

/** Milliseconds of load before and after the kill. */
const loadTime = Number(process.env['MODELWIRE_FAULT_TIME'] ?? 400)
const unavailable = '503 DATA_SOURCE_UNAVAILABLE'

/** A server that can be ended without letting it do anything more, and started again with what it stored. */
interface Killable {
  readonly url: string
  readonly crash: () => Promise<void>
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Load of which so many entries are acknowledged. */
async function loadOf({ url }: EntryServer, count: number) {
  const load = sendLoad(url)
  while (load.report.acknowledged.size < count) await load.success(20_000)
  await takeTime(loadTime, 'load')
  return load
}

async function checkRestart(t: Test, server: Killable, settings: object): Promise<void> {
  t.teardown(() => server.stop())
  const given = { url: server.url, max: 4, connectTimeout: 1000, ...settings }
  const entries = await serveEntries(mongodb(given))
  t.teardown(() => entries.app.close())
  const load = await loadOf(entries, 1000)
  await server.crash()
  await load.answered(unavailable, 20_000)
  await server.restart()
  await load.success(30_000)
  await takeTime(loadTime, 'load')
  const report = await load.stop()
  t.ok((report.answers.get(unavailable) ?? 0) > 0, 'requests were told that the database was away')
  await checkLoad(t, report, { connector: mongodb(given), allowed: [unavailable] })
}

void t.test('a server that breaks off and comes back under load lets nobody wait', { timeout: 240_000 }, async (t) =>
  checkRestart(t, await startOwnServer(), {})
)

// A single server acknowledges before its journal is written, unless it is asked to wait.
const skip = await whyNoMongod()
void t.test(
  'MongoDB that is killed and started again under load loses nothing',
  { skip, timeout: 240_000 },
  async (t) => checkRestart(t, await startMongod(), { journal: true })
)
