import { EventEmitter, once } from 'node:events'
import t from 'tap'
import { codeOf, makeApp } from '../make-app.ts'
import { fillLibrary, library } from '../library.ts'

const callsOf = (calls: readonly { model: string; method: string }[]) =>
  calls.map(({ model, method }) => `${model}.${method}`)

void t.test('one query per relation and level, however many parents there are', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  await test.get('/Authors', { include: [{ books: 'reviews' }, 'agent'] })
  t.strictSame(callsOf(test.calls).sort(), ['Agent.find', 'Author.find', 'Book.find', 'Review.find'])
})

void t.test('a relation through a third model takes two queries', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const { body } = await test.get('/Authors', { include: 'tags' })
  t.strictSame(callsOf(test.calls), ['Author.find', 'TagAuthor.find', 'Tag.find'])
  t.match(body, [{ tags: [{ label: 'red' }, { label: 'blue' }] }, { tags: [{ label: 'red' }] }, { tags: [] }])
})

void t.test('keys are asked for in chunks, which keep order and limits per parent', async (t) => {
  const test = await makeApp(t, library, { options: { keysPerQuery: 2 } })
  await fillLibrary(test)
  const scope = { order: 'title', limit: 2 }
  const { body } = await test.get('/Authors', { include: { relation: 'books', scope } })
  t.equal(callsOf(test.calls).filter((call) => call === 'Book.find').length, 2, 'three authors, two at a time')
  t.match(body, [{ books: [{ title: 'A' }, { title: 'B' }] }, { books: [{ title: 'D' }] }, { books: [] }])
})

void t.test('a connector that declares it resolves includes itself', async (t) => {
  const test = await makeApp(t, library, { resolvesIncludes: true })
  await fillLibrary(test)
  const scope = { order: 'title DESC', limit: 1, skip: 1, include: 'reviews' }
  const { body } = await test.get('/Authors', { include: { relation: 'books', scope } })
  t.strictSame(callsOf(test.calls), ['Author.find', 'Book.findRelated', 'Review.findRelated'])
  t.match(body, [{ books: [{ title: 'B', reviews: [] }] }, { books: [] }, { books: [] }])
})

void t.test('both ways give the same answer to every scope', async (t) => {
  const [plain, own] = [await makeApp(t, library), await makeApp(t, library, { resolvesIncludes: true })]
  await fillLibrary(plain)
  await fillLibrary(own)
  const scopes = [
    {},
    { where: { year: { gt: 2001 } } },
    { order: 'title' },
    { order: 'year DESC', limit: 1 },
    { skip: 1 },
    { fields: ['title'] },
    { limit: 2, include: 'author' },
    { where: { title: 'none' } }
  ]
  for (const scope of scopes) {
    const filter = { include: { relation: 'books', scope } }
    t.strictSame(await own.get('/Authors', filter), await plain.get('/Authors', filter), JSON.stringify(scope))
  }
})

void t.test('hidden and protected properties of included records are left out', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const { body } = await test.get('/Books', { where: { id: 1 }, include: ['author', 'reviews'] })
  t.strictSame(body, [
    {
      title: 'C',
      year: 2001,
      notes: 'n',
      id: 1,
      authorId: 1,
      author: { name: 'Ann', id: 1 },
      reviews: [
        { stars: 5, id: 1, bookId: 1 },
        { stars: 1, id: 2, bookId: 1 }
      ]
    }
  ])
  const authors = await test.get('/Authors/1', { include: { relation: 'books', scope: { limit: 1 } } })
  t.strictSame(authors.body, { name: 'Ann', id: 1, books: [{ title: 'C', year: 2001, id: 1, authorId: 1 }] })
})

