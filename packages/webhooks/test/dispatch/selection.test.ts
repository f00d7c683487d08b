import { until } from '@modelwire/test-waits'
import t from 'tap'
import { makeApp, noteModel } from '../make-app.ts'
import { startReceiver } from '../receiver.ts'

const things = [
  noteModel,
  { name: 'Order', properties: { id: { type: 'number', id: true, generated: false }, total: 'number' } },
  { name: 'BigOrder', base: 'Order', properties: {} }
]

t.test('an endpoint names models, those that extend them included', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, { concurrencyPerEndpoint: 1 }, { models: things })
  await app.webhooks.createEndpoint({ url: receiver.url, models: ['Order'] })
  await app.models.get('Note').create({ id: 1 })
  await app.models.get('Order').create({ id: 2, total: 1 })
  await app.models.get('BigOrder').create({ id: 3, total: 1000 })
  await until(() => receiver.arrived.length === 2, 'two messages')
  t.match(receiver.messages(), [
    { type: 'order.created', data: { id: 2 } },
    { type: 'bigOrder.created', data: { id: 3 } }
  ])
})

t.test('an endpoint names kinds of changes, and a condition', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, { concurrencyPerEndpoint: 1 }, { models: things })
  const condition = { total: { gt: 10 } }
  await app.webhooks.createEndpoint({ url: receiver.url, models: ['Order'], kinds: ['updated', 'deleted'], condition })
  const Order = app.models.get('Order')
  const [small, big] = [await Order.create({ id: 1, total: 1 }), await Order.create({ id: 2, total: 20 })]
  await small.patchAttributes({ total: 2 })
  await big.patchAttributes({ total: 30 })
  await small.destroy()
  await big.destroy()
  await until(() => receiver.arrived.length === 2, 'two messages')
  t.match(receiver.messages(), [
    { type: 'order.updated', data: { id: 2, total: 30 } },
    { type: 'order.deleted', data: { id: 2 } }
  ])
  t.strictSame(receiver.messages()[1]?.data, { id: 2 }, 'of what is deleted the id is sent alone')
})

t.test('an endpoint that is not enabled hears nothing', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, { concurrencyPerEndpoint: 1 })
  const { endpoint } = await app.webhooks.createEndpoint({ url: receiver.url, enabled: false })
  const cursors = app.models.get('WebhookCursor')
  await app.models.get('Note').create({ id: 1 })
  await until(async () => (await cursors.findById('db'))?.['position'] === '1', 'the log to be read')
  await endpoint.patchAttributes({ enabled: true })
  await app.models.get('Note').create({ id: 2 })
  await until(() => receiver.arrived.length === 1, 'a message')
  t.match(receiver.messages(), [{ data: { id: 2 } }])
})

t.test('of a record that is too long the id is sent alone', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, { maxPayload: 300, concurrencyPerEndpoint: 1 })
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1, text: 'x'.repeat(100) })
  await app.models.get('Note').create({ id: 2, text: 'ä'.repeat(150) })
  await until(() => receiver.arrived.length === 2, 'two messages')
  t.equal(receiver.messages()[0]?.data['text'], 'x'.repeat(100))
  t.strictSame(receiver.messages()[1]?.data, { id: 2 })
})

t.test('protected properties are not sent', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, {}, { models: [{ ...noteModel, protected: ['text'] }] })
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1, text: 'protected', price: 3 })
  await until(() => receiver.arrived.length === 1, 'a message')
  t.strictSame(receiver.messages()[0]?.data, { id: 1, price: 3 })
})

t.test('many large messages are stored a part at a time', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, { maxPayload: 1_000_000, concurrencyPerEndpoint: 20 })
  await Promise.all(Array.from({ length: 4 }, async () => app.webhooks.createEndpoint({ url: receiver.url })))
  const text = 'x'.repeat(900_000)
  await app.models.get('Note').create(Array.from({ length: 6 }, (_, id) => ({ id: id + 1, text })))
  await until(() => receiver.arrived.length === 24, 'all messages')
  t.equal(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size, 24)
  t.match(await app.models.get('WebhookCursor').findById('db'), { position: '6', count: 24 })
})
