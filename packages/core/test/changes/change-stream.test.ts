import { serverCall } from '#src/access/call.ts'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import type { ChangeEvent } from '#src/changes/change-event.ts'
import { ChangeReaderTooSlow } from '#src/errors.ts'
import { type ChangeStream, openChangeStream } from '#src/changes/change-stream.ts'
import type { ModelRegistry } from '#src/registry.ts'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

const book = {
  name: 'Book',
  properties: { title: 'string', pages: 'number', printed: 'date', secret: 'string' },
  hidden: ['secret']
}
const build = (): ModelRegistry => buildModels([book])

/** The position of the event with this number. */
const positionOf = ({ feed }: ChangeStream, number: number): string =>
  feed.positionOf({ number, position: undefined }) ?? ''

/** What a stream tells from now on, as clients read it. */
async function readAll(stream: ChangeStream): Promise<Record<string, unknown>[]> {
  const told: Record<string, unknown>[] = []
  stream.on('data', (event: ChangeEvent) => told.push(JSON.parse(event.toText()) as Record<string, unknown>)) // an object
  await turn()
  return told
}

t.test('creations, updates and deletions are told without hidden properties', async (t) => {
  const Book = build().get('Book')
  const stream = await Book.createChangeStream()
  t.teardown(() => stream.destroy())
  const told = await readAll(stream)
  const created = await Book.create({ title: 'a', secret: 's', printed: '2020-01-02' })
  await created.patchAttributes({ pages: 3 })
  await Book.destroyById(1)
  const data = { title: 'a', printed: '2020-01-02T00:00:00.000Z', id: 1 }
  t.strictSame(told, [
    { target: 1, data, type: 'create' },
    { target: 1, data: { ...data, pages: 3 }, type: 'update' },
    { target: 1, where: { id: 1 }, type: 'remove' }
  ])
})

t.test('an id that is hidden is no part of an event', async (t) => {
  const key = { type: 'string', id: true, generated: false } as const
  const Ticket = buildModels([{ name: 'Ticket', properties: { id: key, seat: 'number' }, hidden: ['id'] }]).get(
    'Ticket'
  )
  const stream = await Ticket.createChangeStream()
  t.teardown(() => stream.destroy())
  const told = await readAll(stream)
  await Ticket.create({ id: 'unguessable', seat: 1 })
  await Ticket.updateAll({ id: 'unguessable' }, { seat: 2 })
  await Ticket.destroyById('unguessable')
  t.notMatch(JSON.stringify(told), 'unguessable')
  t.strictSame(
    told.map(({ type }) => type),
    ['create', 'update', 'remove']
  )
})

t.test('a record that deletes itself is told with its data', async (t) => {
  const Book = build().get('Book')
  const created = await Book.create({ title: 'a', secret: 's' })
  const stream = await Book.createChangeStream()
  t.teardown(() => stream.destroy())
  const told = await readAll(stream)
  await created.destroy()
  t.strictSame(told, [{ target: 1, where: { id: 1 }, data: { title: 'a', id: 1 }, type: 'remove' }])
})

t.test(
  'an update of many is one event: its condition in the types of the properties, hidden ones left out',
  async (t) => {
    const Book = build().get('Book')
    const stream = await Book.createChangeStream()
    t.teardown(() => stream.destroy())
    const told = await readAll(stream)
    const where = { and: [{ pages: { gt: '1' } }, { secret: 's' }], printed: { between: ['2020-01-01', '2021-01-01'] } }
    await Book.updateAll(where, { pages: '7', secret: 'n' })
    await Book.updateAll({ id: '5' }, { pages: 8 })
    const range = ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z']
    t.strictSame(told, [
      { where: { and: [{ pages: { gt: 1 } }, {}], printed: { between: range } }, data: { pages: 7 }, type: 'update' },
      { target: 5, where: { id: 5 }, data: { pages: 8 }, type: 'update' }
    ])
  }
)

