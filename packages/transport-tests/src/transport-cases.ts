import { randomUUID } from 'node:crypto'
import type { Candidate, ChangeStreamConnection, ChangeTransport, StreamEntry } from '@modelwire/changes'
import type { LogPlace } from '@modelwire/core/plugin'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'

/** A transport, with streams that nobody else has. */
export interface TransportCases {
  readonly name: string
  /** Why it cannot be tested here. */
  readonly skip: string | false
  readonly make: (
    name: string,
    settings?: { readonly maxLength?: number; readonly leaseTime?: number }
  ) => ChangeTransport
  /** Removes what a transport of the name has made. */
  readonly clean: (name: string) => Promise<void>
}

type Settings = Parameters<TransportCases['make']>[1]

const candidate = (version = 'v1'): Candidate => ({ token: randomUUID(), version })

/** An entry at a place. */
function entryAt(place: LogPlace, row: string | undefined = '{"a":"\u{1f600}"}'): StreamEntry {
  const texts = { log: 'log', version: 'v1', position: `p${place[0]}-${place[1]}`, previous: '0-0', kind: 'update' }
  return { place, texts: { ...texts, model: 'Größe .*>', at: '2020-02-29T12:34:56.789Z' }, row }
}

const places = (entries: readonly StreamEntry[]): readonly LogPlace[] => entries.map(({ place }) => place)

/** Opens connections of several processes to one stream. */
function openStream(t: Test, { make, clean }: TransportCases, settings?: Settings) {
  const name = `test-${randomUUID()}`
  const connections: ChangeStreamConnection[] = []
  t.teardown(async () => {
    await Promise.all(connections.map(async (each) => each.close()))
    await clean(name)
  })
  return (): ChangeStreamConnection => {
    const connection = make(name, settings).open('db')
    connections.push(connection)
    return connection
  }
}

/** Appends under a lease that is taken for it. */
async function append(
  stream: ChangeStreamConnection,
  entries: readonly StreamEntry[],
  by = candidate()
): Promise<string> {
  await stream.lease(by)
  const { mark } = await stream.tail()
  const next = await stream.append(entries, { candidate: by, mark, clears: false })
  await stream.release(by)
  return next ?? 'refused'
}

const cases: Readonly<Record<string, (t: Test, kind: TransportCases) => Promise<void>>> = {
  'one candidate has the lease until it gives it back or leaves it': async (t, kind) => {
    const open = openStream(t, kind, { leaseTime: 500 })
    const [one, two] = [open(), open()]
    const [first, second] = [candidate('v1'), candidate('v2')]
    t.same(await one.lease(first), { isMine: true, version: 'v1' })
    t.same(await two.lease(second), { isMine: false, version: 'v1' })
    t.same(await one.lease(first), { isMine: true, version: 'v1' }, 'it is renewed')
    await two.release(second)
    t.same(await two.lease(second), { isMine: false, version: 'v1' }, 'only its holder gives it back')
    await one.release(first)
    t.same(await two.lease(second), { isMine: true, version: 'v2' })
    await until(async () => (await one.lease(first)).isMine, 'the lease to run out')
  },
  'of several that want the lease at once one gets it': async (t, kind) => {
    const open = openStream(t, kind)
    const leases = await Promise.all(Array.from({ length: 5 }, async () => open().lease(candidate())))
    t.equal(leases.filter(({ isMine }) => isMine).length, 1)
    t.ok(
      leases.every(({ version }) => version === 'v1'),
      'each learns who has it'
    )
  },
  'entries are read in their order, behind any place': async (t, kind) => {
    const open = openStream(t, kind)
    const [writer, reader] = [open(), open()]
    t.same(await reader.read([0, 0], 10), [])
    t.same((await reader.tail()).entry, undefined)
    const entries = Array.from({ length: 250 }, (_, index) => entryAt([1 + Math.floor(index / 7), 10 * (index % 7)]))
    await append(writer, entries)
    t.same(places(await reader.read([0, 5], 1000)), places(entries))
    t.strictSame((await reader.read([1, 0], 1))[0], entries[1])
    t.same(places(await reader.read([3, 999], 7)), places(entries.slice(21, 28)), 'behind a place that has no entry')
    t.same(places(await reader.read([4, 60], 3)), places(entries.slice(28, 31)), 'where the last one ended')
    t.same(await reader.read([99, 2 ** 48 - 1], 1), [])
    t.strictSame((await reader.tail()).entry, entries.at(-1))
    await append(writer, [entryAt([99, 0], undefined)])
    t.strictSame(await reader.read([98, 0], 9), [entryAt([99, 0], undefined)], 'an entry may have no row')
    t.same(places(await reader.read([99, 0], 9)), [])
  },
  'entries are appended where the end is the one that was seen': async (t, kind) => {
    const open = openStream(t, kind)
    const [one, two] = [open(), open()]
    const by = candidate()
    await one.lease(by)
    const { mark } = await one.tail()
    const next = await one.append([entryAt([1, 1]), entryAt([1, 2])], { candidate: by, mark, clears: false })
    t.equal(next, (await two.tail()).mark)
    t.equal(await one.append([entryAt([1, 3])], { candidate: by, mark, clears: false }), undefined)
    t.type(await one.append([entryAt([1, 3])], { candidate: by, mark: next ?? '', clears: false }), 'string')
    t.same(places(await two.read([0, 0], 9)), [
      [1, 1],
      [1, 2],
      [1, 3]
    ])
  },
  'a stream that is emptied begins anew, with lower places too': async (t, kind) => {
    const open = openStream(t, kind)
    const [stream, reader] = [open(), open()]
    await append(stream, [entryAt([5, 1]), entryAt([5, 2])])
    t.equal((await reader.read([0, 0], 9)).length, 2)
    const by = candidate()
    await stream.lease(by)
    const { mark } = await stream.tail()
    t.type(await stream.append([entryAt([2, 1])], { candidate: by, mark, clears: true }), 'string')
    t.same(places(await reader.read([0, 0], 9)), [[2, 1]])
    await stream.release(by)
    await append(stream, [entryAt([2, 2])])
    t.same(places(await reader.read([2, 1], 9)), [[2, 2]])
  },
  'a stream is bounded': async (t, kind) => {
    const stream = openStream(t, kind, { maxLength: 100 })()
    for (let batch = 1; batch <= 10; batch += 1)
      await append(
        stream,
        Array.from({ length: 100 }, (_, id) => entryAt([batch, id]))
      )
    const kept = await stream.read([0, 0], 2000)
    t.ok(kept.length >= 100 && kept.length < 400, `${kept.length} are kept`)
    t.same(kept.at(-1)?.place, [10, 99])
  },
  'processes hear of appended entries and of announcements': async (t, kind) => {
    const open = openStream(t, kind)
    const [writer, reader] = [open(), open()]
    const heard = { appended: 0, announced: 0 }
    reader.listen({ appended: () => (heard.appended += 1), announced: () => (heard.announced += 1) })
    await reader.tail()
    await until(() => {
      writer.announce()
      return heard.announced > 0
    }, 'an announcement')
    const before = heard.appended
    await append(writer, [entryAt([1, 1])])
    await until(() => heard.appended > before, 'to hear of an entry')
    t.ok(heard.announced > 0)
  }
}

/** Checks what `@modelwire/changes` expects of a transport. */
export function transportCases(kind: TransportCases): void {
  const { name, skip } = kind
  for (const [sentence, run] of Object.entries(cases))
    t.test(`${name}: ${sentence}`, { skip }, async (t) => run(t, kind))
}
