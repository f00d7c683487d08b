import t from 'tap'
import { Model, type ModelDefinition } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const book: ModelDefinition = {
  name: 'Book',
  properties: {
    title: { type: 'string', required: true },
    pages: { type: 'number', default: 1 },
    tags: ['string'],
    meta: { type: 'object', default: { a: [] } },
    soldAt: { type: 'date', default: '2020-01-01' },
    code: { type: 'string', defaultFn: 'uuid' }
  }
}
const makeBook = (more: Partial<ModelDefinition> = {}) => buildModels([{ ...book, ...more }]).get('Book')

t.test('a new record has defaults, an id and the declared order', async (t) => {
  const Book = makeBook()
  const emma = await Book.create({ extra: 1, title: 'Emma' })
  t.strictSame(Object.keys(emma), ['title', 'pages', 'tags', 'meta', 'soldAt', 'code', 'id', 'extra'])
  t.match(emma, { pages: 1, meta: { a: [] }, code: /^[\da-f-]{36}$/, id: 1, extra: 1, tags: undefined })
  t.equal(emma.isNewRecord(), false)
  t.equal(emma['soldAt'], '2020-01-01', 'a date default stays text until the next read')
  t.match(await Book.findById(1), { soldAt: new Date('2020-01-01') })
})

t.test('defaults are for absent values; null is refused where there is one', async (t) => {
  const Book = makeBook()
  t.match((await Book.create({ title: 'Emma', code: undefined }))['code'], /-/)
  const refused = { code: 'VALIDATION_FAILED', details: { codes: { pages: ['presence'] } } }
  await t.rejects(Book.create({ title: 'Emma', pages: null }), refused)
})

t.test('default objects are not shared', async (t) => {
  const Book = makeBook()
  const [first, second] = await Book.create([{ title: 'a' }, { title: 'b' }])
  t.strictSame(first?.['meta'], second?.['meta'])
  t.not(first?.['meta'], second?.['meta'])
})

t.test('absent values are stored as null where the model says so', async (t) => {
  const Book = makeBook({ persistUndefinedAsNull: true })
  const record = await Book.create({ title: 'Emma' })
  t.match(record.toJSON(), { title: 'Emma', tags: null, pages: 1 })
  t.match(await Book.find({ where: { tags: null } }), [{ tags: null }])
})

t.test('what is stored shares nothing with what was given or returned', async (t) => {
  const Book = makeBook()
  const tags = ['a']
  const soldAt = new Date('2020-01-02')
  const record = await Book.create({ title: 'Emma', tags, soldAt, extra: { list: [1] } })
  tags.push('b')
  soldAt.setFullYear(1999)
  ;(record['tags'] as string[]).push('c')
  ;(record['extra'] as { list: number[] }).list.push(2)
  const found = await Book.findById(1)
  t.match(found, { tags: ['a'], soldAt: new Date('2020-01-02'), extra: { list: [1] } })
  ;(found as unknown as { soldAt: Date }).soldAt.setFullYear(1998)
  ;(found as unknown as { tags: string[] }).tags.push('d')
  t.match(await Book.findById(1), { tags: ['a'], soldAt: new Date('2020-01-02') })
})

t.test('nothing at all is an empty record', async (t) => {
  const Note = buildModels([{ name: 'Note' }]).get('Note')
  t.match(await Note.create(), { id: 1 })
  t.match(await Note.create(null as never), { id: 2 })
})

t.test('data is an object', async (t) => {
  const Book = makeBook()
  for (const data of ['x', 5, true, new Date()]) {
    await t.rejects(Book.create(data as never), { code: 'INVALID_VALUE', statusCode: 400 })
  }
  await t.rejects(Book.create([{ title: 'a' }, 5 as never]), { code: 'INVALID_VALUE' })
  t.equal(await Book.count(), 0)
})

t.test('an instance is stored as it is', async (t) => {
  const Book = makeBook()
  const emma = new Book({ title: 'Emma' })
  t.equal(emma.isNewRecord(), true)
  t.equal(await Book.create(emma as never), emma)
  t.strictSame([emma.isNewRecord(), emma.id], [false, 1])
})

t.test('a list is stored as a whole or not at all', async (t) => {
  const Book = makeBook()
  const error = {
    code: 'LIST_NOT_VALID',
    statusCode: 422,
    details: [null, { details: { codes: { title: ['presence'] } } }, null]
  }
  await t.rejects(Book.create([{ title: 'a' }, {}, { title: 'c' }]), error)
  t.equal(await Book.count(), 0)
  t.match(await Book.create([{ title: 'a' }, { title: 'b' }]), [{ id: 1 }, { id: 2 }])
  t.strictSame(await Book.create([]), [])
})

t.test('a list with an id that exists is not stored', async (t) => {
  const Book = makeBook({ forceId: false })
  await Book.create({ id: 7, title: 'a' })
  await t.rejects(Book.create([{ title: 'b' }, { id: 7, title: 'c' }]), { code: 'DUPLICATE_KEY', statusCode: 409 })
  await t.rejects(
    Book.create([
      { id: 9, title: 'b' },
      { id: 9, title: 'c' }
    ]),
    { code: 'DUPLICATE_KEY' }
  )
  t.equal(await Book.count(), 1)
  t.match(await Book.create({ title: 'b' }), { id: 8 })
})

