import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineModel, type Instance, type ModelClass, type ModelOf, type ModelsOf } from '#src/index.ts'
import { buildRegistry } from '#src/build-registry.ts'
import { buildModels } from '../build-models.ts'

type Equal<A, B> = [A, B] extends [B, A] ? true : false

/** Compiles only where two types are the same. */
const assertSame = (..._same: readonly true[]): void => {}

const BookSchema = Type.Object(
  {
    title: Type.String({ minLength: 1 }),
    pages: Type.Optional(Type.Integer()),
    genre: Type.Union([Type.Literal('prose'), Type.Literal('verse')], { default: 'prose' }),
    soldAt: Type.Union([Type.Date(), Type.Null()])
  },
  { additionalProperties: false }
)
const models = { Book: defineModel('Book', BookSchema), Plain: { name: 'Plain' } }
type BookRecord = { title: string; genre: 'prose' | 'verse'; pages?: number; soldAt: Date | null }

t.test('a model of TypeBox is private and strict unless it says otherwise', async (t) => {
  t.match(models.Book, { name: 'Book', public: false, strict: true, properties: { title: { type: 'string' } } })
  const shared = defineModel('Shared', Type.Object({ a: Type.String() }), { public: true, plural: 'shareds' })
  t.match(shared, { public: true, plural: 'shareds', strict: true })
  for (const additionalProperties of [true, Type.String()])
    t.match(defineModel('Open', Type.Object({}, { additionalProperties })), { strict: false })
  t.match(defineModel('Loose', Type.Object({}), { strict: false }), { strict: false })
  t.match(defineModel('Loose', Type.Object({}, { additionalProperties: false }), { strict: false }), { strict: false })
})

t.test('a plain definition keeps what is not declared, a strict one refuses it by its name', async (t) => {
  const registry = buildModels([
    { name: 'Plain' },
    defineModel('Typed', Type.Object({ a: Type.Optional(Type.String()) }))
  ])
  t.match(await registry.get('Plain').create({ more: 1 }), { more: 1 })
  await t.rejects(registry.get('Typed').create({ a: 'x', more: 1 }), {
    code: 'VALIDATION_FAILED',
    message: /more is not defined in the model/,
    details: { codes: { more: ['unknown-property'] } }
  })
  t.match(await registry.get('Typed').create({ a: 'x' }), { a: 'x', id: 1 })
})

t.test('a definition knows the type of its records', async () => {
  type Models = ModelsOf<typeof models>
  assertSame(true satisfies Equal<Models['Book'] extends ModelClass<infer T, infer _F> ? T : never, BookRecord>)
  assertSame(true satisfies Equal<Models['Plain'], ModelClass>)
  assertSame(true satisfies Equal<ModelOf<typeof BookSchema>, ModelClass<BookRecord>>)
})

t.test('methods of a class are typed by its records', async () => {
  type Book = ModelClass<BookRecord>
  assertSame(true satisfies Equal<Awaited<ReturnType<Book['findOrCreate']>>, [Instance<BookRecord>, boolean]>)
  assertSame(true satisfies Equal<Instance<BookRecord>['id'], number>)
  assertSame(true satisfies Equal<Instance<{ id: string }>['id'], string>)
  assertSame(true satisfies Equal<ReturnType<Instance<BookRecord>['toJSON']>, BookRecord>)
})

// Never called: these lines only have to compile, or must not.
export async function checkTypes(Book: ModelClass<BookRecord>): Promise<void> {
  const { title, genre, id } = await Book.create({ title: 'Emma', genre: 'prose', soldAt: null })
  await Book.find({
    where: { title, genre: { inq: [genre] }, id, and: [{ pages: { gt: 1 } }] },
    order: 'title DESC',
    limit: 1
  })
  await Book.updateAll({ pages: { between: [1, 2] } }, { pages: 3 })
  // @ts-expect-error pages are numbers
  await Book.find({ where: { pages: { gt: 'x' } } })
  // @ts-expect-error there is no such genre
  await Book.create({ title: 'Emma', genre: 'drama', soldAt: null })
  // @ts-expect-error a title is required
  await Book.create({ genre: 'prose', soldAt: null })
  Book.observe('before save', ({ instance, data }) => {
    const draft = instance ?? data ?? {}
    draft.title = draft.title?.trim()
    // @ts-expect-error pages are numbers
    draft.pages = 'x'
  })
  Book.observe('after save', ({ instance }) => instance?.title.trim())
  Book.observe('access', ({ query }) => query?.where?.genre)
  Book.observe('a name of its own', (context) => context['anything'])
  // @ts-expect-error fields are properties
  await Book.find({ fields: ['tilte'] })
}

t.test('records of such a model are stored with defaults and validated', async (t) => {
  const registry = buildRegistry({ models }, () => {})
  const Book = registry.get('Book')
  const book = new Book({ title: 5, soldAt: '2020-01-02' })
  t.match(book.toJSON(), { title: '5', genre: 'prose', soldAt: new Date('2020-01-02') })
})
