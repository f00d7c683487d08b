import { defineModel } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { toMany, toOne } from '#src/index.ts'
import { makeApp } from '../make-app.ts'
import { fillLibrary, library } from '../library.ts'

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>
/** A record with the helper of one relation. */
const helper = async (test: Awaited<ReturnType<typeof makeApp>>, model: string, id: number, name: string) =>
  (
    (await test.model(model).findById(id)) as unknown as Record<
      string,
      Methods & ((...args: unknown[]) => Promise<unknown>)
    >
  )[name] as Methods & ((...args: unknown[]) => Promise<unknown>)

void t.test('author.books(filter) and what hangs on it', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const books = await helper(test, 'Author', 1, 'books')
  t.match(await books({ where: { title: 'A' } }), [{ title: 'A', authorId: 1 }])
  t.match(await books.find?.({ order: 'title', limit: 1 }), [{ title: 'A' }])
  t.match(await books.findOne?.({ order: 'title DESC' }), { title: 'C' })
  t.equal(await books.findOne?.({ where: { title: 'none' } }), null)
  t.match(await books.findById?.(3), { title: 'B' })
  await t.rejects(async () => books.findById?.(4), { code: 'RECORD_NOT_FOUND' })
  t.strictSame([await books.exists?.(3), await books.exists?.(4)], [true, false])
  t.strictSame([await books.count?.(), await books.count?.({ year: { gt: 2001 } })], [3, 2])
  t.match(await books.create?.({ title: 'E' }), { title: 'E', authorId: 1 })
  t.match(await books.create?.([{ title: 'F' }, { title: 'G' }]), [{ authorId: 1 }, { authorId: 1 }])
  t.match(books.build?.({ title: 'H' }), { title: 'H', authorId: 1, id: undefined })
  t.match(await books.updateById?.(1, { year: 1 }), { year: 1 })
  t.strictSame(await books.update?.({ title: 'F' }, { year: 2 }), { count: 1 })
  t.strictSame(await books.updateAll?.({ year: 3 }), { count: 6 })
  await books.destroy?.(1)
  t.strictSame(await books.destroyAll?.({ title: 'E' }), { count: 1 })
  t.strictSame([await books.destroyAll?.(), await test.model('Book').count()], [{ count: 4 }, 1])
})

void t.test('book.author() reads the record, and is set by handing one over', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const author = await helper(test, 'Book', 1, 'author')
  t.match(await author(), { name: 'Ann' })
  t.match(await author.get?.(), { name: 'Ann' })
  t.match(await author.update?.({ name: 'Anna' }), { name: 'Anna' })
  const book = (await test.model('Book').findById(1)) as unknown as {
    author: (value?: unknown) => unknown
    authorId: number
  }
  book.author(await test.model('Author').findById(2))
  t.equal(book.authorId, 2)
  t.match(await book.author(), { name: 'Bob' })
  const free = await helper(test, 'Book', 4, 'author')
  t.match(await free.create?.({ name: 'Dora' }), { name: 'Dora', id: 4 })
  t.match((await test.get('/Books/4')).body, { authorId: 4 })
  await free.destroy?.()
  t.equal((await test.get('/Authors/4')).status, 404)
})

void t.test('what was included is not read again', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const [book] = await test.model('Book').find({ where: { id: 1 }, include: 'author' })
  test.calls.length = 0
  const { author } = book as unknown as { author: (refresh?: boolean) => Promise<unknown> }
  t.match(await author(), { name: 'Ann' })
  t.strictSame(test.calls, [])
  t.match(await author(true), { name: 'Ann' })
  t.equal(test.calls.length, 1)
})

void t.test('add, remove and exists of a relation through a third model', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const tags = await helper(test, 'Author', 3, 'tags')
  t.match(await tags.add?.(await test.model('Tag').findById(1)), { authorId: 3, tagId: 1 })
  t.match(await tags.add?.(2), { tagId: 2 })
  t.equal(await tags.exists?.(2), true)
  await tags.remove?.(1)
  t.match(await tags(), [{ label: 'blue' }])
  t.match(await tags.create?.({ label: 'new' }), { label: 'new' })
  await tags.destroyAll?.()
  t.strictSame([await tags(), await test.model('Tag').count()], [[], 3])
})

void t.test('a relation may bring methods of its own', async (t) => {
  const [author, ...others] = library
  const newest = function (this: { modelInstance: { name: string }; definition: { name: string } }) {
    return `${this.definition.name} of ${this.modelInstance.name}`
  }
  const books = { type: 'hasMany', model: 'Book', foreignKey: 'authorId', methods: { newest } }
  const test = await makeApp(t, [{ ...author, name: 'Author', relations: { ...author?.relations, books } }, ...others])
  await fillLibrary(test)
  const accessor = await helper(test, 'Author', 1, 'books')
  t.equal(accessor.newest?.() as unknown, 'books of Ann')
})

void t.test('typed helpers give records of the related model', async (t) => {
  const Song = defineModel('Song', Type.Object({ title: Type.String(), singerId: Type.Optional(Type.Integer()) }), {
    relations: { singer: { type: 'belongsTo', model: 'Singer' } }
  })
  const Singer = defineModel('Singer', Type.Object({ name: Type.String() }), {
    relations: { songs: { type: 'hasMany', model: 'Song' } }
  })
  const { app } = await makeApp(t, [Song, Singer])
  const [songs, singers] = [app.models.get('Song'), app.models.get('Singer')]
  const singer = await singers.create({ name: 'Nina' })
  const song = await toMany(singer, 'songs', songs).create({ title: 'Blue' })
  t.equal(song['title'], 'Blue')
  t.match(await toOne(song, 'singer', singers)(), { name: 'Nina' })
  const code = 'RELATION_INVALID'
  t.throws(() => toOne(song, 'nothing', singers), { code })
  t.throws(() => toOne(song, 'singer', songs), { code, message: /leads to Singer, not to Song/ })
  t.throws(() => toMany(singer, 'songs', singers), { code, message: /leads to Song, not to Singer/ })
  t.throws(() => toMany(song, 'singer', singers), { code, message: /leads to one record/ })
  t.throws(() => toOne(singer, 'songs', songs), { code, message: /leads to several records/ })
})

void t.test('an old row may hold a value under the name of a relation', async (t) => {
  const test = await makeApp(t, library)
  const collection = test.app.models.typeOf('Book').collection
  await collection?.insert([{ title: 'old', author: { name: 'embedded' } }])
  const book = await test.model('Book').findById(1)
  t.equal(typeof book?.['author'], 'function')
})
