import t from 'tap'
import type { ModelDefinition } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const book: ModelDefinition = {
  name: 'Book',
  properties: {
    title: { type: 'string', required: true },
    pages: { type: 'number', default: 7 },
    soldAt: { type: 'date', default: '2020-01-01' },
    tags: ['string']
  }
}

async function seed(more: Partial<ModelDefinition> = {}) {
  const Book = buildModels([{ ...book, ...more }]).get('Book')
  const dune = await Book.create({ title: 'Dune', pages: 412, tags: ['a'], extra: 1 })
  return { Book, dune }
}

t.test('a replacement leaves nothing of the old record', async (t) => {
  const { Book } = await seed()
  const replaced = await Book.replaceById('1', { title: 'Emma', more: 2 })
  const whole = { title: 'Emma', pages: 7, soldAt: new Date('2020-01-01'), id: 1, more: 2 }
  t.strictSame(replaced.toJSON(), whole)
  t.strictSame((await Book.findById(1))?.toJSON(), whole)
})

const refused: readonly (readonly [id: unknown, data: unknown, code: string])[] = [
  [1, {}, 'VALIDATION_FAILED'],
  [1, { title: 'x', pages: 'x' }, 'VALIDATION_FAILED'],
  [1, { title: 'x', tags: 'x' }, 'INVALID_VALUE'],
  [1, [], 'INVALID_VALUE'],
  [1, 'x', 'INVALID_VALUE'],
  [1, { id: 2, title: 'x' }, 'ID_MISMATCH'],
  [1, { id: '1', title: 'x' }, 'ID_MISMATCH'],
  [9, { title: 'x' }, 'RECORD_NOT_FOUND'],
  ['abc', { title: 'x' }, 'RECORD_NOT_FOUND'],
  [null, { title: 'x' }, 'INVALID_ARGUMENT']
]

t.test('a replacement that cannot be done changes nothing', async (t) => {
  const { Book } = await seed()
  const before = await Book.find()
  for (const [id, data, code] of refused) {
    await t.rejects(Book.replaceById(id, data as never), { code }, JSON.stringify([id, data]))
  }
  t.strictSame(await Book.find(), before)
})

t.test('the id may be repeated or null', async (t) => {
  const { Book } = await seed()
  for (const id of [1, null, undefined]) t.match(await Book.replaceById(1, { id, title: 'x' }), { id: 1 })
})

t.test('an instance is replaced in place', async (t) => {
  const { Book, dune } = await seed()
  t.equal(await dune.replaceAttributes({ title: 'Emma' }), dune)
  t.strictSame(dune.toJSON(), { title: 'Emma', pages: 7, soldAt: new Date('2020-01-01'), id: 1 })
  t.match(await Book.findById(1), { title: 'Emma' })
  await t.rejects(dune.replaceAttributes({}), { code: 'VALIDATION_FAILED' })
  t.match(dune, { title: 'Emma' })
})

t.test('replaceOrCreate creates what has no id, and what has one of the client', async (t) => {
  const { Book } = await seed()
  t.match(await Book.replaceOrCreate({ title: 'new' }), { id: 2, pages: 7 })
  t.match(await Book.replaceOrCreate({ id: 2, title: 'newer' }), { id: 2, title: 'newer' })
  await t.rejects(Book.replaceOrCreate({ id: 9, title: 'x' }), { code: 'RECORD_NOT_FOUND' })
  const { Book: Free } = await seed({ forceId: false })
  t.match(await Free.replaceOrCreate({ id: 9, title: 'nine' }), { id: 9 })
  t.match(await Free.replaceOrCreate({ id: 9, title: 'again' }), { id: 9, title: 'again', pages: 7 })
  await t.rejects(Free.replaceOrCreate({ id: 10 }), { code: 'VALIDATION_FAILED' })
  await t.rejects(Free.replaceOrCreate({ id: 'abc', title: 'x' }), { code: 'VALIDATION_FAILED' })
  t.equal(await Free.count(), 2)
})

t.test('a replacement keeps unique values unique', async (t) => {
  const { Book } = await seed({ properties: { title: { type: 'string', unique: true } } })
  await Book.create({ title: 'Emma' })
  await t.rejects(Book.replaceById(1, { title: 'Emma' }), { code: 'DUPLICATE_KEY', statusCode: 409 })
  t.match(await Book.findById(1), { title: 'Dune' })
})
