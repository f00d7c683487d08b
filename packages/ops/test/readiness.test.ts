import { makeMemoryStore } from '@modelwire/connector-tests'
import t from 'tap'
import { makeApp, makeDatabase } from './make-app.ts'
import { readMetrics, valueOf } from './metrics/read-metrics.ts'

void t.test('a server that runs is live, and ready while its data sources answer', async (t) => {
  const database = makeDatabase()
  const app = await makeApp(t, { cache: 0 }, database)
  const [live, ready] = [await app.inject('/live'), await app.inject('/ready')]
  t.equal(live.statusCode, 200)
  t.strictSame(live.json(), { status: 'live' })
  t.equal(ready.statusCode, 200)
  t.strictSame(ready.json(), { status: 'ready', dataSources: { db: 'up' } })
  t.equal(ready.headers['cache-control'], 'no-store')
  database.answer = async () => {
    throw new Error('password authentication failed for user "shop"')
  }
  const down = await app.inject('/ready')
  t.equal(down.statusCode, 503)
  t.strictSame(down.json(), { status: 'unavailable', dataSources: { db: 'down' } }, 'and does not tell why')
  t.equal((await app.inject('/live')).statusCode, 200, 'a database that is down is no reason to start anew')
  database.answer = async () => {}
  t.equal((await app.inject('/ready')).statusCode, 200)
})

void t.test('a data source that does not answer in time is down', async (t) => {
  const database = makeDatabase()
  const app = await makeApp(t, { timeout: 0.02, cache: 0 }, database)
  await app.ready()
  database.answer = async () => new Promise(() => {})
  t.strictSame((await app.inject('/ready')).json(), { status: 'unavailable', dataSources: { db: 'down' } })
})

void t.test('requests at once, and soon after each other, ask data sources once', async (t) => {
  const database = makeDatabase()
  const app = await makeApp(t, { cache: 3600 }, database)
  await app.ready()
  database.pings = 0
  await Promise.all(Array.from({ length: 20 }, async () => app.inject('/ready')))
  await app.inject('/ready')
  t.equal(database.pings, 1)
})

void t.test('a data source that was closed is down', async (t) => {
  const app = await makeApp(t, { cache: 0 })
  await app.ready()
  await app.models.dataSources.get('db')?.connection.close()
  t.equal((await app.inject('/ready')).statusCode, 503)
})

void t.test('a shared state that is away is named: requests go on without it', async (t) => {
  const { store, state } = makeMemoryStore()
  const app = await makeApp(t, { metrics: true, cache: 0 }, makeDatabase(), { sharedState: store })
  const up = { status: 'ready', dataSources: { db: 'up' }, sharedState: { memory: 'up' } }
  const gauge = async (): Promise<string | undefined> =>
    valueOf(await readMetrics(app), 'modelwire_shared_state_up{store="memory"}')
  t.strictSame((await app.inject('/ready')).json(), up)
  t.equal(await gauge(), '1')
  state.fails = true
  const down = await app.inject('/ready')
  t.equal(down.statusCode, 200)
  t.strictSame(down.json(), { ...up, sharedState: { memory: 'down' } })
  t.equal(await gauge(), '0')
  t.equal((await app.inject('/api/Notes')).statusCode, 200)
  state.fails = false
  t.strictSame((await app.inject('/ready')).json(), up)
})

void t.test('a transport of changes that fails is named: the log of the database is read without it', async (t) => {
  const app = await makeApp(t, { metrics: true, cache: 0 })
  const check = async (): Promise<never> => Promise.reject(new Error('no connection'))
  app.models.addHealthCheck({ kind: 'changeTransports', name: 'db', check })
  const answer = { status: 'ready', dataSources: { db: 'up' }, changeTransports: { db: 'down' } }
  t.strictSame((await app.inject('/ready')).json(), answer)
  t.equal(valueOf(await readMetrics(app), 'modelwire_change_transport_up{data_source="db"}'), '0')
})

void t.test('the paths may have a prefix', async (t) => {
  const app = await makeApp(t, { basePath: '/ops' })
  t.equal((await app.inject('/ops/ready')).statusCode, 200)
  t.equal((await app.inject('/ready')).statusCode, 404)
})

void t.test('options that are wrong are refused', async (t) => {
  for (const wrong of [{ port: -1 }, { basePath: '/ops/' }, { timeout: 0 }, { ports: 1 }])
    await t.rejects(makeApp(t, wrong as object), { code: 'OPTION_INVALID' }, JSON.stringify(wrong))
})
