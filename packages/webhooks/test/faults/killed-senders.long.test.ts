import { fileURLToPath } from 'node:url'
import { spawnServer, type SpawnedServer } from '@modelwire/connector-tests'
import * as mysqlServer from '@modelwire/connector-tests/mysql'
import * as postgresqlServer from '@modelwire/connector-tests/postgresql'
import { takeTime, until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import type { WebhooksOptions } from '#src/index.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { serveWebhooks, type Serving } from './serve-webhooks.ts'

const script = fileURLToPath(new URL('../fixtures/send-webhooks.js', import.meta.url))
const count = Number(process.env['MODELWIRE_WEBHOOKS'] ?? 2000)
const kills = 6

const options: WebhooksOptions = {
  secret: 'a secret of tests alone, 32 characters or more',
  allowedHosts: ['127.0.0.1'],
  retries: Array.from({ length: 60 }, () => 0.1),
  timeout: 1,
  lease: 1,
  interval: 0.1,
  concurrencyPerEndpoint: 20
}

/** Makes the notes that messages are about. */
async function fill({ models }: FastifyInstance): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => ({ id: at + 1, text: `Note ${at}` }))
  for (let at = 0; at < rows.length; at += 1000) await models.get('Note').create(rows.slice(at, at + 1000))
}

/** Where the log ends. */
const latest = async ({ models }: FastifyInstance): Promise<string> =>
  (await models.changeLogs.get('db')?.latest()) ?? ''

/** Kills one of two processes with -9 and starts another, several times while they send. */
async function killInTurn(t: Test, serving: Serving, receiver: Receiver): Promise<void> {
  const start = async (): Promise<SpawnedServer> => {
    const server = await spawnServer(script, { ...serving })
    t.teardown(async () => server.kill())
    return server
  }
  const running = [await start(), await start()]
  for (let killed = 0; killed < kills; killed++) {
    const before = receiver.arrived.length
    await until(() => receiver.arrived.length > before + 200 || receiver.arrived.length > count, 'messages', 60_000)
    await takeTime(100 * killed, 'the kill meets another moment of the work')
    await running[killed % 2]?.kill()
    running[killed % 2] = await start()
  }
}

interface Place {
  readonly kind: Serving['kind']
  readonly create: () => Promise<{ readonly url: string; readonly drop: () => Promise<void> }>
  readonly skip: string | false
}

const places: readonly Place[] = [
  { kind: 'postgresql', create: postgresqlServer.createTestDatabase, skip: false },
  { kind: 'mysql', create: mysqlServer.createTestDatabase, skip: await mysqlServer.whyNoServer() }
]

for (const { kind, create, skip } of places)
  void t.test(
    `${count} messages arrive through ${kind} at a receiver that fails half of the time, though senders are killed`,
    { skip, timeout: 600_000 },
    async (t) => {
      const { url, drop } = await create()
      t.teardown(async () => drop())
      const accepted = new Map<string, number>()
      const receiver = await startReceiver(t, ({ headers }) => {
        if (Math.random() < 0.5) return 500
        const id = headers['webhook-id'] ?? ''
        accepted.set(id, (accepted.get(id) ?? 0) + 1)
        return 204
      })
      const app = await serveWebhooks({ kind, url, options: { ...options, run: false } }, true)
      t.teardown(async () => app.close())
      const { secret } = await app.webhooks.createEndpoint({ url: receiver.url })
      await app.models.get('WebhookCursor').create({ id: 'db', position: await latest(app), count: 0 })
      await fill(app)
      const began = performance.now()
      await killInTurn(t, { kind, url, options }, receiver)
      const deliveries = app.models.get('WebhookDelivery')
      const areDelivered = async (): Promise<boolean> => (await deliveries.count({ state: 'delivered' })) === count
      await until(areDelivered, () => `deliveries: ${accepted.size} of ${count} were accepted`, 300_000)
      const seconds = (performance.now() - began) / 1000
      const repeated = [...accepted.values()].filter((times) => times > 1).length
      t.comment(`${receiver.arrived.length} requests in ${seconds.toFixed(1)} s, ${repeated} messages accepted twice`)
      t.equal(accepted.size, count, 'each was accepted')
      t.equal(await deliveries.count({}), count, 'none was made twice')
      const verifier = new Webhook(secret)
      const wrong = receiver.arrived.filter(({ body, headers }) => {
        try {
          return verifier.verify(body, headers) === undefined
        } catch {
          return true
        }
      })
      t.equal(wrong.length, 0, 'no signature is refused')
      const notes = new Set(receiver.messages().map(({ data }) => data['id']))
      t.equal(notes.size, count, 'each change is in a message')
    }
  )
