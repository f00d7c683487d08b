import { mysql } from '@modelwire/connector-mysql'
import { checkLoad, sendLoad, serveEntries } from '@modelwire/connector-tests'
import { type GaleraCluster, startGalera, whyNoGalera } from '@modelwire/connector-tests/mysql'
import { takeTime, until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'

const skip = whyNoGalera()

/** Milliseconds of load before and after what happens to a node. The long form of this test has more of them. */
const loadTime = Number(process.env['MODELWIRE_FAULT_TIME'] ?? 400)

/** Another transaction of the cluster came first, again and again. */
const conflict = '409 TRANSACTION_CONFLICT'
const unavailable = '503 DATA_SOURCE_UNAVAILABLE'

/** Load on the first of three nodes, and what it came to. */
async function open(t: Test) {
  const cluster = await startGalera()
  t.teardown(() => cluster.stop())
  const hosts = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const settings = { url: `mysql://root@${hosts}/faults`, connectionLimit: 4, session: { wsrep_sync_wait: 1 } }
  const { app, url } = await serveEntries(mysql(settings))
  t.teardown(() => app.close())
  const load = sendLoad(url)
  await load.success(10_000, 12)
  await takeTime(loadTime, 'load')
  return { cluster, app, load, settings }
}

async function finish(t: Test, { load, settings }: Awaited<ReturnType<typeof open>>, since: number): Promise<void> {
  await load.success(5000, 6)
  t.comment(`written again ${Math.round(performance.now() - since)} ms after it happened`)
  await takeTime(loadTime, 'load')
  const report = await load.stop()
  await checkLoad(t, report, { connector: mysql(settings), allowed: [unavailable, conflict] })
}

const first = ({ nodes: [node] }: GaleraCluster) => {
  if (node === undefined) throw new Error('the cluster has nodes')
  return node
}

const options = { skip, timeout: 120_000 }

void t.test('a Galera node that is killed under load loses nothing, and another one is used', options, async (t) => {
  const place = await open(t)
  await first(place.cluster).kill()
  await finish(t, place, performance.now())
})

void t.test(
  'a Galera node that is isolated under load is left alone, and used again once it is back',
  options,
  async (t) => {
    const place = await open(t)
    const node = first(place.cluster)
    await node.isolate(true)
    await finish(t, place, performance.now())
    await t.rejects(mysql({ ...place.settings, url: node.url.replace('/faults', ',127.0.0.1:1/faults') }).connect(), {
      code: 'DATA_SOURCE_UNAVAILABLE'
    })
    await node.isolate(false)
    await until(() => node.isSynced(), 'the node to join again', 30_000)
    const connector = mysql({ ...place.settings, url: node.url })
    await connector.ping()
    await connector.disconnect()
  }
)

void t.test('a Galera node that is killed and joins again under load disturbs nobody', options, async (t) => {
  const place = await open(t)
  const node = first(place.cluster)
  await node.kill()
  await place.load.success(5000, 6)
  await node.rejoin()
  await finish(t, place, performance.now())
})
