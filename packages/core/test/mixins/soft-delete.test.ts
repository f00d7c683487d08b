import t from 'tap'
import { buildModels } from '../build-models.ts'

async function seed(options: unknown = true) {
  const registry = buildModels([
    { name: 'Note', properties: { text: 'string' }, mixins: { SoftDelete: options } },
    { name: 'Memo', base: 'Note' }
  ])
  const Note = registry.get('Note')
  await Note.create([{ text: 'a' }, { text: 'b' }])
  return { registry, Note }
}

t.test('a removed record is marked and no query finds it', async (t) => {
  const { registry, Note } = await seed()
  t.strictSame(await Note.destroyById(1), { count: 1 })
  t.strictSame(await Note.destroyById(1), { count: 0 })
  t.match(await Note.find(), [{ text: 'b' }])
  t.strictSame([await Note.count(), await Note.exists(1), await Note.findById(1)], [1, false, null])
  const rows = await registry.typeOf('Note').collection?.find({ order: [], skip: 0 })
  t.match(rows, [{ text: 'a', deletedAt: Date }, { text: 'b' }])
})

t.test('it can neither be changed nor replaced', async (t) => {
  const { Note } = await seed()
  const note = await Note.findById(1)
  await note?.destroy()
  await t.rejects(Note.replaceById(1, { text: 'x' }), { code: 'RECORD_NOT_FOUND' })
  await t.rejects(Note.patchOrCreate({ id: 1, text: 'x' }), { code: 'RECORD_NOT_FOUND' })
  t.strictSame(await Note.updateAll({ id: 1 }, { text: 'x' }), { count: 0 })
})

t.test('all are removed, models that extend it included', async (t) => {
  const { registry, Note } = await seed({ deletedAt: 'gone' })
  const Memo = registry.get('Memo')
  await Memo.create({ text: 'm' })
  t.strictSame(await Note.destroyAll({ text: 'a' }), { count: 1 })
  t.strictSame(await Note.destroyAll(), { count: 1 })
  t.strictSame([await Note.count(), await Memo.count()], [0, 1])
  t.strictSame(await Memo.destroyById(1), { count: 1 })
  t.equal(await Memo.count(), 0)
})

t.test('the mark is hidden', async (t) => {
  const { Note } = await seed()
  t.strictSame((await Note.findById(1))?.toJSON(), { text: 'a', id: 1 })
  await t.rejects(Note.find({ where: { deletedAt: null } }, { prohibitHiddenPropertiesInQuery: true }), {
    code: 'HIDDEN_PROPERTY_IN_FILTER'
  })
})
