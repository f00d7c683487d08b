import { mysql } from '@modelwire/connector-mysql'
import { checkLoad, type Load, sendLoad, serveEntries } from '@modelwire/connector-tests'
import { type GaleraCluster, startGalera, whyNoGalera } from '@modelwire/connector-tests/mysql'
import { takeTime, until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'

const skip = whyNoGalera()

/** Milliseconds of load before and after what happens to a node. The long form of this test has more of them. */
const loadTime = Number(process.env['MODELWIRE_FAULT_TIME'] ?? 400)

/** Another transaction of the cluster came first, again and again. */
const conflict = '409 TRANSACTION_CONFLICT'
const unavailable = '503 DATA_SOURCE_UNAVAILABLE'

type Settings = Readonly<Record<string, unknown>>

/** Load on the first of three nodes. */
async function startLoad(t: Test, settings: Settings) {
  const { app, url } = await serveEntries(mysql(settings))
  t.teardown(() => app.close())
  const load = sendLoad(url)
  await load.success(10_000, 12)
  await takeTime(loadTime, 'load')
  return load
}

/** Writes go on, and what was acknowledged is there. */
async function finish(t: Test, load: Load, { settings, since }: { settings: Settings; since: number }): Promise<void> {
  await load.success(6000, 6)
  t.comment(`written again ${Math.round(performance.now() - since)} ms after it happened`)
  await takeTime(loadTime, 'load')
  const report = await load.stop()
  await checkLoad(t, report, { connector: mysql(settings), allowed: [unavailable, conflict] })
}

const first = ({ nodes: [node] }: GaleraCluster) => {
  if (node === undefined) throw new Error('the cluster has nodes')
  return node
}

void t.test('Galera nodes that come and go under load lose nothing', { skip, timeout: 120_000 }, async (t) => {
  const cluster = await startGalera()
  t.teardown(() => cluster.stop())
  const node = first(cluster)
  const hosts = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const settings = { url: `mysql://root@${hosts}/faults`, connectionLimit: 4, session: { wsrep_sync_wait: 1 } }

  await t.test('a node that is isolated is left alone, and used again once it is back', async (t) => {
    const load = await startLoad(t, settings)
    await node.isolate(true)
    await finish(t, load, { settings, since: performance.now() })
    const isolated = mysql({ ...settings, url: node.url.replace('/faults', ',127.0.0.1:1/faults') })
    await t.rejects(isolated.connect(), { code: 'DATA_SOURCE_UNAVAILABLE' })
    await node.isolate(false)
    await until(() => node.isSynced(), 'the node to join again', 30_000)
    await isolated.connect()
    await isolated.disconnect()
  })

  await t.test('one that is killed is replaced by another, and joins again without disturbing anybody', async (t) => {
    const load = await startLoad(t, settings)
    await node.kill()
    await load.success(6000, 6)
    await node.rejoin()
    await finish(t, load, { settings, since: performance.now() })
  })
})
