import type { ChangeStream, ChangeStreamDocument } from 'mongodb'
import t from 'tap'
import type { PlacedEntry } from '#src/change-log/log-entries.ts'
import { LogStream } from '#src/change-log/log-stream.ts'
import type { StreamStart } from '#src/change-log/watch-models.ts'

// What routers of sharded clusters do, and what breaks off in the middle: the server of the tests does neither.

type Step = string | Error | { readonly nothingUntil: string }

/** A change stream that takes steps: events by their tokens, errors, and answers without an event. */
function scripted(steps: Step[], closings: string[] = []) {
  let token: string | undefined
  const stream = {
    closed: false,
    bufferedCount: () => (typeof steps[0] === 'string' ? 1 : 0),
    close: async () => {
      stream.closed = true
      closings.push('closed')
    },
    get resumeToken() {
      return token === undefined ? undefined : { _data: token }
    },
    tryNext: async () => {
      const step = steps.shift() ?? { nothingUntil: token ?? '' }
      if (step instanceof Error) throw step
      token = typeof step === 'string' ? step : step.nothingUntil
      return typeof step === 'string' ? { _id: { _data: step }, operationType: 'insert' } : null
    }
  }
  return stream as unknown as ChangeStream
}

const entriesOf = (event: ChangeStreamDocument): readonly PlacedEntry[] => {
  // Those above.
  const token = event['_id'] as { readonly _data: string }
  return [{ model: 'Note', kind: 'create', at: new Date(0), row: {}, place: { token } }]
}

const open = (...steps: Step[]): LogStream =>
  new LogStream({ place: { token: { _data: 'a' } }, open: () => scripted(steps), entriesOf })

const tokens = (page: readonly PlacedEntry[]): string[] =>
  page.map(
    ({
      place: {
        token: { _data: data }
      }
    }) => data
  )

void t.test('nothing is the end only where the server has looked at what is known to be there', async (t) => {
  const stream = open({ nothingUntil: 'b' }, { nothingUntil: 'c' }, 'd', 'e')
  t.same(tokens(await stream.page(10, { _data: 'e' })), ['d', 'e'])
  t.same(tokens(await open({ nothingUntil: 'b' }, 'c').page(10, undefined)), [])
  t.same(tokens(await open({ nothingUntil: 'b' }, 'c').page(10, { _data: 'b' })), [])
})

void t.test('a server that never looks at it is given up', async (t) => {
  let now = 0
  t.intercept(Date, 'now', { value: () => (now += 1000) })
  const stream = open()
  await t.rejects(stream.page(10, { _data: 'z' }), { code: 'STATEMENT_TIMEOUT' })
  t.notOk(stream.isOpen)
})

void t.test('what was read before an error is not lost, and the stream is not read on', async (t) => {
  const broken = new Error('broken')
  const steps: Step[] = ['b', broken]
  const failing = scripted(steps)
  Object.assign(failing, { bufferedCount: () => 1 })
  const stream = new LogStream({ place: { token: { _data: 'a' } }, open: () => failing, entriesOf })
  t.same(tokens(await stream.page(10, undefined)), ['b'])
  t.notOk(stream.isOpen)
  t.same(stream.place, { token: { _data: 'b' } })
  await t.rejects(open(broken).page(10, undefined), broken)
})

void t.test('a page has what is there, and does not wait for more', async (t) => {
  const stream = open('b', 'c', { nothingUntil: 'c' }, 'd')
  t.same(tokens(await stream.page(1, undefined)), ['b'])
  t.same(tokens(await stream.page(10, undefined)), ['c'])
  t.same(tokens(await stream.page(10, undefined)), [])
  t.same(tokens(await stream.page(10, undefined)), ['d'])
})

void t.test('a stream that ends with its database is opened again behind that', async (t) => {
  const [starts, closings]: [StreamStart[], string[]] = [[], []]
  const first = scripted(['b'], closings)
  Object.assign(first, {
    tryNext: async () => ({ _id: { _data: 'dropped' }, operationType: 'invalidate' })
  })
  const stream = new LogStream({
    place: { token: { _data: 'a' } },
    open: (start) => {
      starts.push(start)
      return starts.length === 1 ? first : scripted(['e'])
    },
    entriesOf
  })
  t.same(tokens(await stream.page(10, undefined)), ['e'])
  t.same(starts, [{ startAfter: { _data: 'a' } }, { startAfter: { _data: 'dropped' } }])
  t.same(closings, ['closed'])
})
