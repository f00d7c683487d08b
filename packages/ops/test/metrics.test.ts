import t from 'tap'
import { makeApp, makeDatabase } from './make-app.ts'

/** The value of a line of metrics, by its name and labels. */
const valueOf = (text: string, line: string): string | undefined =>
  text
    .split('\n')
    .find((each) => each.startsWith(`${line} `))
    ?.slice(line.length + 1)

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
