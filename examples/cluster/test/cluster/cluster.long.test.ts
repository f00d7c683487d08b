import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { accounts } from '#src/application/stock.ts'
import { checkPorts } from '#src/cluster/check-ports.ts'
import { findPrograms } from '#src/cluster/find-programs.ts'
import { portsFrom } from '#src/cluster/ports.ts'
import { type Cluster, startCluster } from '#src/cluster/start-cluster.ts'
import { receiveWebhooks, type WebhookReceiver } from '#src/receiver/receive-webhooks.ts'
import { EventReader } from '#src/soak/event-reader.ts'
import { SeenOrders } from '#src/soak/seen-orders.ts'

const found = findPrograms()
const skip = 'missing' in found && found.missing

/** The first of ports that nothing else has; those from 32768 on are drawn for connections. */
async function findPorts(): Promise<number> {
  const first = 20_000 + 20 * randomInt(600)
  const free = await checkPorts(portsFrom(first)).then(
    () => first,
    () => undefined
  )
  return free ?? findPorts()
}

async function start(t: Test): Promise<{ readonly cluster: Cluster; readonly receiver: WebhookReceiver }> {
  if ('missing' in found) throw new Error(found.missing)
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-cluster-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const port = await findPorts()
  const receiver = await receiveWebhooks(portsFrom(port).receiver)
  t.teardown(() => receiver.stop())
  const cluster = await startCluster({
    ...found,
    folder,
    port,
    receiverSecret: receiver.secret,
    say: (text) => t.comment(text)
  })
  t.teardown(() => cluster.stop())
  return { cluster, receiver }
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function send(url: string, { token, body }: { token?: string; body?: object } = {}): Promise<Answer> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  // Answers of this application are objects.
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

/** Orders until it is accepted: a client repeats what failed, with the same reference. */
async function order(url: string, token: string): Promise<string> {
  const reference = randomUUID()
  const body = { reference, quantity: 1, productId: 1 }
  const attempt = async (): Promise<boolean> => {
    const { status } = await send(`${url}/api/Orders`, { token, body }).catch(() => ({ status: 0 }))
    // The one before was stored, and its answer was lost.
    return status === 200 || status === 409 || status === 422
  }
  await until(attempt, 'an order to be accepted', 30_000)
  return reference
}

async function checkProcesses(t: Test, { url, ports }: Cluster, token: string): Promise<void> {
  const { status, body } = await send(`${url}/api/Orders`, {
    token,
    body: { reference: 'read-everywhere', quantity: 2, productId: 1 }
  })
  t.equal(status, 200)
  for (const { api } of ports.processes) {
    const read = await send(`http://127.0.0.1:${api}/api/Orders/${String(body['id'])}`, { token })
    t.match(read, { status: 200, body: { reference: 'read-everywhere', quantity: 2 } }, `the process at ${api}`)
  }
  t.equal((await send(`${url}/api/Orders/${String(body['id'])}`)).status, 401, 'strangers see no orders')
}

/** Processes are killed, and the standby is promoted, while a stream is followed. */
async function checkFaults(t: Test, { url, processes, databases }: Cluster, token: string): Promise<readonly string[]> {
  const seen = new SeenOrders()
  const source = { url: `${url}/api/Orders/change-stream`, token }
  const reader = new EventReader(source, (event) => seen.take(event))
  reader.start()
  t.teardown(() => reader.stop())
  await until(() => reader.isPlaced, 'the stream to say where it is')
  const placed = [await order(url, token)]
  for (const each of processes) {
    await each.kill()
    placed.push(await order(url, token))
  }
  await databases.primary().kill()
  await databases.promote()
  placed.push(await order(url, token))
  await databases.rejoin()
  placed.push(await order(url, token))
  await until(
    () => seen.compare(placed).missed === 0,
    () => `the stream to tell of all orders, not ${seen.size} of ${placed.length}`,
    30_000
  )
  t.strictSame(seen.compare(placed), { missed: 0, repeated: 0 }, 'each once')
  t.equal(reader.resets, 0)
  t.ok(reader.connections > 1, 'the stream was broken')
  return placed
}

t.test('what one process acknowledges the others have, whatever is killed', { skip, timeout: 240_000 }, async (t) => {
  const { cluster, receiver } = await start(t)
  const { email, password } = accounts.customer
  const login = await send(`${cluster.url}/api/Customers/login`, { body: { email, password } })
  const token = String(login.body['id'])
  t.equal(login.status, 200)
  await checkProcesses(t, cluster, token)
  const placed = await checkFaults(t, cluster, token)
  await until(() => receiver.orders.compare(placed).missed === 0, 'the receiver to be told of all orders', 60_000)
})
