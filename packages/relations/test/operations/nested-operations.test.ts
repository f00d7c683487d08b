import t from 'tap'
import { codeOf, makeApp } from '../make-app.ts'
import { fillLibrary, library } from '../library.ts'

const nested = library.map((model) => {
  if (model.name !== 'Author') return model
  const options = { nestRemoting: true }
  const { books, agent } = model.relations ?? {}
  return {
    ...model,
    relations: {
      ...model.relations,
      books: { ...books, type: 'hasMany', options },
      agent: { ...agent, type: 'hasOne', options }
    }
  }
})

void t.test('methods of related records are reached through the relation, one level down', async (t) => {
  const test = await makeApp(t, nested)
  await fillLibrary(test)
  t.match((await test.get('/Authors/1/books/1/reviews')).body, [{ stars: 5 }, { stars: 1 }])
  t.strictSame((await test.get('/Authors/1/books/1/reviews/count')).body, { count: 2 })
  t.match((await test.get('/Authors/1/books/1/author')).body, { name: 'Ann' })
  t.match((await test.send('POST', '/Authors/1/books/1/reviews', { stars: 2 })).body, { stars: 2, bookId: 1 })
  t.match((await test.send('PUT', '/Authors/1/books/1/reviews/1', { stars: 4 })).body, { stars: 4 })
  t.equal((await test.send('DELETE', '/Authors/1/books/1/reviews')).status, 204)
  t.equal((await test.get('/Authors/1/books/1/author/books')).status, 404)
})

void t.test('a record of another parent is missing', async (t) => {
  const test = await makeApp(t, nested)
  await fillLibrary(test)
  t.equal(codeOf(await test.get('/Authors/2/books/1/reviews')), 'RECORD_NOT_FOUND')
  t.equal(codeOf(await test.get('/Authors/1/books/99/reviews')), 'RECORD_NOT_FOUND')
  t.equal(codeOf(await test.get('/Authors/99/books/1/reviews')), 'MODEL_NOT_FOUND')
})

void t.test('nested methods have names of their own', async (t) => {
  const [author, ...others] = nested
  const remoting = { sharedMethods: { 'prototype.__get__books__reviews': false } }
  const test = await makeApp(t, [{ ...author, name: 'Author', remoting }, ...others])
  await fillLibrary(test)
  t.equal((await test.get('/Authors/1/books/1/reviews')).status, 404)
  t.equal((await test.get('/Authors/1/books/1/reviews/count')).status, 200)
})

void t.test('a relation to one record that leads to none is a 404, in LoopBack null', async (t) => {
  const models = library.map((model) =>
    model.name === 'Review'
      ? {
          ...model,
          relations: { book: { type: 'belongsTo', model: 'Book', options: { nestRemoting: true } } as const }
        }
      : model
  )
  const native = await makeApp(t, models)
  await native.send('POST', '/Reviews', {})
  t.equal(codeOf(await native.get('/Reviews/1/book/reviews')), 'RECORD_NOT_FOUND')
  const compat = await makeApp(t, models, { compat: true })
  await compat.send('POST', '/Reviews', {})
  t.strictSame(await compat.get('/Reviews/1/book/reviews'), { status: 200, body: null })
  t.strictSame((await compat.get('/Reviews/1/book/reviews/count')).body, { count: null })
  const missing = await compat.get('/Reviews/1/book/reviews/1')
  t.strictSame([missing.status, codeOf(missing)], [404, 'MODEL_NOT_FOUND'])
})
