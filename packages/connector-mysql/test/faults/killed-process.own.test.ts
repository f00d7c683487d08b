import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { mysql } from '@modelwire/connector-mysql'
import { checkLoad, sendLoad, spawnServer } from '@modelwire/connector-tests'
import t from 'tap'
import { createTestDatabase, whyNoServer } from '@modelwire/connector-tests/mysql'

const skip = await whyNoServer()

void t.test('a process that is killed under load has stored what it acknowledged', { skip }, async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const settings = { url: database.url, connectionLimit: 4 }
  const server = await spawnServer(join(import.meta.dirname, '../fixtures/serve.js'), settings)
  t.teardown(() => server.kill())
  const load = sendLoad(server.url)
  await load.success(10_000)
  await pause(Number(process.env['MODELWIRE_FAULT_TIME'] ?? 400))
  await server.kill()
  const report = await load.stop()
  t.ok(report.broken > 0, 'it was killed while requests were under way')
  await checkLoad(t, report, { connector: mysql(settings), allowed: [] })
})
