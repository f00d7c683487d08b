import t from 'tap'
import { hookNames } from '#src/hooks/hook-table.ts'
import type { ModelDefinition } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const book: ModelDefinition = {
  name: 'Book',
  properties: { title: { type: 'string', required: true }, pages: 'number', tags: ['string'] }
}

async function seed(more: Partial<ModelDefinition> = {}) {
  const Book = buildModels([{ ...book, ...more }]).get('Book')
  return { Book, dune: await Book.create({ title: 'Dune', pages: 412, tags: ['a'] }) }
}

t.test('a new instance is created', async (t) => {
  const { Book } = await seed()
  const emma = new Book({ title: 'Emma' })
  t.equal(await emma.save(), emma)
  t.match(emma, { id: 2 })
  t.equal(emma.isNewRecord(), false)
})

t.test('a stored one is stored as it is now, converted', async (t) => {
  const { Book, dune } = await seed()
  Object.assign(dune, { title: 'Dune!', pages: '5', tags: undefined, extra: 1 })
  t.equal(await dune.save(), dune)
  t.equal(dune['pages'], 5)
  t.strictSame((await Book.findById(1))?.toJSON(), { title: 'Dune!', pages: 5, id: 1, extra: 1 })
})

t.test('one that was read in part leaves the rest as it is', async (t) => {
  const { Book } = await seed()
  const part = await Book.findOne({ fields: ['id', 'title'] })
  Object.assign(part ?? {}, { title: 'Part' })
  await part?.save()
  t.strictSame((await Book.findById(1))?.toJSON(), { title: 'Part', pages: 412, tags: ['a'], id: 1 })
})

t.test('rules are asked, unless the call says no', async (t) => {
  const { Book, dune } = await seed()
  dune['title'] = ''
  await t.rejects(dune.save(), { code: 'VALIDATION_FAILED' })
  t.match(await Book.findById(1), { title: 'Dune' })
  await dune.save({ validate: false })
  t.match(await Book.findById(1), { title: '' })
  dune['pages'] = 'many'
  await t.rejects(dune.save({ validate: false }), {
    code: 'VALIDATION_FAILED',
    details: { codes: { pages: ['number'] } }
  })
})

t.test('a record that is gone is not found', async (t) => {
  const { Book, dune } = await seed()
  await Book.destroyAll()
  await t.rejects(dune.save(), { code: 'RECORD_NOT_FOUND', statusCode: 404 })
})

t.test('values of the default scope are forced', async (t) => {
  const { Book, dune } = await seed({ scope: { where: { pages: '5' } } })
  dune['pages'] = 9
  await dune.save()
  t.match(await Book.findById(1), { pages: 5 })
})

t.test('observers see the instance, then the data', async (t) => {
  const { Book, dune } = await seed()
  const log: string[] = []
  for (const hook of hookNames) {
    Book.observe(hook, ({ Model: _model, hookState: _state, options: _options, ...facts }) => {
      log.push(`${hook}: ${Object.keys(facts).toSorted().join()} ${String(facts.isNewInstance)}`)
    })
  }
  Book.observe('before save', ({ instance }) => void (instance !== undefined && (instance['pages'] = '8')))
  Book.observe('persist', ({ data }) => void (data !== undefined && (data['secretly'] = 1)))
  await dune.save()
  t.strictSame(log, [
    'before save: instance undefined',
    'persist: currentInstance,data,where undefined',
    'loaded: data,isNewInstance false',
    'after save: instance,isNewInstance false'
  ])
  t.equal(dune['pages'], 8)
  t.match(await Book.findById(1), { pages: 8, secretly: 1 })
})
