import { until } from '@modelwire/test-waits'
import t from 'tap'
import { type Receiver, startReceiver } from '../receiver.ts'
import { killInTurn, openWriter, options, places } from './kill-in-turn.ts'

const notes = Number(process.env['MODELWIRE_WEBHOOKS'] ?? 600) / 20
const versions = 10

/** What of the messages of one note arrived, and was accepted. */
interface Progress {
  accepted: number
  /** Versions that arrived before the one before them was accepted, or after a later one. */
  readonly wrong: string[]
}

/** A receiver that fails half of the time, and follows each note. */
async function followNotes(t: Parameters<typeof startReceiver>[0], progress: Map<number, Progress>): Promise<Receiver> {
  return startReceiver(t, ({ body }) => {
    const { data } = JSON.parse(body) as { data: { id: number; text: string } } // as this test made the notes
    const [version, note] = [Number(data.text), progress.get(data.id) ?? { accepted: -1, wrong: [] }]
    progress.set(data.id, note)
    // A process that was killed did not note that the last one was accepted: it comes again.
    const isNext = version === note.accepted + 1 || version === note.accepted
    if (!isNext) note.wrong.push(`${data.id}: ${version} after ${note.accepted}`)
    if (Math.random() < 0.5) return 500
    note.accepted = version
    return 204
  })
}

for (const { kind, create, skip } of places)
  void t.test(
    `${kind}: messages about a record arrive in its order at an ordered endpoint, though senders are killed`,
    { skip, timeout: 600_000 },
    async (t) => {
      const { url, drop } = await create()
      t.teardown(async () => drop())
      const progress = new Map<number, Progress>()
      const receiver = await followNotes(t, progress)
      const app = await openWriter(t, { kind, url, options })
      await app.webhooks.createEndpoint({ url: receiver.url, ordered: true })
      const Note = app.models.get('Note')
      await Note.create(Array.from({ length: notes }, (_, at) => ({ id: at + 1, text: '0' })))
      for (let version = 1; version < versions; version++) await Note.updateAll({}, { text: String(version) })
      const began = performance.now()
      const count = notes * versions
      await killInTurn(t, { kind, url, options }, { receiver, most: count })
      const deliveries = app.models.get('WebhookDelivery')
      let done = 0
      const areDelivered = async (): Promise<boolean> => {
        done = await deliveries.count({ state: 'delivered' })
        return done === count
      }
      await until(areDelivered, () => `deliveries: ${done} of ${count} were accepted`, 300_000)
      const seconds = (performance.now() - began) / 1000
      t.comment(`${receiver.arrived.length} requests in ${seconds.toFixed(1)} s`)
      const all = [...progress.values()]
      t.equal(all.length, notes)
      t.strictSame(
        all.flatMap(({ wrong }) => wrong),
        []
      )
      t.ok(all.every(({ accepted }) => accepted === versions - 1))
    }
  )
