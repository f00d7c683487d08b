import { until } from '@modelwire/test-waits'
import t from 'tap'
import { holdCursor } from '#src/dispatch/cursor.ts'
import { startDispatcher } from '#src/dispatch/start-dispatcher.ts'
import { makeApp, statesOf } from '../make-app.ts'
import { startReceiver } from '../receiver.ts'

const facts = { source: 'other', lease: 60, begin: async () => 'start' }

t.test('one process holds a cursor, until its lease is over or it gives it back', async (t) => {
  const { app } = await makeApp(t)
  const { models } = app
  const [one, two] = [holdCursor(models, { ...facts, holder: 'one' }), holdCursor(models, { ...facts, holder: 'two' })]
  t.strictSame(await one.take(), { position: 'start', count: 0 })
  t.equal(await two.take(), undefined)
  t.ok(await one.take(), 'it makes its own lease longer')
  await models.get('WebhookCursor').updateAll({ id: 'other' }, { leaseUntil: new Date(Date.now() - 1) })
  t.ok(await two.take(), 'the lease of a killed process ends')
  t.equal(await one.take(), undefined)
  await two.release()
  t.ok(await one.take())
})

t.test('a cursor moves once from where it is, for its holder alone', async (t) => {
  const { app } = await makeApp(t)
  const { models } = app
  const [one, two] = [holdCursor(models, { ...facts, holder: 'one' }), holdCursor(models, { ...facts, holder: 'two' })]
  const from = await one.take()
  if (from === undefined) throw new Error('no cursor')
  t.notOk(await two.move(from, { position: 'a', count: 1 }), 'not by who lost the lease')
  t.ok(await one.move(from, { position: 'a', count: 1 }))
  t.notOk(await one.move(from, { position: 'b', count: 1 }), 'not from where it is no more')
})

t.test('two who hold the lease at the same time make each delivery once', async (t) => {
  const receiver = await startReceiver(t)
  const one = await makeApp(t, { run: false })
  const { app, log } = one
  const { models } = app
  await app.webhooks.createEndpoint({ url: receiver.url })
  const settings = { batchSize: 3, endpointsPerUser: 100, interval: 0.01, lease: 0.0001, maxPayload: 1000 }
  const parts = { registry: models, settings, log: app.log, onDeliveries: () => {} }
  await models.get('WebhookCursor').create({ id: 'db', position: '0', count: 0 })
  await models.get('Note').create(Array.from({ length: 100 }, (_, id) => ({ id: id + 1 })))
  const running = ['one', 'two', 'three'].map((holder) => startDispatcher('db', log, { ...parts, holder }))
  await until(async () => (await statesOf(one)).length === 100, 'deliveries')
  await Promise.all(running.map(async ({ stop }) => stop()))
  const deliveries = await models.get('WebhookDelivery').find({ order: 'sequence ASC' })
  const numbers = deliveries.map(({ sequence }) => sequence)
  t.strictSame(
    numbers,
    Array.from({ length: 100 }, (_, at) => at),
    'they are numbered in the order of the log'
  )
  const notes = deliveries.map(({ payload }) => JSON.parse(String(payload)).data.id)
  t.strictSame(
    notes,
    Array.from({ length: 100 }, (_, at) => at + 1)
  )
  t.match(await models.get('WebhookCursor').findById('db'), { position: '100', count: 100 })
})

t.test('where changes were purged that were not read, the log is read from its end', async (t) => {
  const lines: string[] = []
  const receiver = await startReceiver(t)
  const { app, log } = await makeApp(t, {}, { logs: (line) => lines.push(line) })
  await app.webhooks.createEndpoint({ url: receiver.url })
  const cursors = app.models.get('WebhookCursor')
  await until(async () => cursors.findById('db'), 'a cursor')
  await app.models.get('Note').create({ id: 1 })
  await until(() => receiver.arrived.length === 1, 'a message')
  await cursors.updateAll({ id: 'db' }, { position: '-1' })
  await until(() => lines.some((line) => line.includes('were purged from the log')), 'a line in the log')
  log.purge()
  await app.models.get('Note').create({ id: 2 })
  await until(() => receiver.arrived.length === 2, 'a message')
  t.match(receiver.messages()[1], { data: { id: 2 } })
})
