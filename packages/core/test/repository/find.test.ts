import { serverCall } from '#src/access/call.ts'
import t from 'tap'
import type { IncludeLoader } from '#src/contract/relation.ts'
import { repository } from '#src/plugin-api.ts'
import { Records } from '#src/repository/records/records.ts'
import { buildModels } from '../build-models.ts'

async function seed() {
  const registry = buildModels([
    { name: 'Book', hidden: ['cost'], properties: { title: 'string', pages: 'number', cost: 'number' } }
  ])
  const Book = registry.get('Book')
  await Book.create([
    { title: 'Dune', pages: 412, cost: 1 },
    { title: 'Emma', pages: 474 },
    { title: 'Solaris', pages: 204 }
  ])
  return { registry, Book, model: registry.typeOf('Book') }
}

const titles = (list: readonly object[]) => list.map((book) => ('title' in book ? book.title : undefined))

t.test('find gives instances, in order of their ids', async (t) => {
  const { Book } = await seed()
  const books = await Book.find()
  t.strictSame(titles(books), ['Dune', 'Emma', 'Solaris'])
  t.ok(books.every((book) => book instanceof Book && !book.isNewRecord()))
  t.strictSame(titles(await Book.find({ where: { pages: { gt: 300 } }, order: 'title DESC', limit: 1 })), ['Emma'])
  t.strictSame(titles(await Book.find({ order: 'pages', skip: 1 })), ['Dune', 'Emma'])
})

t.test('chosen fields leave the others out', async (t) => {
  const { Book } = await seed()
  const [book] = await Book.find({ fields: ['title'] })
  t.strictSame(Object.keys(book ?? {}), ['title'])
})

t.test('findOne gives the first or null', async (t) => {
  const { Book } = await seed()
  t.match(await Book.findOne({ order: 'pages' }), { title: 'Solaris' })
  t.match(await Book.findOne(), { title: 'Dune' })
  t.match(await Book.findOne({ skip: 1, limit: 'x' as never }), { title: 'Emma' })
  t.equal(await Book.findOne({ where: { title: 'x' } }), null)
  await t.rejects(Book.findOne('x' as never), { code: 'INVALID_FILTER' })
})

const ids: readonly (readonly [id: unknown, title: string | undefined])[] = [
  [1, 'Dune'],
  ['1', 'Dune'],
  ['01', 'Dune'],
  ['1e0', 'Dune'],
  [' 1', 'Dune'],
  [9, undefined],
  ['abc', undefined],
  [true, undefined],
  [{}, undefined],
  [[1], undefined],
  ['__proto__', undefined]
]

t.test('ids take the type of their property', async (t) => {
  const { Book } = await seed()
  for (const [id, title] of ids) {
    t.equal((await Book.findById(id))?.['title'], title, JSON.stringify(id))
    t.equal(await Book.exists(id), title !== undefined, JSON.stringify(id))
  }
})

t.test('an id that is missing is a 400', async (t) => {
  const { Book } = await seed()
  for (const id of [null, undefined, '', NaN, new Date('x')]) {
    const error = { code: 'INVALID_ARGUMENT', statusCode: 400 }
    await t.rejects(Book.findById(id), error)
    await t.rejects(Book.exists(id), error)
    await t.rejects(Book.destroyById(id), error)
    await t.rejects(Book.replaceById(id, {}), error)
  }
})

t.test('findById knows fields, and no where', async (t) => {
  const { Book } = await seed()
  t.strictSame((await Book.findById(1, { fields: ['title'] }))?.toJSON(), { title: 'Dune' })
  t.match(await Book.findById(1, { where: { title: 'x' } } as never), { title: 'Dune' })
  await t.rejects(Book.findById(1, 'x' as never), { code: 'INVALID_FILTER' })
})

t.test('counts are of all or of what matches', async (t) => {
  const { Book } = await seed()
  t.equal(await Book.count(), 3)
  t.equal(await Book.count({ pages: { lt: 450 } }), 2)
})

t.test('rows for answers are not copied, where nobody looks at them', async (t) => {
  const { Book, model } = await seed()
  const found = await repository.findForResponse(model, { fields: ['title'] }, serverCall())
  t.ok(found instanceof Records)
  t.match(found, { single: false, rows: [{ title: 'Dune' }, {}, {}], fields: new Set(['title']) })
  t.match(await repository.findByIdForResponse(model, '2', undefined, serverCall()), {
    single: true,
    rows: [{ title: 'Emma' }]
  })
  t.match(await repository.findByIdForResponse(model, 2, { fields: ['title'] }, serverCall()), {
    single: true,
    fields: new Set(['title'])
  })
  t.equal(await repository.findByIdForResponse(model, 'x', undefined, serverCall()), undefined)
  t.equal(await repository.findByIdForResponse(model, 9, {}, serverCall()), undefined)
  t.match(await repository.findOneForResponse(model, { order: 'pages' }, serverCall()), {
    rows: [{ title: 'Solaris' }]
  })
  Book.observe('loaded', ({ data }) => void Object.assign(data ?? {}, { title: 'seen' }))
  t.match(await repository.findForResponse(model, {}, serverCall()), { rows: [{ title: 'seen' }, {}, {}] })
  t.match(await repository.findByIdForResponse(model, 1, undefined, serverCall()), { rows: [{ title: 'seen' }] })
})

t.test('an include without relations is refused, an empty one ignored', async (t) => {
  const { Book } = await seed()
  for (const include of ['author', ['author'], { relation: 'author' }]) {
    await t.rejects(Book.find({ include }), { code: 'INVALID_FILTER', statusCode: 400 })
  }
  for (const include of [undefined, null, '', [], {}, 5, true]) t.equal((await Book.find({ include })).length, 3)
})

t.test('the include loader gets all rows at once and its values are shown', async (t) => {
  const { registry, Book } = await seed()
  let calls = 0
  const loader: IncludeLoader = async ({ rows, include }) => {
    calls++
    return rows.map((row) => ({ [String(include)]: `writer of ${String(row['title'])}` }))
  }
  registry.includeLoader = loader
  const [dune] = await Book.find({ include: 'author' })
  t.match(dune?.toJSON(), { author: 'writer of Dune' })
  t.equal(Object.hasOwn(dune ?? {}, 'author'), false)
  t.strictSame(await Book.find({ where: { title: 'x' }, include: 'author' }), [])
  t.equal(calls, 1)
})

t.test('a filter that is frozen is compiled once and still answers what is stored', async (t) => {
  const { Book } = await seed()
  const filter = Object.freeze({ where: Object.freeze({ pages: Object.freeze({ gt: 300 }) }) })
  t.equal((await Book.find(filter)).length, 2)
  await Book.create({ title: 'Ulysses', pages: 730 })
  t.equal((await Book.find(filter)).length, 3)
})

t.test('clients are refused what code may ask', async (t) => {
  const { Book } = await seed()
  const client = { prohibitHiddenPropertiesInQuery: true }
  await t.rejects(Book.find({ where: { cost: 1 } }, client), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
  await t.rejects(Book.find({ order: 'cost' }, client), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
  await t.rejects(Book.count({ cost: 1 }, client), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
  t.equal(await Book.count({ cost: 1 }), 1)
})
