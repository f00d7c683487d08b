import t from 'tap'
import { makeApp } from '../make-app.ts'
import { fillLibrary, library } from '../library.ts'

const where = { name: undefined }

const filters: readonly (readonly [model: string, filter: Record<string, unknown>])[] = [
  ['Book', { where: { author: where } }],
  ['Book', { where: { 'author.name': undefined } }],
  ['Book', { where: { author: undefined } }],
  ['Book', { where: { or: [{ title: 'A' }, { author: { tags: { label: NaN } } }] } }],
  ['Author', { where: { books: { none: { title: undefined } } } }],
  ['Author', { where: { books: { count: { gt: undefined } } } }],
  ['Book', { include: { relation: 'author', scope: { where } } }],
  ['Book', { include: ['reviews', { relation: 'author', scope: { where: { or: [where] } } }] }],
  ['Review', { include: { relation: 'book', scope: { include: { relation: 'author', scope: { where } } } } }],
  ['Review', { include: { book: { relation: 'author', scope: { where } } } }]
]

t.test('conditions on related records and in scopes of includes need values, before anything is read', async (t) => {
  const app = await makeApp(t, library)
  await fillLibrary(app)
  for (const [name, filter] of filters) {
    app.calls.length = 0
    await t.rejects(app.model(name).find(filter as never), { code: 'INVALID_FILTER', message: /has no value/ })
    t.strictSame(app.calls, [], JSON.stringify(filter))
  }
})

t.test('a scope without conditions is none', async (t) => {
  const app = await makeApp(t, library)
  await fillLibrary(app)
  const include = { relation: 'author', scope: { where: undefined, limit: undefined } }
  t.equal((await app.model('Book').find({ include } as never)).length, 4)
})

t.test('in compat mode they are removed', async (t) => {
  const app = await makeApp(t, library, { compat: true })
  await fillLibrary(app)
  t.equal((await app.model('Book').find({ where: { author: where } } as never)).length, 4)
  const include = { relation: 'books', scope: { where: { title: undefined, year: 2001 } } }
  const [ann] = await app.model('Author').find({ include } as never)
  t.match(ann?.toJSON(), { books: [{ title: 'C' }] })
})
