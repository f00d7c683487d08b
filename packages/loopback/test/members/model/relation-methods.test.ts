import t, { type Test } from 'tap'
import { bootApp, type Files, notesOf } from '../../make-app.ts'

const config = { dataSource: 'db', public: true }
const files: Files = {
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Author: config,
    Book: config,
    Review: config
  },
  'common/models/author.json': { name: 'Author', base: 'PersistedModel', properties: { name: 'string' } },
  'common/models/book.json': { name: 'Book', base: 'PersistedModel', properties: { title: 'string', year: 'number' } },
  'common/models/review.json': {
    name: 'Review',
    base: 'PersistedModel',
    properties: { stars: 'number' },
    relations: { book: { type: 'belongsTo', model: 'Book' } }
  },
  'common/models/author.js': `module.exports = (Author) => { Author.hasMany('books', { model: 'Book', foreignKey: 'writerId' }) }`
}

/** Boots the application with one boot script. */
const start = (t: Test, script: string) =>
  bootApp(t, { ...files, 'server/boot/script.js': `module.exports = ${script}` })

const declarations = `(app) => {
  const { Author, Book, Review } = app.models
  Book.belongsTo(Author, { as: 'writer', foreignKey: 'writerId' })
  Book.hasMany(Review)
  Book.scope('recent', { where: { year: { gt: 2000 } } })
  Author.nestRemoting('books')
}`

void t.test('relations, scopes and nested routes that scripts declare are served', async (t) => {
  const server = await start(t, declarations)
  const send = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await server.inject({ method, url: `/api${url}`, ...(payload && { payload }) })).json() as unknown
  await send('POST', '/Authors', { name: 'Ann' })
  t.match(
    await send('POST', '/Authors/1/books', [
      { title: 'A', year: 1999 },
      { title: 'B', year: 2001 }
    ]),
    [{ writerId: 1 }, {}]
  )
  await send('POST', '/Books/2/reviews', { stars: 4 })
  t.match(await send('GET', '/Books/1/writer'), { name: 'Ann' })
  t.match(await send('GET', '/Books/recent'), [{ title: 'B' }])
  t.match(await send('GET', '/Authors/1/books/2/reviews'), [{ stars: 4, bookId: 2 }])
  t.match(await send('GET', '/Authors?filter[include][books]=reviews'), [
    { books: [{ reviews: [] }, { reviews: [{ stars: 4 }] }] }
  ])
})

const callbacks = `(app, done) => {
  const { Author } = app.models
  Author.create({ name: 'Ann' }, (error, author) => {
    author.books.create({ title: 'A' }, (error, book) => {
      author.books({ where: { title: 'A' } }, (error, books) => {
        author.books.count((error, count) => {
          app.found = [error, book.writerId, books.length, count, author.books()]
          done()
        })
      })
    })
  })
}`

void t.test('helpers on records take callbacks, and give at once what is known', async (t) => {
  const server = await start(t, callbacks)
  t.strictSame(server.loopback['found'], [null, 1, 1, 1, undefined])
})

const included = `async (app) => {
  const { Author, Book } = app.models
  const author = await Author.create({ name: 'Ann' })
  await author.books.create([{ title: 'A' }, { title: 'B' }])
  const [found] = await Author.find({ include: 'books' })
  app.found = found.books().map(({ title }) => title)
  app.relation = Author.relations.books
}`

void t.test('what was included is there without asking again', async (t) => {
  const server = await start(t, included)
  t.strictSame(server.loopback['found'], ['A', 'B'])
  t.match(server.loopback['relation'], {
    name: 'books',
    type: 'hasMany',
    keyFrom: 'id',
    keyTo: 'writerId',
    multiple: true
  })
})

void t.test('a relation to a model that is not there is told and left out', async (t) => {
  const model = { name: 'Thing', relations: { owners: { type: 'hasMany', model: 'Owner' } } }
  const server = await bootApp(t, { 'common/models/thing.json': model })
  t.match(notesOf(server), [/Thing: relations\.owners\.model: unknown model "Owner"/])
  t.equal((await server.inject('/api/Things/1/owners')).statusCode, 404)
})

void t.test('a declaration needs a model or a name', async (t) => {
  await t.rejects(start(t, '(app) => app.models.Book.hasMany(5)'), { code: 'SCRIPT_ARGUMENT_INVALID' })
})

