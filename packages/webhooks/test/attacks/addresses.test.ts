import type { LookupAddress } from 'node:dns'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import type { WebhooksOptions } from '#src/index.ts'
import { createPoster } from '#src/delivery/post-message.ts'
import { makeApp, statesOf } from '../make-app.ts'
import { startReceiver } from '../receiver.ts'

const strict: WebhooksOptions = { allowedHosts: [] }

/** Names that lead to these addresses. */
const leadingTo =
  (...found: readonly string[]): NonNullable<WebhooksOptions['lookup']> =>
  (_name, _options, callback) => {
    const addresses: LookupAddress[] = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    callback(null, addresses)
  }

t.test('an endpoint at a private address is refused when it is created', async (t) => {
  const { app } = await makeApp(t, strict)
  const urls = [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://0.0.0.0/',
    'http://hooks.example/',
    'https://hooks.example:22/',
    'https://hooks.example:6379/',
    'https://me:secret@hooks.example/',
    'ftp://hooks.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'hooks.example'
  ]
  for (const url of urls) {
    const request = { method: 'POST', url: '/api/WebhookEndpoints', headers: { user: '9' }, payload: { url } } as const
    t.match((await app.inject(request)).json(), { error: { statusCode: 422, code: 'WEBHOOK_ADDRESS_REFUSED' } }, url)
  }
  for (const url of ['https://hooks.example/', 'https://hooks.example:8443/a?b=c', 'https://8.8.8.8/'])
    t.ok(await app.webhooks.createEndpoint({ url }), url)
})

/** Counts connections to this machine. */
async function countConnections(t: Test): Promise<{ port: number; count: () => number }> {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.destroy()
  })
  server.listen(0)
  await once(server, 'listening')
  t.teardown(() => server.close())
  // A server that listens on a port has an address.
  return { port: (server.address() as AddressInfo).port, count: () => count }
}

t.test('a name that leads to a private address is not connected to', async (t) => {
  const { port, count } = await countConnections(t)
  for (const addresses of [
    ['127.0.0.1'],
    ['::1'],
    ['169.254.169.254'],
    ['8.8.8.8', '127.0.0.1'],
    ['::ffff:127.0.0.1']
  ]) {
    const one = await makeApp(t, { ...strict, ports: [port], lookup: leadingTo(...addresses), retries: [] })
    const { app } = one
    await app.webhooks.createEndpoint({ url: `https://hooks.example:${port}/` })
    await app.models.get('Note').create({ id: 1 })
    await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
    t.match(await app.models.get('WebhookDelivery').findOne(), { error: /private address/ }, addresses.join())
  }
  t.equal(count(), 0)
})

t.test('an address that was stored before it was refused is not connected to', async (t) => {
  const { port, count } = await countConnections(t)
  const one = await makeApp(t, { ...strict, ports: [port], retries: [] })
  const { app } = one
  await app.webhooks.createEndpoint({ url: `https://hooks.example:${port}/` })
  await app.models.typeOf('WebhookEndpoint').collection?.update(undefined, { url: `https://127.0.0.1:${port}/` })
  await app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
  t.equal(count(), 0)
})

t.test(
  'a name is looked up for each connection, and the address that was checked is the one connected to',
  async (t) => {
    const { port, count } = await countConnections(t)
    let looked = 0
    const lookup: WebhooksOptions['lookup'] = (name, options, callback) => {
      looked++
      // The first answer is public, and unreachable; whoever looks again is led to this machine.
      leadingTo(looked === 1 ? '203.0.113.1' : '127.0.0.1')(name, options, callback)
    }
    const rules = { allowPrivateAddresses: false, allowedHosts: [], ports: [port], lookup }
    const poster = createPoster(rules, 0.2)
    t.teardown(() => poster.close())
    const post = { address: `https://hooks.example:${port}/`, headers: {}, body: '{}' }
    await t.rejects(poster.post(post))
    await t.rejects(poster.post(post), { message: /private/ })
    t.equal(count(), 0)
  }
)

t.test('redirects are not followed', async (t) => {
  const secret = await startReceiver(t)
  const receiver = await startReceiver(t, () => (_request, response) => {
    response.writeHead(307, { location: secret.url }).end()
  })
  const one = await makeApp(t, { retries: [] })
  const { app } = one
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create({ id: 1 })
  await until(async () => (await statesOf(one))[0] === 'dead', 'the delivery to be dead')
  t.match(await app.models.get('WebhookDelivery').findOne(), { status: 307, error: 'answered 307' })
  t.equal(secret.arrived.length, 0)
})
