import t from 'tap'
import type { ModelDefinition } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const names = (list: readonly object[]) => list.map((record) => ('name' in record ? record.name : undefined))

/** A model under a scope with records that were stored around it. */
async function seed(scope: unknown, more: Partial<ModelDefinition> = {}) {
  const notes = { properties: { name: 'string', size: 'number', hidden: 'boolean', kind: 'string' }, plural: 'notes' }
  const models = buildModels([{ name: 'Note', ...notes, ...more, scope }])
  const Note = models.get('Note')
  const rows = [
    { name: 'a', size: 3, hidden: false },
    { name: 'b', size: 1, hidden: true },
    { name: 'c', size: 2, hidden: false }
  ]
  await models.typeOf('Note').collection?.insert(rows)
  return Note
}

t.test('the conditions of scope and filter hold together', async (t) => {
  const Note = await seed({ where: { hidden: false } })
  t.strictSame(names(await Note.find()), ['a', 'c'])
  t.strictSame(names(await Note.find({ where: { size: { lt: 3 } } })), ['c'])
  t.strictSame(names(await Note.find({ where: { hidden: true } })), [])
  t.equal(await Note.count(), 2)
  t.equal(await Note.count({ name: 'b' }), 0)
  t.equal(await Note.findById(2), null)
  t.equal(await Note.exists(2), false)
  t.match(await Note.findById(1), { name: 'a' })
})

t.test('updates and deletions stay within the scope', async (t) => {
  const Note = await seed({ where: { size: { gt: 1 } } })
  t.strictSame(await Note.updateAll({}, { kind: 'x' }), { count: 2 })
  t.strictSame(await Note.destroyById(2), { count: 0 })
  t.strictSame(await Note.destroyAll(), { count: 2 })
})

t.test('plain values of the scope are forced on what is written', async (t) => {
  const Note = await seed({ where: { hidden: false, kind: null, size: { lt: 9 }, or: [{ name: 'a' }, { name: 'z' }] } })
  const z = await Note.create({ name: 'z', hidden: true, kind: 'x' })
  t.match(z, { hidden: false, kind: 'x', size: undefined })
  t.match(await Note.create([{ name: 'z', hidden: true }]), [{ hidden: false }])
  t.strictSame(await Note.updateAll({ name: 'a' }, { hidden: true }), { count: 1 })
  t.match(await Note.findById(1), { hidden: false })
})

t.test('values are forced as their types, from below and, on declared properties alone', async (t) => {
  const Note = await seed({ where: { and: [{ size: '7' }, { 'kind.of': 'x', unknown: 1 }] } })
  t.strictSame((await Note.create({ name: 'z' })).toJSON(), { name: 'z', size: 7, id: 4 })
})

t.test('a scope that asks for null lets code set a value', async (t) => {
  const Note = await seed({ where: { kind: null } })
  await (await Note.findById(1))?.patchAttributes({ kind: 'gone' })
  t.equal(await Note.findById(1), null)
})

t.test('a record outside of the scope can be neither replaced nor updated by its id', async (t) => {
  const Note = await seed({ where: { size: { gt: 1 } } })
  await t.rejects(Note.replaceById(2, { name: 'x', size: 5 }), { code: 'RECORD_NOT_FOUND' })
  await t.rejects(Note.patchOrCreate({ id: 2, name: 'x' }), { code: 'RECORD_NOT_FOUND' })
  await t.rejects(Note.replaceOrCreate({ id: 2, name: 'x' }), { code: 'RECORD_NOT_FOUND' })
  const Free = await seed({ where: { size: { gt: 1 } } }, { forceId: false })
  await t.rejects(Free.patchOrCreate({ id: 2, name: 'x' }), { code: 'DUPLICATE_KEY' })
  await t.rejects(Free.replaceOrCreate({ id: 2, name: 'x', size: 5 }), { code: 'DUPLICATE_KEY' })
  t.match(await Free.replaceOrCreate({ id: 1, name: 'x', size: 5 }), { name: 'x' })
})

t.test("the filter's order wins, the scope's limit, skip and fields do", async (t) => {
  const Note = await seed({ order: 'size', limit: 2, skip: 1, fields: ['name'] })
  t.strictSame(names(await Note.find()), ['c', 'a'])
  t.strictSame(names(await Note.find({ order: 'name DESC', limit: 1, skip: 0 })), ['b', 'a'])
  t.strictSame(
    (await Note.find({ fields: ['size'] })).map((note) => note.toJSON()),
    [{ name: 'c' }, { name: 'a' }]
  )
})

t.test('a scope may be a function, which is asked each time', async (t) => {
  let hidden = false
  const Note = await seed(() => ({ where: { hidden } }))
  const filter = Object.freeze({ order: 'name' })
  t.strictSame(names(await Note.find(filter)), ['a', 'c'])
  hidden = true
  t.strictSame(names(await Note.find(filter)), ['b'])
})

t.test('a scope may name hidden properties', async (t) => {
  const Note = await seed({ where: { hidden: false } }, { hidden: ['hidden'] })
  t.strictSame(names(await Note.find({}, { prohibitHiddenPropertiesInQuery: true })), ['a', 'c'])
})

t.test('a model reads the scope of its base by its own types', async (t) => {
  const models = buildModels([
    { name: 'Base', properties: { code: 'string' }, scope: { where: { code: '5' } } },
    { name: 'Derived', base: 'Base', properties: { code: 'number' } }
  ])
  await models.get('Base').create({})
  t.match(await models.get('Base').find(), [{ code: '5' }])
  await models.get('Derived').create({})
  t.match(await models.get('Derived').find(), [{ code: 5 }])
})

t.test('what is no object is no scope', async (t) => {
  for (const scope of ['x', null, [], () => undefined]) t.equal(await (await seed(scope)).count(), 3)
})
