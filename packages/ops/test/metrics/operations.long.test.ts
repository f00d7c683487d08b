import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { ops } from '#src/index.ts'
import { makeApp, makeDatabase } from '../make-app.ts'
import { readMetrics, seriesOf, valueOf } from './read-metrics.ts'

void t.test('operations are counted by model, operation and status', async (t) => {
  const app = await makeApp(t, { metrics: true })
  await app.inject({ method: 'POST', url: '/api/Notes', payload: { text: 'a' } })
  for (const path of ['/api/Notes', '/api/Notes?x=1', '/api/Notes/9', '/api/Notes/8', '/api/nothing'])
    await app.inject(path)
  const { headers, payload } = await app.inject('/metrics')
  t.match(headers['content-type'], 'text/plain')
  const count = (operation: string, status: number): string | undefined =>
    valueOf(
      payload,
      `modelwire_operation_duration_seconds_count{model="Note",operation="${operation}",status="${status}"}`
    )
  t.equal(count('create', 200), '1')
  t.equal(count('find', 200), '2')
  t.equal(count('findById', 404), '2')
  t.equal(valueOf(payload, 'modelwire_data_source_up{data_source="db"}'), '1')
  t.match(payload, 'nodejs_eventloop_lag_seconds')
  t.match(payload, 'nodejs_eventloop_lag_p99_seconds')
  t.notMatch(payload, 'nothing', 'what a client makes up is no label')
})

void t.test('a data source that is down is 0', async (t) => {
  const database = makeDatabase()
  const app = await makeApp(t, { metrics: true, cache: 0 }, database)
  await app.ready()
  database.answer = async () => {
    throw new Error('gone')
  }
  t.equal(valueOf((await app.inject('/metrics')).payload, 'modelwire_data_source_up{data_source="db"}'), '0')
})

void t.test('clients of the API see no metrics unless an option says so', async (t) => {
  const app = await makeApp(t)
  t.equal((await app.inject('/metrics')).statusCode, 404)
  t.equal(app.metrics, undefined)
})

void t.test('two servers of a process have metrics of their own', async (t) => {
  const [first, second] = [await makeApp(t, { metrics: true }), await makeApp(t, { metrics: true })]
  await first.inject('/api/Notes')
  t.match((await first.inject('/metrics')).payload, 'operation="find"')
  t.notMatch((await second.inject('/metrics')).payload, 'operation="find"')
})

void t.test('durations are seconds, in buckets that add up', async (t) => {
  const app = await makeApp(t, { metrics: true })
  await app.inject('/api/Notes')
  await app.inject('/api/Notes')
  const text = await readMetrics(app)
  const name = 'modelwire_operation_duration_seconds'
  const labels = 'model="Note",operation="find",status="200"'
  t.equal(valueOf(text, `${name}_bucket{${labels},le="+Inf"}`), '2')
  t.equal(valueOf(text, `${name}_bucket{${labels},le="10"}`), '2')
  const sum = Number(valueOf(text, `${name}_sum{${labels}}`))
  t.ok(sum > 0 && sum < 2, `${sum} s`)
  app.metrics?.resetMetrics()
  t.equal(valueOf(await readMetrics(app), `${name}_count{${labels}}`), '0')
})

void t.test('two paths to an operation are one series', async (t) => {
  const app = await makeApp(t, { metrics: true })
  await app.register(rest, { prefix: '/v2' })
  await app.inject('/api/Notes')
  await app.inject('/v2/Notes')
  const labels = 'model="Note",operation="find",status="200"'
  t.equal(valueOf(await readMetrics(app), `modelwire_operation_duration_seconds_count{${labels}}`), '2')
})

void t.test('clients add no series, whatever they send', async (t) => {
  const app = await makeApp(t, { metrics: true })
  const ask = async (made: string): Promise<void> => {
    const headers = { 'x-request-id': made, 'x-made-up': made, 'content-type': 'application/json' }
    const payload = JSON.stringify({ text: made, [made]: made })
    await app.inject({ method: 'POST', url: `/api/Notes?${made}=1`, headers, payload })
    for (const url of [
      `/api/Notes/${made}`,
      `/api/Notes?filter=${encodeURIComponent(JSON.stringify({ where: { [made]: made } }))}`,
      `/api/${made}`,
      `/api/Notes/${made}/${made}`
    ])
      await app.inject({ url, headers })
    await app.inject({ method: 'PURGE' as 'GET', url: '/api/Notes', headers })
  }
  await ask('one')
  const before = seriesOf(await readMetrics(app), 'modelwire_')
  for (let at = 0; at < 20; at++) await ask(`made-up-${at}`)
  const after = await readMetrics(app)
  t.strictSame(seriesOf(after, 'modelwire_'), before)
  t.notMatch(after, 'made-up')
})

void t.test('requests that are refused before they are measured are counted', async (t) => {
  const app = Fastify()
  t.teardown(async () => app.close())
  app.addHook('onRequest', async () => {
    throw Object.assign(new Error('too many'), { statusCode: 503 })
  })
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'Note', public: true, properties: { text: 'string' } }]
  })
  await app.register(ops, { metrics: true })
  await app.register(rest, { prefix: '/api' })
  await app.inject('/api/Notes')
  await app.ready()
  const text = (await app.metrics?.metrics()) ?? ''
  const labels = 'model="Note",operation="find",status="503"'
  t.equal(valueOf(text, `modelwire_operation_duration_seconds_count{${labels}}`), '1')
  t.equal(valueOf(text, `modelwire_operation_duration_seconds_sum{${labels}}`), '0')
})

void t.test('work that keeps the event loop busy shows as its lag', async (t) => {
  const app = await makeApp(t, { metrics: true })
  await app.inject('/metrics')
  let lag = 0
  const block = async (): Promise<boolean> => {
    const end = performance.now() + 50
    while (performance.now() < end);
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    lag = Number(valueOf(await readMetrics(app), 'nodejs_eventloop_lag_max_seconds'))
    return lag > 0.03
  }
  await until(block, 'the lag to be seen')
  t.ok(lag < 60, `${lag} s`)
})