t.test('a condition on what is hidden within a record is left out, too', async (t) => {
  const plot = { name: 'Plot', properties: { end: 'string', twist: 'string' }, hidden: ['end'], protected: ['twist'] }
  const tale = { name: 'Tale', properties: { title: 'string', plot: { type: 'Plot' } } }
  const Tale = buildModels([plot, tale]).get('Tale')
  const stream = await Tale.createChangeStream()
  t.teardown(() => stream.destroy())
  const told = await readAll(stream)
  await Tale.updateAll({ 'plot.end': 'bad', 'plot.twist': 't', title: 'a' }, { title: 'b' })
  t.match(told, [{ where: { title: 'a' }, type: 'update' }])
  t.strictSame(Object.keys(Object(told[0]?.['where'])), ['title'])
})

t.test('code inside the server sees what a deletion removed', async (t) => {
  const Book = build().get('Book')
  await Book.create([{ title: 'a', secret: 's' }, { title: 'b' }])
  const stream = await Book.createChangeStream()
  t.teardown(() => stream.destroy())
  const removed: unknown[] = []
  stream.on('data', (event: ChangeEvent) => removed.push(...event.removed))
  await turn()
  await Book.destroyAll()
  t.match(removed, [{ title: 'a', secret: 's' }, { title: 'b' }])
})

t.test('conditions look at the record after the change, fields choose what is shown', async (t) => {
  const Book = build().get('Book')
  const stream = await Book.createChangeStream({ where: { pages: { gt: 5 } }, fields: ['title'] })
  t.teardown(() => stream.destroy())
  const told = await readAll(stream)
  const first = await Book.create({ title: 'thin', pages: 1 })
  await Book.create({ title: 'thick', pages: 9 })
  await first.patchAttributes({ pages: 6 })
  await first.patchAttributes({ pages: 5 })
  t.match(told, [
    { target: 2, data: { title: 'thick' }, type: 'create' },
    { target: 1, data: { title: 'thin' }, type: 'update' }
  ])
  t.equal(told.length, 2)
  t.notOk(JSON.stringify(told).includes('pages'))
})

