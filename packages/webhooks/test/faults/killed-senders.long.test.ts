import { until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { startReceiver } from '../receiver.ts'
import { killInTurn, openWriter, options, places } from './kill-in-turn.ts'

const count = Number(process.env['MODELWIRE_WEBHOOKS'] ?? 1000)

/** Makes the notes that messages are about. */
async function fill({ models }: FastifyInstance): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => ({ id: at + 1, text: `Note ${at}` }))
  for (let at = 0; at < rows.length; at += 1000) await models.get('Note').create(rows.slice(at, at + 1000))
}

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
      const app = await openWriter(t, { kind, url, options })
      const { secret } = await app.webhooks.createEndpoint({ url: receiver.url })
      await fill(app)
      const began = performance.now()
      await killInTurn(t, { kind, url, options }, { receiver, most: count })
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
