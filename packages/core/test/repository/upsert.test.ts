import t from 'tap'
import type { CoreOptions, ModelDefinition } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const book: ModelDefinition = {
  name: 'Book',
  properties: { title: { type: 'string', required: true }, pages: { type: 'number', default: 7 }, sold: 'boolean' }
}

async function seed(more: Partial<ModelDefinition> = {}, options: CoreOptions = {}) {
  const Book = buildModels([{ ...book, ...more }], options).get('Book')
  await Book.create([
    { title: 'Dune', pages: 412 },
    { title: 'Emma', pages: 474 }
  ])
  return Book
}

t.test('data without an id is created, as a whole', async (t) => {
  const Book = await seed()
  for (const id of [undefined, null]) t.match(await Book.patchOrCreate({ id, title: 'x' }), { pages: 7 })
  await t.rejects(Book.patchOrCreate({ pages: 1 }), { code: 'VALIDATION_FAILED' })
  t.equal(await Book.count(), 4)
})

t.test('data with a stored id is a patch without rules', async (t) => {
  const Book = await seed()
  t.match(await Book.patchOrCreate({ id: 1, pages: '5' }), { title: 'Dune', pages: 5 })
  t.match(await Book.upsert({ id: 1, title: null }), { title: null, pages: 5 })
  t.match(await Book.updateOrCreate({ id: '2', pages: 6 }), { title: 'Emma', pages: 6 })
  t.match(await Book.find(), [
    { title: null, pages: 5 },
    { title: 'Emma', pages: 6 }
  ])
})

t.test('a value of the wrong type is never stored', async (t) => {
  const Book = await seed()
  const Free = await seed({ forceId: false })
  const error = { code: 'VALIDATION_FAILED', details: { codes: { pages: ['number'] } } }
  for (const model of [Book, Free]) {
    await t.rejects(model.patchOrCreate({ id: 1, pages: 'x' }), error)
    await t.rejects(model.replaceOrCreate({ id: 1, title: 'x', pages: 'x' }), error)
    await t.rejects(model.upsertWithWhere({ id: 1 }, { title: 'x', pages: 'x' }), error)
    t.match(await model.findById(1), { title: 'Dune', pages: 412 })
  }
})

t.test('an id that is not stored is an error where clients cannot choose ids', async (t) => {
  const Book = await seed()
  for (const id of [9, 'abc', {}, [1]]) {
    await t.rejects(Book.patchOrCreate({ id, title: 'x' }), { code: 'RECORD_NOT_FOUND' })
    await t.rejects(Book.replaceOrCreate({ id, title: 'x' }), { code: 'RECORD_NOT_FOUND' })
  }
  t.equal(await Book.count(), 2)
})

t.test('an id of the client creates, without rules and with defaults that are stored', async (t) => {
  const Book = await seed({ forceId: false })
  t.match((await Book.patchOrCreate({ id: 9, sold: true })).toJSON(), { id: 9, pages: 7, sold: true })
  t.match(await Book.findById(9), { pages: 7, sold: true })
  t.match(await Book.patchOrCreate({ id: 9, title: 'x' }), { title: 'x', pages: 7, sold: true })
  await t.rejects(Book.patchOrCreate({ id: 'abc', title: 'x' }), { code: 'VALIDATION_FAILED' })
})

t.test('an upsert by code that is validated need not name what has a default', async (t) => {
  const Checked = await seed({ forceId: false, validateUpsert: true })
  t.match(await Checked.patchOrCreate({ id: 9, title: 'x' }), { title: 'x', pages: 7 })
  t.match(await Checked.patchOrCreate({ id: 1, title: 'x' }), { title: 'x', pages: 412 })
  const error = { code: 'VALIDATION_FAILED', details: { codes: { pages: ['presence'] } } }
  await t.rejects(Checked.patchOrCreate({ id: 1, title: 'x', pages: null }), error)
  const Automatic = await seed({ forceId: false, automaticValidation: true })
  t.match(await Automatic.patchOrCreate({ id: 9, title: 'x' }), { title: 'x', pages: 7 })
  const Free = await seed({ forceId: false })
  t.match(await Free.patchOrCreate({ id: 9, title: 'x' }, { validate: true }), { title: 'x', pages: 7 })
})

t.test(
  'undeclared properties of a strict model are refused by a patch of the collection, and dropped as in LoopBack',
  async (t) => {
    for (const forceId of [true, false]) {
      const Book = await seed({ strict: true, forceId })
      const error = { code: 'VALIDATION_FAILED', details: { codes: { extra: ['unknown-property'] } } }
      await t.rejects(Book.patchOrCreate({ id: 1, pages: 5, extra: 1 }), error)
      t.strictSame((await Book.findById(1))?.toJSON(), { title: 'Dune', pages: 412, id: 1 })
      const Old = await seed({ strict: true, forceId }, { compat: true })
      t.strictSame((await Old.patchOrCreate({ id: 1, extra: 1 })).toJSON(), { title: 'Dune', pages: 412, id: 1 })
    }
  }
)

t.test('version 2 takes lists, version 3 does not', async (t) => {
  const Book = await seed()
  await t.rejects(Book.patchOrCreate([{ title: 'x' }] as never), { code: 'INVALID_VALUE', statusCode: 400 })
  const Old = await seed({}, { version: 2 })
  t.match(await Old.patchOrCreate([{ title: 'x' }, { title: 'y' }] as never), [{ id: 3 }, { id: 4 }])
})

t.test('an upsert by where updates the one match or creates', async (t) => {
  const Book = await seed()
  t.match(await Book.upsertWithWhere({ title: 'Dune' }, { title: 'Dune!' }), { title: 'Dune!', pages: 412, id: 1 })
  const made = { title: 'New', pages: 7, id: 3 }
  t.strictSame((await Book.upsertWithWhere({ title: 'x' }, { title: 'New' })).toJSON(), made)
  t.match(await Book.findById(3), made)
  const Old = await seed({}, { compat: true })
  const shown = await Old.upsertWithWhere({ title: 'x' }, { title: 'New' })
  t.strictSame(shown.toJSON(), { title: 'New', id: 3 }, 'LoopBack leaves out the defaults')
})

const refusedUpserts: readonly (readonly [where: unknown, data: unknown, code: string])[] = [
  [{}, { title: 'x' }, 'INVALID_ARGUMENT'],
  [undefined, { title: 'x' }, 'INVALID_ARGUMENT'],
  ['x', { title: 'x' }, 'INVALID_ARGUMENT'],
  [{ id: 1 }, {}, 'INVALID_ARGUMENT'],
  [{ id: 1 }, [], 'INVALID_VALUE'],
  [{ pages: { gt: 1 } }, { title: 'x' }, 'SEVERAL_MATCHES'],
  [{ pages: { more: 1 } }, { title: 'x' }, 'INVALID_FILTER'],
  [{ id: 1 }, { pages: 5 }, 'VALIDATION_FAILED'],
  [{ id: 1 }, { title: 'x', id: 2 }, 'VALIDATION_FAILED']
]

t.test('an upsert by where that is not clear is refused and stores nothing', async (t) => {
  const Book = await seed()
  const before = await Book.find()
  for (const [where, data, code] of refusedUpserts) {
    const message = JSON.stringify([where, data])
    await t.rejects(Book.upsertWithWhere(where as never, data as never), { code }, message)
  }
  t.strictSame(await Book.find(), before)
})