t.test('malformed options are refused before anything is opened', async (t) => {
  const registry = build()
  const asClient = clientCall()
  const model = registry.typeOf('Book')
  await t.rejects(openChangeStream(model, { where: { pages: { above: 1 } } }, asClient), { code: 'INVALID_FILTER' })
  await t.rejects(openChangeStream(model, { models: 'Book' }, asClient), { code: 'INVALID_FILTER' })
  await t.rejects(openChangeStream(model, 'all', asClient), { code: 'INVALID_FILTER' })
  await t.rejects(openChangeStream(model, { where: { secret: 's' } }, asClient), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
  t.equal(registry.changes.hasListeners('Book'), false)
})

t.test('a reader that does not read is ended, others go on', async (t) => {
  const registry = buildModels([book], { changeStreams: { waiting: 3 } })
  const Book = registry.get('Book')
  const [slow, quick] = [await Book.createChangeStream(), await Book.createChangeStream()]
  t.teardown(() => quick.destroy())
  const told = await readAll(quick)
  const ended = new Promise((resolve) => slow.once('error', resolve))
  for (let count = 0; count < 5; count++) await Book.create({ title: `${count}` })
  t.ok((await ended) instanceof ChangeReaderTooSlow)
  t.match(await ended, { code: 'CHANGE_READER_TOO_SLOW' })
  t.equal(told.length, 5)
})

t.test('a stream goes on from an event that was seen, or says that some are lost', async (t) => {
  const registry = buildModels([book], { changeStreams: { kept: 3 } })
  const model = registry.typeOf('Book')
  const Book = registry.get('Book')
  const first = await openChangeStream(model, undefined, serverCall())
  for (let count = 0; count < 4; count++) await Book.create({ title: `${count}` })
  first.destroy()
  await once(first, 'close')
  await Book.create({ title: 'between' })

  const again = await openChangeStream(model, undefined, serverCall(), positionOf(first, 3))
  const told = await readAll(again)
  t.match(told, [{ data: { title: '3' } }, { data: { title: 'between' } }])
  t.equal(told.length, 2)
  t.equal(again.missedSome, false)
  t.equal(again.readableLength, 0)

  const late = await openChangeStream(model, undefined, serverCall(), positionOf(first, 1))
  t.equal(late.missedSome, true)
  const foreign = await openChangeStream(model, undefined, serverCall(), 'other-3')
  t.equal(foreign.missedSome, true)
  for (const stream of [again, late, foreign]) stream.destroy()
})

t.test('what is kept comes in order, then what happens next', async (t) => {
  const registry = build()
  const model = registry.typeOf('Book')
  const Book = registry.get('Book')
  const first = await openChangeStream(model, undefined, serverCall())
  await Book.create([{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  first.destroy()
  const again = await openChangeStream(model, undefined, serverCall(), positionOf(first, 1))
  t.teardown(() => again.destroy())
  await Book.create({ title: 'd' })
  const told = await readAll(again)
  t.match(told, [{ data: { title: 'b' } }, { data: { title: 'c' } }, { data: { title: 'd' } }])
})

t.test('a model that nobody follows any more is not listened to', async (t) => {
  const registry = buildModels([book], { changeStreams: { keptFor: 0.01 } })
  const stream = await registry.get('Book').createChangeStream()
  t.equal(registry.changes.hasListeners('Book'), true)
  stream.destroy()
  await until(() => !registry.changes.hasListeners('Book'), 'the model to be let go')
})

t.test('changes that writers make to their data afterwards do not show', async (t) => {
  const Book = build().get('Book')
  const stream = await Book.createChangeStream()
  t.teardown(() => stream.destroy())
  const created = await Book.create({ title: 'told' })
  await created.patchAttributes({ pages: 1 })
  created['title'] = 'later'
  const told = await readAll(stream)
  t.match(told, [{ data: { title: 'told' } }, { data: { title: 'told', pages: 1 } }])
})

t.test('changes of models that extend the followed one are told, as those models show them', async (t) => {
  const novel = { name: 'Novel', base: 'Book', properties: { plot: 'string', spoiler: 'string' }, hidden: ['spoiler'] }
  const registry = buildModels([book, novel, { name: 'Author', properties: { name: 'string' } }])
  const [Book, Novel] = [registry.get('Book'), registry.get('Novel')]
  const model = registry.typeOf('Book')
  const asClient = clientCall()
  const open = async (options?: unknown): Promise<Record<string, unknown>[]> => {
    const stream = await openChangeStream(model, options, asClient)
    t.teardown(() => stream.destroy())
    return readAll(stream)
  }
  const all = await open()
  const novels = await open({ models: ['Novel'] })
  const guessed = await open({ where: { spoiler: 'dies' } })
  const own = await Novel.createChangeStream()
  t.teardown(() => own.destroy())
  const ofNovels = await readAll(own)
  await registry.get('Author').create({ name: 'A' })
  await Book.create({ title: 'a' })
  const created = await Novel.create({ title: 'b', plot: 'p', spoiler: 'dies', secret: 's' })
  await created.patchAttributes({ pages: 2 })
  await Novel.destroyById(1)
  const told = [
    { target: 1, data: { plot: 'p', title: 'b', id: 1 }, type: 'create' },
    { target: 1, data: { plot: 'p', title: 'b', pages: 2, id: 1 }, type: 'update' },
    { target: 1, where: { id: 1 }, type: 'remove' }
  ]
  t.strictSame(all, [{ target: 1, data: { title: 'a', id: 1 }, type: 'create' }, ...told])
  t.strictSame(novels, told)
  t.strictSame(ofNovels, told)
  t.strictSame(guessed, [], 'a condition tells nothing of what such a model hides')
})
