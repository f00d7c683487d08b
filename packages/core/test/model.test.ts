import t from 'tap'
import { stateOf, typeOf } from '#src/contract/model-instance.ts'
import type { Model, ModelClass } from '#src/index.ts'
import { buildModels } from './build-models.ts'

const properties = {
  title: 'string',
  pages: { type: 'number', default: 7 },
  soldAt: 'date',
  secret: { type: 'string', hidden: true },
  email: 'string',
  lines: [{ count: 'number' }]
}

function makeBook() {
  const registry = buildModels([{ name: 'Book', properties, protected: ['email'] }])
  return { registry, Book: registry.get('Book') }
}

/** The same record as core itself sees it. */
const asModel = (record: object): Model => record as Model

t.test('an instance shows its properties and nothing else', async (t) => {
  const { Book } = makeBook()
  const book = new Book({ title: 5, soldAt: '2020-01-01', extra: 1 })
  const names = ['title', 'pages', 'soldAt', 'secret', 'email', 'lines', 'id', 'extra']
  t.strictSame(Object.keys(book), names)
  t.strictSame(Object.keys({ ...book }), names)
  t.strictSame(Object.getOwnPropertySymbols(book), [])
  t.match(book, { title: '5', pages: 7, soldAt: new Date('2020-01-01'), extra: 1 })
})

t.test('the state of an instance is hidden and its own', async (t) => {
  const { registry, Book } = makeBook()
  const [first, second] = [new Book({ pages: 'x' }), new Book()]
  t.equal(typeOf(asModel(first)), registry.typeOf('Book'))
  t.match(stateOf(asModel(first)), { persisted: false, unusable: new Map([['pages', { code: 'number' }]]) })
  t.equal(stateOf(asModel(second)).unusable, undefined)
  t.strictSame([first.isNewRecord(), first.getId()], [true, undefined])
})

t.test('data cannot reach the object model', async (t) => {
  const { Book } = makeBook()
  const text = '{"__proto__":{"polluted":1},"constructor":"x","toString":"y","isNewRecord":1,"getId":2}'
  const data = JSON.parse(text) as Record<string, unknown>
  const book = await Book.create(data)
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
  t.equal(Object.getPrototypeOf(book), Book.prototype)
  t.equal(typeOf(asModel(book)).name, 'Book')
  const found = await Book.findById(1)
  if (found === null) throw new TypeError('it was stored')
  t.equal(Object.hasOwn(found, '__proto__'), true)
  await Book.prototype.patchAttributes.call(found, { title: 'a' })
  await Book.prototype.save.call(found)
  t.strictSame(await Book.prototype.destroy.call(found), { count: 1 })
})

t.test('JSON leaves out hidden and absent properties, an object does not leave out hidden ones', async (t) => {
  const { Book } = makeBook()
  const book = new Book({ title: 'a', secret: 's', email: 'e', lines: [{ count: 1 }] })
  t.strictSame(book.toJSON(), { title: 'a', pages: 7, email: 'e', lines: [{ count: 1 }] })
  t.strictSame(book.toObject(), { title: 'a', pages: 7, secret: 's', email: 'e', lines: [{ count: 1 }] })
  t.equal(JSON.stringify([book]), '[{"title":"a","pages":7,"email":"e","lines":[{"count":1}]}]')
  const plain = book.toJSON()
  ;(plain['lines'] as { count: number }[]).push({ count: 2 })
  t.strictSame(book['lines'], [{ count: 1 }])
})

t.test('related records are shown, their protected properties left out', async (t) => {
  const { Book } = makeBook()
  const [outer, inner] = [new Book({ title: 'a', email: 'e' }), new Book({ title: 'b', email: 'e', secret: 's' })]
  stateOf(asModel(outer)).related = { sequel: inner, list: [inner], none: null }
  const shown = { title: 'b', pages: 7 }
  t.strictSame(outer.toJSON(), { title: 'a', pages: 7, email: 'e', sequel: shown, list: [shown], none: null })
  t.match(outer.toObject(), { sequel: { secret: 's' } })
})

t.test('attributes are set converted', async (t) => {
  const { Book } = makeBook()
  const book = new Book({ pages: 'x' })
  book.setAttributes({ title: 5, pages: '8', extra: true })
  t.match(book, { title: '5', pages: 8, extra: true })
  t.equal(stateOf(asModel(book)).unusable?.size, 0)
})

t.test('a record is read again', async (t) => {
  const { Book } = makeBook()
  const book = await Book.create({ title: 'a' })
  await Book.updateAll({ title: 'b' })
  t.match(await book.reload(), { title: 'b' })
  t.match(book, { title: 'a' })
})

const staticAliases: Readonly<Record<string, keyof ModelClass>> = {
  upsert: 'patchOrCreate',
  updateOrCreate: 'patchOrCreate',
  patchOrCreateWithWhere: 'upsertWithWhere',
  update: 'updateAll',
  remove: 'destroyAll',
  deleteAll: 'destroyAll',
  deleteById: 'destroyById',
  removeById: 'destroyById'
}

t.test('other names call the method that the class has now', async (t) => {
  const { Book } = makeBook()
  const model = Book as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const [alias, name] of Object.entries(staticAliases)) {
    model[name] = (...args) => [name, ...args]
    t.strictSame(model[alias]?.(1, 2), [name, 1, 2], alias)
  }
  const book = new Book() as unknown as typeof model
  for (const [alias, name] of [
    ['updateAttributes', 'patchAttributes'],
    ['delete', 'destroy'],
    ['remove', 'destroy']
  ] as const) {
    Object.defineProperty(book, name, { value: () => name, configurable: true })
    t.equal(book[alias]?.(), name, alias)
  }
})

t.test('observers are added, removed and told', async (t) => {
  const { Book } = makeBook()
  const log: string[] = []
  const observer = () => void log.push('seen')
  Book.observe('after login', observer)
  const context = { Model: Book, hookState: {}, options: {} }
  t.equal(await Book.notifyObserversOf(['after login', 'other'], context), context)
  await Book.notifyObserversOf('after login', context)
  t.equal(Book.removeObserver('after login', observer), true)
  Book.observe('after login', observer)
  Book.clearObservers('after login')
  await Book.notifyObserversOf('after login', context)
  t.strictSame(log, ['seen', 'seen'])
})

t.test('a model that extends another has its properties, methods and observers', async (t) => {
  const registry = buildModels([
    { name: 'Publication', properties: { title: 'string' }, hidden: ['title'] },
    { name: 'Magazine', base: 'Publication', properties: { issue: 'number' } }
  ])
  const [Publication, Magazine] = [registry.get('Publication'), registry.get('Magazine')]
  let seen = 0
  Publication.observe('before save', () => void seen++)
  const magazine = await Magazine.create({ title: 'a', issue: 1 })
  t.ok(magazine instanceof Publication)
  t.strictSame([seen, Object.keys(magazine)], [1, ['issue', 'title', 'id']])
  t.strictSame(magazine.toJSON(), { issue: 1, id: 1 })
  t.equal(await Publication.count(), 0, 'records are apart')
})
