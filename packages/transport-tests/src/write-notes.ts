import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

/** Writers that write at the same time. */
const writers = 4

/** Makes, changes and removes records, several at once, until it is stopped. */
export function writeNotes(t: Test, app: FastifyInstance): { readonly stop: () => Promise<number> } {
  const over = new AbortController()
  let count = 0
  const Note = app.models.get('Note')
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const note = await Note.create({ title: `${writer}-${turn}`, number: 0, bytes: Buffer.from([turn % 256]) })
      await note.patchAttributes({ number: 1 })
      await note.patchAttributes({ number: 2, at: new Date() })
      if (turn % 5 === 0) await Note.destroyById(note['id'])
      count += turn % 5 === 0 ? 4 : 3
    }
  }
  const running = Promise.all(Array.from({ length: writers }, async (_, writer) => write(writer)))
  const stop = async (): Promise<number> => {
    over.abort()
    await running
    return count
  }
  t.teardown(stop)
  return { stop }
}
