import { openChangeStream, serverCall } from '@modelwire/core/plugin'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { makeApp } from '../make-app.ts'
import { readMetrics, valueOf } from './read-metrics.ts'

void t.test('change streams are counted by model: open ones, events, readers that were too slow', async (t) => {
  const app = await makeApp(t, { metrics: true }, undefined, { changeStreams: { waiting: 2 } })
  await app.ready()
  const count = async (name: string): Promise<string | undefined> =>
    valueOf(await readMetrics(app), `modelwire_change_${name}{model="Note"}`)
  const model = app.models.typeOf('Note')
  const [reader, slow] = [
    await openChangeStream(model, undefined, serverCall()),
    await openChangeStream(model, undefined, serverCall())
  ]
  slow.on('error', () => {})
  let read = 0
  reader.on('data', () => read++)
  t.equal(await count('streams_open'), '2')
  await app.models.get('Note').create({ text: 'a' })
  await until(() => read === 1, 'the reader to read the event')
  await until(async () => (await count('events_total')) === '2', 'two streams to get the event')
  t.equal(await count('readers_dropped_total'), '0')
  for (const text of ['b', 'c', 'd']) {
    const before = read
    await app.models.get('Note').create({ text })
    await until(() => read > before, 'the reader to read the event')
  }
  await until(async () => (await count('readers_dropped_total')) === '1', 'the slow reader to be dropped')
  await until(async () => (await count('streams_open')) === '1', 'its stream to be closed')
  reader.destroy()
  await until(async () => (await count('streams_open')) === '0', 'the other one to be closed')
})
