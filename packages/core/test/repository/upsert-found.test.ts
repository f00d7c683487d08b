import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import type { CoreOptions } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

/** Two books in a database whose connector does not upsert by itself, as none of LoopBack's does but that of memory. */
async function seed(options: CoreOptions = { compat: true }) {
  const db = memory()
  Object.assign(db, { capabilities: { ...db.capabilities, upsertsWithWhere: false } })
  const book = {
    name: 'Book',
    properties: { title: { type: 'string', required: true }, pages: { type: 'number', default: 7 } }
  } as const
  const Book = buildModels([book], { ...options, dataSources: { db } }).get('Book')
  await Book.create([
    { title: 'Dune', pages: 412 },
    { title: 'Emma', pages: 474 }
  ])
  return Book
}

t.test('the record that matches is patched, and is what the rules are about', async (t) => {
  const Book = await seed()
  t.match(await Book.upsertWithWhere({ title: 'Dune' }, { pages: 5 }), { id: 1, title: 'Dune', pages: 5 })
  const refused = { code: 'VALIDATION_FAILED', details: { codes: { title: ['presence'] } } }
  await t.rejects(Book.upsertWithWhere({ id: 1 }, { title: '', pages: 6 }), refused)
  t.match(await Book.findById(1), { title: 'Dune', pages: 5 })
})

t.test('where none matches a record is created with its defaults', async (t) => {
  const Book = await seed()
  const made = await Book.upsertWithWhere({ title: 'x' }, { title: 'New' })
  t.strictSame(made.toJSON(), { title: 'New', pages: 7, id: 3 })
  await t.rejects(Book.upsertWithWhere({ title: 'x' }, { pages: 1 }), { code: 'VALIDATION_FAILED' })
  t.equal(await Book.count(), 3)
})

t.test('where several match nothing is changed', async (t) => {
  const Book = await seed()
  const before = await Book.find()
  await t.rejects(Book.upsertWithWhere({ pages: { gt: 1 } }, { pages: 1 }), {
    code: 'SEVERAL_MATCHES',
    statusCode: 400
  })
  t.strictSame(await Book.find(), before)
})

t.test('observers hear of a patch or a creation as of any other', async (t) => {
  const Book = await seed()
  const heard: unknown[] = []
  Book.observe('access', async ({ query }) => void heard.push(query))
  Book.observe('before save', async ({ instance, currentInstance, data, isNewInstance }) => {
    heard.push({ instance: instance?.title, currentInstance: currentInstance?.['title'], data, isNewInstance })
  })
  await Book.upsertWithWhere({ title: 'Dune' }, { pages: 5 })
  await Book.upsertWithWhere({ title: 'x' }, { title: 'New' })
  t.match(heard, [
    { where: { title: 'Dune' } },
    { instance: undefined, currentInstance: 'Dune', data: { pages: 5 } },
    { where: { title: 'x' } },
    { instance: 'New', currentInstance: undefined, data: undefined, isNewInstance: true }
  ])
  t.equal(heard.length, 4)
})

t.test('observers of access say which record is meant', async (t) => {
  const Book = await seed()
  Book.observe('access', async ({ query }) => void Object.assign(query ?? {}, { where: { title: 'Emma' } }))
  t.match(await Book.upsertWithWhere({ title: 'Dune' }, { pages: 5 }), { id: 2, pages: 5 })
})

t.test('without compat the data of code is a record of its own, whatever the connector', async (t) => {
  const Book = await seed({})
  await t.rejects(Book.upsertWithWhere({ id: 1 }, { pages: 5 }), { code: 'VALIDATION_FAILED' })
})