void t.test('nobody can find out what is hidden by a condition in a scope', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const hidden = { include: { relation: 'author', scope: { where: { secret: 'x' } } } }
  t.equal(codeOf(await test.get('/Books', hidden)), 'HIDDEN_PROPERTY_IN_FILTER')
  const shielded = { include: { relation: 'books', scope: { where: { notes: 'n' } } } }
  t.equal(codeOf(await test.get('/Authors', shielded)), 'HIDDEN_PROPERTY_IN_FILTER')
  const order = { include: { relation: 'books', scope: { order: 'notes' } } }
  t.equal(codeOf(await test.get('/Authors', order)), 'HIDDEN_PROPERTY_IN_FILTER')
})

void t.test('keys that fields leaves out are read and not shown', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const books = await test.get('/Books', { fields: ['title'], limit: 1, include: 'author' })
  t.strictSame(books.body, [{ title: 'C', author: { name: 'Ann', id: 1 } }])
  const authors = await test.get('/Authors', { fields: ['name'], where: { id: 2 }, include: ['books', 'tags'] })
  t.strictSame(authors.body, [
    {
      name: 'Bob',
      books: [{ title: 'D', year: 2004, id: 4, authorId: 2 }],
      tags: [{ label: 'red', id: 1 }]
    }
  ])
})

void t.test('related records come as instances where code asks for them', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const Author = test.model('Author')
  const [ann] = await Author.find({ where: { name: 'Ann' }, include: { books: 'reviews' } })
  const plain = ann?.toJSON() as { books: { title: string; reviews: object[] }[] }
  t.strictSame(
    plain.books.map(({ title, reviews }) => [title, reviews.length]),
    [
      ['C', 2],
      ['A', 0],
      ['B', 0]
    ]
  )
})

void t.test('observers of the related model see each included record', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const seen: unknown[] = []
  test.model('Book').observe('loaded', ({ data }) => {
    seen.push(data?.['title'])
    if (data !== undefined) data['title'] = `seen ${String(data['title'])}`
  })
  const { body } = await test.get('/Authors/2', { include: 'books' })
  t.match(body, { books: [{ title: 'seen D' }] })
  t.strictSame(seen, ['D'])
})

void t.test('LoopBack: fields keep and show the keys of what is included below', async (t) => {
  const test = await makeApp(t, library, { compat: true })
  await fillLibrary(test)
  const scope = { fields: ['stars'], include: 'book', where: { id: 3 } }
  const { body } = await test.get('/Books', { where: { id: 4 }, include: { relation: 'reviews', scope } })
  t.match(body, [{ reviews: [{ stars: 3, bookId: 4, book: { title: 'D' } }] }])
  const author = { relation: 'book', scope: { fields: ['title'], include: ['author'] } }
  t.match((await test.get('/Reviews/1', { include: author })).body, { book: { authorId: 1, author: { name: 'Ann' } } })
})

void t.test('what the scope of a relation includes comes beside what the caller includes', async (t) => {
  const models = library.map((model) => {
    const books = { type: 'hasMany', model: 'Book', foreignKey: 'authorId', scope: { include: 'author' } } as const
    return model.name === 'Author' ? { ...model, relations: { ...model.relations, books } } : model
  })
  const test = await makeApp(t, models)
  await fillLibrary(test)
  const both = [{ title: 'D', author: { name: 'Bob' }, reviews: [{ stars: 3 }] }]
  t.match((await test.get('/Authors/2/books', { include: 'reviews' })).body, both)
  t.match((await test.get('/Authors/2', { include: { books: 'reviews' } })).body, { books: both })
})

void t.test('of several includes that fail the first one is answered, however long each takes', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const events = new EventEmitter()
  for (const name of ['Agent', 'Tag']) test.model(name).observe('access', () => events.emit(name))
  let others: Promise<unknown> | undefined
  test.model('Book').observe('access', () => others)
  const include = ['books', 'agent', 'tags'].map((relation) => ({ relation, scope: { include: `no ${relation}` } }))
  for (let time = 0; time < 3; time++) {
    others = Promise.all([once(events, 'Agent'), once(events, 'Tag')])
    const { status, body } = await test.get('/Authors', { include })
    t.equal(status, 400)
    t.match(body, { error: { message: 'Book has no relation "no books"' } })
  }
})
