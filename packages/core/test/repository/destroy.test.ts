import t from 'tap'
import { buildModels } from '../build-models.ts'

async function seed() {
  const registry = buildModels([{ name: 'Book', properties: { pages: 'number' } }])
  const Book = registry.get('Book')
  const [first] = await Book.create([{ pages: 1 }, { pages: 2 }, { pages: 3 }])
  if (first === undefined) throw new TypeError('a record was created')
  return { registry, Book, first }
}

t.test('records are removed by id', async (t) => {
  const { Book } = await seed()
  t.strictSame(await Book.destroyById('1'), { count: 1 })
  for (const id of [1, 99, 'abc', {}, true]) t.strictSame(await Book.deleteById(id), { count: 0 }, String(id))
  t.equal(await Book.count(), 2)
})

t.test('records are removed by what matches, or all', async (t) => {
  const { Book } = await seed()
  t.strictSame(await Book.destroyAll({ pages: { lt: 3 } }), { count: 2 })
  await t.rejects(Book.destroyAll('x' as never), { code: 'INVALID_FILTER' })
  await t.rejects(Book.destroyAll([] as never), { code: 'INVALID_FILTER' })
  t.strictSame(await Book.destroyAll(), { count: 1 })
})

t.test('a record removes itself', async (t) => {
  const { Book, first } = await seed()
  t.strictSame(await first.destroy(), { count: 1 })
  t.equal(await Book.findById(1), null)
  t.equal(await first.reload(), null)
})

t.test('a model without id has no deletion by id', async (t) => {
  const Plain = buildModels([{ name: 'Plain', idInjection: false }]).get('Plain')
  await t.rejects(Plain.destroyById(1), { code: 'NOT_IMPLEMENTED' })
  await t.rejects(Plain.findById(1), { code: 'NOT_IMPLEMENTED', statusCode: 501 })
})