const rival = {
  name: 'Rival',
  properties: { email: 'string', realm: 'string', born: { type: 'date', default: '2020-01-01' } },
  validations: [
    { property: 'email', rule: 'uniqueness', scopedTo: ['realm'] },
    { property: 'born', rule: 'uniqueness', if: 'realm' }
  ]
} as const

t.test('a value that has to be unique may stand once in a list', async (t) => {
  const Rival = buildModels([rival]).get('Rival')
  const refused = (...codes: (object | null)[]) => ({
    code: 'LIST_NOT_VALID',
    statusCode: 422,
    details: codes.map((one) => one && { details: { codes: one } })
  })
  const email = { email: ['uniqueness'] }
  await t.rejects(Rival.create([{ email: 'a' }, { email: 'b' }, { email: 'a' }]), refused(null, null, email))
  const dates = [{ realm: 'x' }, { realm: 'y', born: new Date('2020-01-01') }]
  await t.rejects(Rival.create(dates), refused(null, { born: ['uniqueness'] }), 'as what they are stored')
  t.equal(await Rival.count(), 0)
  await Rival.create([
    { email: 'a' },
    { email: 'a', realm: 'x', born: '2021-01-01' },
    { email: null },
    { email: null },
    {}
  ])
  t.equal(await Rival.count(), 5)
})

t.test('a record that breaks another rule takes no value from those after it', async (t) => {
  const properties = { ...rival.properties, title: { type: 'string', required: true } }
  const Rival = buildModels([{ ...rival, properties }]).get('Rival')
  const error = { code: 'LIST_NOT_VALID', details: [{ details: { codes: { title: ['presence'] } } }, null] }
  await t.rejects(Rival.create([{ email: 'a' }, { email: 'a', title: 'b' }]), error)
})

t.test('unique values are refused twice', async (t) => {
  const User = buildModels([{ name: 'User', properties: { email: { type: 'string', unique: true } } }]).get('User')
  await User.create({ email: 'a' })
  await t.rejects(User.create({ email: 'a' }), { code: 'DUPLICATE_KEY', model: 'User', property: 'email', value: 'a' })
  await t.rejects(User.create([{ email: 'b' }, { email: 'b' }]), { code: 'DUPLICATE_KEY', statusCode: 409, value: 'b' })
  t.equal(await User.count(), 1, 'all or none')
  await User.create([{}, {}])
})

t.test('a name with a dot cannot be stored, except in version 2', async (t) => {
  const data = { title: 'Emma', 'a.b': 1 }
  await t.rejects(makeBook().create(data), { code: 'INVALID_VALUE', statusCode: 400 })
  const Old = buildModels([book], { version: 2 }).get('Book')
  t.match(await Old.create(data), { 'a.b': 1 })
})

t.test('undeclared properties of a strict model are refused', async (t) => {
  const Book = makeBook({ strict: true })
  const error = { code: 'VALIDATION_FAILED', details: { codes: { extra: ['unknown-property'] } } }
  await t.rejects(Book.create({ title: 'Emma', extra: 1 }), error)
})

t.test('a hook may repair or break a record', async (t) => {
  const Book = makeBook()
  Book.observe('before save', ({ instance }) => {
    if (instance !== undefined) Object.assign(instance, { title: 5, pages: 'many' })
  })
  await t.rejects(Book.create({}), { code: 'VALIDATION_FAILED', details: { codes: { pages: ['number'] } } })
})

t.test('findOrCreate says whether it created', async (t) => {
  const Book = makeBook()
  const [created, isNew] = await Book.findOrCreate({ where: { title: 'Emma' } }, { title: 'Emma' })
  const [found, isNewAgain] = await Book.findOrCreate({ where: { title: 'Emma' } }, { title: 'Emma' })
  t.strictSame([isNew, isNewAgain, created.id, found.id], [true, false, 1, 1])
  t.ok(found instanceof Model)
})

t.test('creations that are not waited for are numbered in the order of the calls', async (t) => {
  for (const observed of [false, true]) {
    const Book = makeBook()
    if (observed) Book.observe('before save', async () => {})
    const calls = [
      Book.create([{ title: 'a' }, { title: 'b' }]),
      Book.create({ title: 'c' }),
      Book.create([{ title: 'd' }]),
      Book.create({ title: 'e' })
    ]
    await Promise.all(calls)
    const found = await Book.find({ order: 'id' })
    t.same(
      found.map((one) => one['title']),
      ['a', 'b', 'c', 'd', 'e']
    )
  }
})

t.test('creations come behind the other writes that were called before, and are not waited for', async (t) => {
  for (const isList of [false, true]) {
    const Book = makeBook()
    await Book.create({ title: 'old' })
    const deleting = Book.destroyAll({})
    await (isList ? Book.create([{ title: 'new' }]) : Book.create({ title: 'new' }))
    await deleting
    const found = await Book.find({})
    t.same(
      found.map((one) => one['title']),
      ['new']
    )
  }
})

t.test('an error while the rows of a list are made leaves nothing behind', async (t) => {
  const Book = makeBook()
  Book.observe('persist', async ({ data }) => {
    if (data?.['title'] === 'b') throw new Error('no')
  })
  await t.rejects(Book.create([{ title: 'a' }, { title: 'b' }]), { message: 'no' })
  await t.rejects(Book.create([{ title: 'b' }, {}]), { code: 'LIST_NOT_VALID' })
  t.equal(await Book.count(), 0)
})
