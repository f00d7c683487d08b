import t from 'tap'
import type { Call } from '#src/contract/call.ts'
import type { CoreOptions, ModelDefinition } from '#src/index.ts'
import { repository } from '#src/plugin-api.ts'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

/** A book is not sold while it is a draft; its code is unique in its shop. */
const book: ModelDefinition = {
  name: 'Book',
  forceId: false,
  properties: {
    title: { type: 'string', required: true },
    pages: 'number',
    state: { type: 'string', default: 'draft' },
    sold: 'boolean',
    code: 'string',
    shop: 'number'
  },
  validations: {
    state: { rule: 'inclusion', in: ['draft', 'done'] },
    code: { rule: 'uniqueness', scopedTo: ['shop'] }
  }
}

async function seed(options: CoreOptions = {}) {
  const registry = buildModels([book], options)
  const model = registry.typeOf('Book')
  model.rules.push({
    property: 'sold',
    kind: 'custom',
    options: {},
    sync: true,
    check: ({ record }) =>
      record['sold'] === true && record['state'] === 'draft'
        ? [{ property: 'sold', code: 'custom', message: 'is a draft' }]
        : []
  })
  await registry.get('Book').create([
    { title: 'Dune', state: 'done', code: 'a', shop: 1 },
    { title: 'Emma', code: 'b', shop: 1 },
    { title: 'Iliad', code: 'c', shop: 2 }
  ])
  return { model, Book: registry.get('Book') }
}

type Write = (model: Awaited<ReturnType<typeof seed>>['model'], call: Call) => Promise<unknown>

const patchOf =
  (data: object): Write =>
  (model, call) =>
    repository.patchOrCreate(model, data, call)
const updateOf =
  (where: object, data: object): Write =>
  (model, call) =>
    repository.updateAll(model, where, data, call)
const upsertOf =
  (where: object, data: object): Write =>
  (model, call) =>
    repository.upsertWithWhere(model, where, data, call)

const invalid: readonly (readonly [name: string, write: Write, property: string])[] = [
  ['a patch of the collection', patchOf({ id: 1, title: '' }), 'title'],
  ['a patch of the collection, by a rule of several values', patchOf({ id: 2, sold: true }), 'sold'],
  ['a patch of the collection that creates', patchOf({ id: 9, pages: 3 }), 'title'],
  ['an update of many', updateOf({}, { state: 'odd' }), 'state'],
  ['an update of many, with null', updateOf({ id: 1 }, { title: null }), 'title'],
  ['an update of many, by a rule of several values', updateOf({}, { sold: true }), 'sold'],
  ['an update of many, with a value of another record', updateOf({ id: 2 }, { code: 'a' }), 'code'],
  ['an update of many, with one value for several', updateOf({ shop: 1 }, { code: 'z' }), 'code'],
  ['an update of many, by what a unique value is scoped to', updateOf({ id: 3 }, { shop: 1, code: 'b' }), 'code'],
  ['an upsert by where', upsertOf({ id: 2 }, { sold: true, title: 'Emma', state: 'draft' }), 'sold'],
  ['an upsert by where, of what is stored', upsertOf({ id: 2 }, { sold: true }), 'sold']
]

for (const [name, write, property] of invalid) {
  t.test(`${name} by a client leaves valid records alone`, async (t) => {
    const { model, Book } = await seed()
    const before = (await Book.find()).map((record) => record.toJSON())
    await t.rejects(write(model, clientCall()), {
      code: 'VALIDATION_FAILED',
      details: { codes: { [property]: [/./] } }
    })
    t.strictSame(
      (await Book.find()).map((record) => record.toJSON()),
      before
    )
  })
}

t.test('writes of a client that leave valid records are carried out', async (t) => {
  const { model, Book } = await seed()
  const call = clientCall()
  t.match(await repository.patchOrCreate(model, { id: 1, pages: 3 }, call), { title: 'Dune', pages: 3 })
  t.match(await repository.patchOrCreate(model, { id: 9, title: 'New' }, call), { id: 9, state: 'draft' })
  t.match(await repository.upsertWithWhere(model, { id: 1 }, { sold: true }, call), { title: 'Dune', sold: true })
  t.strictSame(await repository.updateAll(model, { state: 'done' }, { sold: true }, call), { count: 1 })
  t.strictSame(await repository.updateAll(model, { id: 2 }, { code: 'z' }, call), { count: 1 })
  t.strictSame(await repository.updateAll(model, { shop: 1 }, { code: null }, call), { count: 2 })
  t.strictSame(await repository.updateAll(model, { id: 3 }, { code: 'c' }, call), { count: 1 })
  t.match(await Book.findById(9), { title: 'New' })
})

t.test('an upsert by where keeps the id of the record that matches', async (t) => {
  const { model, Book } = await seed()
  for (const id of ['', 7, null, [1]])
    await t.rejects(repository.upsertWithWhere(model, { id: 1 }, { id, sold: true }, clientCall()), {
      code: 'ID_MISMATCH'
    })
  t.equal(await Book.count(), 3)
  t.match(await repository.upsertWithWhere(model, { id: 1 }, { id: '1', sold: true }, clientCall()), {
    id: 1,
    sold: true
  })
})

t.test('code, and clients of LoopBack, store by these methods what they like', async (t) => {
  const { Book } = await seed()
  await Book.updateAll({}, { state: 'odd' })
  await Book.patchOrCreate({ id: 1, title: '' })
  t.match(await Book.findById(1), { title: '', state: 'odd' })
  const old = await seed({ compat: true })
  await repository.updateAll(old.model, {}, { state: 'odd' }, clientCall())
  await repository.patchOrCreate(old.model, { id: 1, title: '' }, clientCall())
  t.match(await old.Book.findById(1), { title: '', state: 'odd' })
})

t.test('an update of more records than rules can look at is refused', async (t) => {
  const { model, Book } = await seed()
  await Book.create(Array.from({ length: 10_000 }, (_, at) => ({ title: `t${at}` })))
  await t.rejects(repository.updateAll(model, {}, { sold: false }, clientCall()), { code: 'LIMIT_EXCEEDED' })
  t.strictSame(await repository.updateAll(model, { id: { lt: 3 } }, { sold: false }, clientCall()), { count: 2 })
})

t.test('a property that comes from the caller has its default where there is none', async (t) => {
  const by = { type: 'string', fromCaller: 'userId', default: 'nobody' } as const
  const model = buildModels([{ name: 'Note', properties: { by, editor: { ...by, nullable: true } } }]).typeOf('Note')
  t.match(await repository.create(model, {}, clientCall()), { by: 'nobody', editor: null })
})