const hooks = `(app) => {
  const { Author, Book, Review } = app.models
  Book.hasMany(Review)
  Author.nestRemoting('books')
  app.seen = []
  Author.beforeRemote('prototype.__get__books', (ctx, unused, next) => { app.seen.push(ctx.methodString); next() })
  Book.afterRemote('prototype.__get__reviews', (ctx, result, next) => { app.seen.push(ctx.methodString); next() })
}`

void t.test('remote hooks know the methods of relations, and those of nested ones', async (t) => {
  const server = await start(t, hooks)
  await server.inject({ method: 'POST', url: '/api/Authors', payload: { name: 'Ann' } })
  await server.inject({ method: 'POST', url: '/api/Authors/1/books', payload: { title: 'A' } })
  await server.inject('/api/Authors/1/books')
  await server.inject('/api/Authors/1/books/1/reviews')
  t.strictSame(server.loopback['seen'], ['Author.prototype.__get__books', 'Author.prototype.__get__books__reviews'])
})

const chosen = `(app) => {
  const { Author, Book, Review } = app.models
  Book.hasMany(Review)
  const names = { __get__reviews: '__list__', __create__reviews: '__add__' }
  Author.nestRemoting('books', { hooks: false, pathName: 'texts' }, ({ name }, relation) =>
    relation.name === 'books' && names[name])
  app.seen = []
  Book.beforeRemote('prototype.__get__reviews', (ctx, unused, next) => { app.seen.push('before'); next() })
}`

void t.test('a script chooses which methods are nested, how they are called and whether hooks run', async (t) => {
  const server = await start(t, chosen)
  const status = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await server.inject({ method, url: `/api/Authors${url}`, ...(payload && { payload }) })).statusCode
  await status('POST', '', { name: 'Ann' })
  await status('POST', '/1/books', { title: 'A' })
  t.equal(await status('POST', '/1/texts/1/reviews', { stars: 3 }), 200)
  t.equal(await status('GET', '/1/texts/1/reviews'), 200)
  t.equal(await status('GET', '/1/texts/1/reviews/count'), 404)
  t.strictSame(server.loopback['seen'], [])
})

void t.test('nested routes need a relation', async (t) => {
  await t.rejects(start(t, `(app) => app.models.Author.nestRemoting('films')`), {
    code: 'RELATION_INVALID',
    message: /unknown relation.*Author.*relations\.films/
  })
})

const replaced = `(app) => {
  const { Author } = app.models
  const original = Author.prototype.__get__books
  Author.prototype.__get__books = function (filter, options, callback) {
    original.call(this, { ...filter, limit: 1 }, options, callback)
  }
}`

void t.test('a script may replace the method of a relation', async (t) => {
  const server = await start(t, replaced)
  await server.inject({ method: 'POST', url: '/api/Authors', payload: { name: 'Ann' } })
  await server.inject({ method: 'POST', url: '/api/Authors/1/books', payload: [{ title: 'A' }, { title: 'B' }] })
  t.match((await server.inject('/api/Authors/1/books')).json(), [{ title: 'A' }])
  t.equal(((await server.inject('/api/Authors/1/books')).json() as unknown[]).length, 1)
})

const withoutCallback = `async (app) => {
  const { Book, Review } = app.models
  const book = await Book.create({ title: 'A' })
  const review = await Review.create({ stars: 1, bookId: book.id })
  const included = await Review.findById(review.id, { include: 'book' })
  const orphan = await Review.create({ stars: 2 })
  const gone = await Review.create({ stars: 3, bookId: 99 })
  await gone.destroy()
  Book.observe('access', async () => { throw new Error('nothing is read') })
  const found = [review, included, orphan, gone].map((each) => [each.book(), each.book(undefined)])
  app.found = found.map((pair) => pair.map((each) => each && each.title))
  included.book(null)
  app.removed = [included.bookId, included.book()]
}`

void t.test('without a callback the record of a relation to one is given at once, and nothing is read', async (t) => {
  // As LoopBack 3.28 answers.
  const server = await start(t, withoutCallback)
  t.strictSame(server.loopback['found'], [
    [undefined, undefined],
    ['A', 'A'],
    [undefined, undefined],
    [undefined, undefined]
  ])
  t.strictSame(server.loopback['removed'], [undefined, undefined])
})
