import { until } from '@modelwire/test-waits'
import t from 'tap'
import { makeApp, statesOf } from '../make-app.ts'
import { startReceiver } from '../receiver.ts'

t.test('an endpoint that does not answer is given up after a time', async (t) => {
  const receiver = await startReceiver(t, () => () => {})
  const one = await makeApp(t, { timeout: 0.2, retries: [] })
  await one.app.webhooks.createEndpoint({ url: receiver.url })
  await one.app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
  t.match(await one.app.models.get('WebhookDelivery').findOne(), { error: 'no answer in time', status: null })
})

t.test('an answer that does not end is given up after a time; its status counts', async (t) => {
  let closed = 0
  const receiver = await startReceiver(t, () => (_request, response) => {
    response.on('close', () => closed++)
    response.writeHead(200).write('a')
  })
  const one = await makeApp(t, { timeout: 0.3, retries: [] })
  await one.app.webhooks.createEndpoint({ url: receiver.url })
  await one.app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'delivered', 'the delivery')
  await until(() => closed === 1, 'the connection to be closed')
})

t.test('of a huge answer little is read', async (t) => {
  const state = { sent: 0, isClosed: false }
  const receiver = await startReceiver(t, () => (_request, response) => {
    response.writeHead(500)
    const block = Buffer.alloc(65_536)
    const write = (): void => {
      while (!state.isClosed && response.write(block)) state.sent += block.length
    }
    response.on('drain', write)
    response.on('close', () => {
      state.isClosed = true
    })
    write()
  })
  const one = await makeApp(t, { timeout: 20, retries: [] })
  await one.app.webhooks.createEndpoint({ url: receiver.url })
  await one.app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
  await until(() => state.isClosed, 'the connection to be closed')
  t.ok(state.sent < 50_000_000, `${state.sent} bytes`)
  t.match(await one.app.models.get('WebhookDelivery').findOne(), { status: 500 })
})

t.test('an answer that is not HTTP is a failure', async (t) => {
  const receiver = await startReceiver(t, () => (request) => {
    request.socket.end('nonsense\r\n\r\n')
  })
  const one = await makeApp(t, { retries: [] })
  await one.app.webhooks.createEndpoint({ url: receiver.url })
  await one.app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
})

t.test('an endpoint that changes the protocol is a failure, and takes no place for good', async (t) => {
  const receiver = await startReceiver(t, () => (_request, response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: any\r\n\r\n')
  })
  const one = await makeApp(t, { retries: [] })
  await one.app.webhooks.createEndpoint({ url: receiver.url })
  await one.app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
})
