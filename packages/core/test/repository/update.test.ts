import t from 'tap'
import type { ModelDefinition } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const book: ModelDefinition = {
  name: 'Book',
  properties: {
    title: { type: 'string', required: true },
    pages: 'number',
    soldAt: 'date',
    tags: ['string'],
    code: { type: 'string', unique: true }
  }
}

async function seed(more: Partial<ModelDefinition> = {}) {
  const Book = buildModels([{ ...book, ...more }]).get('Book')
  const [dune, emma] = await Book.create([
    { title: 'Dune', pages: 412, code: 'd' },
    { title: 'Emma', pages: 474, code: 'e' }
  ])
  if (dune === undefined || emma === undefined) throw new TypeError('two records were created')
  return { Book, dune, emma }
}

t.test('a patch changes what it names, converted', async (t) => {
  const { Book, dune } = await seed()
  t.equal(await dune.patchAttributes({ pages: '5', soldAt: '2020-01-01', extra: { a: 1 }, code: undefined }), dune)
  const changed = { title: 'Dune', pages: 5, soldAt: new Date('2020-01-01'), extra: { a: 1 }, code: 'd' }
  t.match(dune, changed)
  t.match(await Book.findById(1), changed)
  t.match(await Book.findById(2), { pages: 474 })
})

t.test('a patch stores null', async (t) => {
  const { Book, dune } = await seed()
  await dune.patchAttributes({ pages: null })
  t.match(await Book.findById(1), { pages: null })
})

const failures: readonly (readonly [data: object, code: string])[] = [
  [{ title: '', pages: 9 }, 'VALIDATION_FAILED'],
  [{ pages: 'x' }, 'VALIDATION_FAILED'],
  [{ soldAt: 'x', extra: 1 }, 'VALIDATION_FAILED'],
  [{ pages: 9, tags: 'none' }, 'INVALID_VALUE'],
  [{ pages: 9, 'a.b': 1 }, 'INVALID_VALUE'],
  [{ pages: 9, code: 'e' }, 'DUPLICATE_KEY'],
  [{ id: 2, pages: 9 }, 'ID_MISMATCH'],
  [{ id: [1] }, 'ID_MISMATCH'],
  [{ id: null }, 'ID_MISMATCH']
]

t.test('a patch that fails changes neither what is stored nor the instance', async (t) => {
  for (const [data, code] of failures) {
    const { Book, dune } = await seed()
    const before = dune.toJSON()
    await t.rejects(dune.patchAttributes(data), { code }, JSON.stringify(data))
    t.strictSame(dune.toJSON(), before, JSON.stringify(data))
    t.strictSame((await Book.findById(1))?.toJSON(), before, JSON.stringify(data))
    await dune.patchAttributes({ pages: 7 })
    t.match(await Book.findById(1), { pages: 7 })
  }
})

t.test('a patch may repeat the id', async (t) => {
  const { dune } = await seed()
  for (const id of [1, '1', undefined]) t.match(await dune.patchAttributes({ id, pages: 5 }), { id: 1, pages: 5 })
})

t.test('a record that is gone is not found', async (t) => {
  const { Book, dune } = await seed()
  await Book.destroyAll()
  await t.rejects(dune.patchAttributes({ pages: 1 }), { code: 'RECORD_NOT_FOUND', statusCode: 404 })
  t.match(dune, { pages: 412 })
})

t.test('an observer may change what is patched', async (t) => {
  const { Book, dune } = await seed()
  Book.observe('before save', ({ data }) => void (data !== undefined && (data['pages'] = '8')))
  Book.observe('persist', ({ data }) => void (data !== undefined && (data['secretly'] = 1)))
  await dune.patchAttributes({ pages: 5 })
  t.equal(dune['pages'], 8)
  t.match(await Book.findById(1), { pages: 8, secretly: 1 })
})

t.test('one attribute is updated by its name', async (t) => {
  const { dune } = await seed()
  t.match(await dune.updateAttribute('pages', '5'), { pages: 5 })
})

t.test('many are updated without rules, but not with values of the wrong type', async (t) => {
  const { Book } = await seed()
  t.strictSame(await Book.updateAll({ pages: { gt: 450 } }, { title: '', pages: '1' }), { count: 1 })
  t.match(await Book.findById(2), { title: '', pages: 1 })
  t.strictSame(await Book.updateAll({ title: 'nobody' }, { pages: 2 }), { count: 0 })
  t.strictSame(await Book.updateAll({ pages: 3 }), { count: 2 })
  t.match(await Book.find(), [{ pages: 3 }, { pages: 3 }])
  const error = { code: 'VALIDATION_FAILED', details: { codes: { pages: ['number'], soldAt: ['date'] } } }
  await t.rejects(Book.updateAll({}, { pages: 'x', soldAt: 'x' }), error)
  await t.rejects(Book.updateAll({}, [] as never), { code: 'INVALID_VALUE' })
  await t.rejects(Book.updateAll({}, { tags: 'x' }), { code: 'INVALID_VALUE' })
  await t.rejects(Book.updateAll({ pages: { more: 1 } }, { pages: 1 }), { code: 'INVALID_FILTER' })
})

t.test('an update of many never changes ids', async (t) => {
  const { Book } = await seed()
  await Book.updateAll({ id: 1 }, { id: 9, pages: 1 })
  t.match(await Book.findById(1), { id: 1, pages: 1 })
})

t.test('undeclared properties of a strict model are refused by an update of many', async (t) => {
  const { Book } = await seed({ strict: true })
  const error = { code: 'VALIDATION_FAILED', details: { codes: { extra: ['unknown-property'] } } }
  await t.rejects(Book.updateAll({}, { extra: 1 }), error)
})
