import type { Connector } from '@modelwire/core/connector'
import { takeTime } from '@modelwire/test-waits'
import type { Test } from 'tap'
import { checkLoad } from './check-load.ts'
import { sendLoad } from './send-load.ts'
import { spawnServer } from './spawn-server.ts'

type Settings = Readonly<Record<string, unknown>>

/** Checks that a server that is killed under load has stored what it acknowledged. @param file what calls `serveSpawned` */
export async function checkKilled(
  t: Test,
  file: string,
  create: (settings: Settings) => Connector,
  settings: Settings
): Promise<void> {
  const server = await spawnServer(file, settings)
  t.teardown(() => server.kill())
  const load = sendLoad(server.url)
  await load.success(10_000)
  await takeTime(Number(process.env['MODELWIRE_FAULT_TIME'] ?? 400), 'load')
  await server.kill()
  const report = await load.stop()
  t.ok(report.broken > 0, 'it was killed while requests were under way')
  await checkLoad(t, report, { connector: create(settings), allowed: [] })
}
