import t from 'tap'
import { localChangeBus } from '#src/changes/held-changes.ts'
import type { Change } from '#src/contract/change-log.ts'
import { buildModels } from '../build-models.ts'

const change: Change = { model: 'Book', kind: 'create', id: 1 }
const noBase = (): undefined => undefined
const refuse = (error: unknown): never => {
  throw error
}

t.test('listeners hear of changes of their model until they stop', async (t) => {
  const bus = localChangeBus(refuse, noBase)
  const heard: string[] = []
  t.equal(bus.hasListeners('Book'), false)
  const stopFirst = bus.subscribe('Book', () => void heard.push('first'))
  const stopSecond = bus.subscribe('Book', () => void heard.push('second'))
  bus.subscribe('Author', () => void heard.push('author'))
  t.equal(bus.hasListeners('Book'), true)
  bus.publish(change)
  stopFirst()
  stopFirst()
  bus.publish(change)
  stopSecond()
  bus.publish(change)
  t.equal(bus.hasListeners('Book'), false)
  t.strictSame(heard, ['first', 'second', 'second'])
})

t.test('listeners of a base hear of changes of the models that extend it', async (t) => {
  const bases = new Map([
    ['Puppy', 'Dog'],
    ['Dog', 'Animal']
  ])
  const bus = localChangeBus(refuse, (model) => bases.get(model))
  const heard: string[] = []
  const stop = bus.subscribe('Animal', ({ model }) => void heard.push(`Animal of ${model}`))
  bus.subscribe('Dog', ({ model }) => void heard.push(`Dog of ${model}`))
  t.equal(bus.hasListeners('Puppy'), true)
  for (const model of ['Puppy', 'Dog', 'Animal']) bus.publish({ ...change, model })
  t.strictSame(heard, ['Animal of Puppy', 'Dog of Puppy', 'Animal of Dog', 'Dog of Dog', 'Animal of Animal'])
  stop()
  t.equal(bus.hasListeners('Animal'), false)
})

t.test('a listener that throws keeps nobody else from hearing', async (t) => {
  const errors: unknown[] = []
  const bus = localChangeBus((error) => errors.push(error), noBase)
  let heard = 0
  bus.subscribe('Book', () => {
    throw new TypeError('no')
  })
  bus.subscribe('Book', () => void heard++)
  bus.publish(change)
  t.equal(heard, 1)
  t.match(errors, [{ name: 'TypeError' }])
})

t.test('a listener that stops while it listens disturbs nobody', async (t) => {
  const bus = localChangeBus(refuse, noBase)
  const heard: string[] = []
  const stop = bus.subscribe('Book', () => {
    heard.push('once')
    stop()
  })
  bus.subscribe('Book', () => void heard.push('always'))
  bus.publish(change)
  bus.publish(change)
  t.strictSame(heard, ['once', 'always', 'always'])
})

t.test('every write is announced once it is stored', async (t) => {
  const registry = buildModels([{ name: 'Book', properties: { title: 'string' } }])
  const Book = registry.get('Book')
  const changes: Change[] = []
  registry.changes.subscribe('Book', (one) => changes.push(one))
  const last = () => changes.splice(0)
  const book = await Book.create({ title: 'a' })
  t.match(last(), [{ model: 'Book', kind: 'create', id: 1, after: { title: 'a' } }])
  await Book.create([{ title: 'b' }, { title: 'c' }])
  t.match(last(), [
    { kind: 'create', id: 2 },
    { kind: 'create', id: 3 }
  ])
  await book.patchAttributes({ title: 'd' })
  t.match(last(), [{ kind: 'update', id: 1, after: { title: 'd' } }])
  await Book.replaceById(1, { title: 'e' })
  t.match(last(), [{ kind: 'update', id: 1, after: { title: 'e' } }])
  await book.save()
  t.match(last(), [{ kind: 'update', id: 1 }])
  await Book.patchOrCreate({ id: 1, title: 'f' })
  t.match(last(), [{ kind: 'update', id: 1 }])
  await Book.upsertWithWhere({ title: 'z' }, { title: 'z' })
  t.match(last(), [{ kind: 'create', id: 4 }])
  await Book.updateAll({ title: 'z' }, { title: 'y' })
  t.match(last(), [{ kind: 'update', id: undefined, where: { title: 'z' }, after: { title: 'y' } }])
  await Book.destroyById(1)
  t.match(last(), [{ kind: 'remove', id: 1, removed: [{ title: 'f' }] }])
  await Book.destroyAll({ title: 'y' })
  t.match(last(), [{ kind: 'remove', id: undefined, where: { title: 'y' } }])
})

t.test('nothing is announced that failed', async (t) => {
  const registry = buildModels([{ name: 'Book', properties: { title: { type: 'string', required: true } } }])
  const Book = registry.get('Book')
  const book = await Book.create({ title: 'a' })
  registry.changes.subscribe('Book', () => t.fail('nothing happened'))
  await t.rejects(Book.create({}), { code: 'VALIDATION_FAILED' })
  await t.rejects(Book.create([{ title: 'b' }, {}]), { code: 'LIST_NOT_VALID' })
  await t.rejects(book.patchAttributes({ title: '' }), { code: 'VALIDATION_FAILED' })
  await t.rejects(Book.replaceById(9, { title: 'a' }), { code: 'RECORD_NOT_FOUND' })
})
