import { memory } from '@modelwire/connector-memory'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { makeApp, statesOf } from '../make-app.ts'
import { startReceiver } from '../receiver.ts'

t.test('a message that was not accepted is sent again, under the same id', async (t) => {
  let count = 0
  const receiver = await startReceiver(t, () => (++count < 3 ? 500 : 200))
  const one = await makeApp(t)
  await one.app.webhooks.createEndpoint({ url: receiver.url })
  await one.app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'delivered', 'the delivery')
  t.equal(receiver.arrived.length, 3)
  t.equal(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.match(await one.app.models.get('WebhookDelivery').findOne(), { attempts: 3, status: 200, error: null })
  t.equal((await one.app.models.get('WebhookEndpoint').findOne())?.['failingSince'], null, 'it does not fail any more')
})

t.test('a delivery that fails too often is dead, and can be sent again', async (t) => {
  let isWell = false
  const receiver = await startReceiver(t, () => (isWell ? 200 : 503))
  const one = await makeApp(t)
  const { app } = one
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
  t.equal(receiver.arrived.length, 4, 'three retries')
  const delivery = await app.models.get('WebhookDelivery').findOne()
  t.match(delivery, { attempts: 4, status: 503, error: 'answered 503', finishedAt: Date })
  isWell = true
  const url = `/api/WebhookDeliveries/${String(delivery?.getId())}/retry`
  t.equal((await app.inject({ method: 'POST', url, headers: { user: '1' } })).statusCode, 401)
  t.equal((await app.inject({ method: 'POST', url, headers: { user: '9' } })).statusCode, 204)
  await until(async () => (await statesOf(one))[0] === 'delivered', 'the delivery')
  t.equal(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size, 1)
  await t.rejects(app.webhooks.retry('none'), { code: 'MODEL_NOT_FOUND' })
})

t.test('a delivery that is being sent is not sent again by hand', async (t) => {
  const receiver = await startReceiver(t, () => 500)
  const { app } = await makeApp(t, { retries: [3600] })
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  const delivery = await until(async () => app.models.get('WebhookDelivery').findOne(), 'a delivery')
  const url = `/api/WebhookDeliveries/${String(delivery.getId())}/retry`
  const answer = await app.inject({ method: 'POST', url, headers: { user: '9' } })
  t.match(answer.json(), { error: { statusCode: 409, code: 'WEBHOOK_DELIVERY_PENDING' } })
})

t.test('an endpoint that answers 410 is disabled', async (t) => {
  const receiver = await startReceiver(t, () => 410)
  const one = await makeApp(t)
  const { app } = one
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
  const endpoint = await until(
    async () => app.models.get('WebhookEndpoint').findOne({ where: { enabled: false } }),
    'the endpoint to be disabled'
  )
  t.equal(endpoint['disabledReason'], 'it answered 410')
  await app.models.get('Note').create({ id: 2 })
  await endpoint.patchAttributes({ enabled: true })
  t.equal(endpoint['disabledReason'], null)
  t.equal(receiver.arrived.length, 1)
})

t.test('an endpoint that fails for long is disabled, and what waits for it is dead', async (t) => {
  const receiver = await startReceiver(t, () => 500)
  const one = await makeApp(t, { disableAfter: 0.1, retries: Array.from({ length: 100 }, () => 0.02) })
  const { app } = one
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
  t.match(await app.models.get('WebhookEndpoint').findOne(), {
    enabled: false,
    disabledReason: /no message was accepted/
  })
  t.match(await app.models.get('WebhookDelivery').findOne(), { error: 'the endpoint is disabled' })
})

t.test('what waits for an endpoint that is removed is dead', async (t) => {
  const receiver = await startReceiver(t, () => 500)
  const one = await makeApp(t, { retries: Array.from({ length: 500 }, () => 0.05) })
  const { app } = one
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  await until(() => receiver.arrived.length > 0, 'an attempt')
  await app.models.get('WebhookEndpoint').destroyAll()
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
  t.match(await app.models.get('WebhookDelivery').findOne(), { error: 'the endpoint was removed' })
})

t.test('an endpoint that fails does not hold up others', async (t) => {
  const bad = await startReceiver(t, () => () => {})
  const good = await startReceiver(t)
  const { app } = await makeApp(t, { concurrency: 4, concurrencyPerEndpoint: 2, timeout: 5 })
  await app.webhooks.createEndpoint({ url: bad.url })
  await app.webhooks.createEndpoint({ url: good.url })
  await app.models.get('Note').create(Array.from({ length: 20 }, (_, id) => ({ id: id + 1 })))
  await until(() => good.arrived.length === 20, 'all messages of the good one')
  t.ok(bad.arrived.length <= 2)
})

t.test('a test message is sent at once', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t)
  const { endpoint } = await app.webhooks.createEndpoint({ url: receiver.url })
  const url = `/api/WebhookEndpoints/${String(endpoint.getId())}/test`
  t.equal((await app.inject({ method: 'POST', url, headers: { user: '1' } })).statusCode, 401)
  const answer = await app.inject({ method: 'POST', url, headers: { user: '9' } })
  t.equal(answer.statusCode, 200, answer.body)
  await until(() => receiver.arrived.length === 1, 'a message')
  t.match(receiver.messages(), [{ type: 'webhook.test', data: {} }])
  t.equal(receiver.arrived[0]?.headers['webhook-id'], answer.json().deliveryId)
  await t.rejects(app.webhooks.sendTest('none'), { code: 'MODEL_NOT_FOUND' })
})

t.test('old deliveries are removed', async (t) => {
  const receiver = await startReceiver(t)
  const one = await makeApp(t, { keep: 0.2 })
  const { app } = one
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  await until(() => receiver.arrived.length === 1, 'a message')
  await until(async () => (await statesOf(one)).length === 0, 'the delivery to be removed')
  t.equal(await app.webhooks.purgeDeliveries(new Date()), 0)
})

t.test('a server that closes waits for messages that are being sent', async (t) => {
  let answer: (() => void) | undefined
  const receiver = await startReceiver(t, () => (_request, response) => {
    answer = () => response.writeHead(204).end()
  })
  const connector = memory({ transactions: true })
  const { app } = await makeApp(t, {}, { connector })
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  await until(() => answer, 'a message')
  const closing = app.close()
  answer?.()
  await closing
  const { collection } = app.models.typeOf('WebhookDelivery')
  t.match(await collection?.find({ order: [], skip: 0 }), [{ state: 'delivered', status: 204 }])
})
