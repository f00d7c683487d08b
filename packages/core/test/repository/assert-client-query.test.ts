import t from 'tap'
import type { ModelClass } from '#src/index.ts'
import { buildModels } from '../build-models.ts'

const client = { prohibitHiddenPropertiesInQuery: true }

/** Records of two tenants, of whom a client only ever sees the first. */
async function seed(): Promise<ModelClass> {
  const note = { name: 'Note', hidden: ['tenant'], properties: { text: 'string', tenant: 'number' } }
  const Note = buildModels([note]).get('Note')
  await Note.create([
    { text: 'a', tenant: 1 },
    { text: 'b', tenant: 2 }
  ])
  Note.observe('access', ({ query = {} }) => {
    query['where'] = { and: [query['where'] ?? {}, { tenant: 1 }] }
  })
  return Note
}

t.test('observers may narrow the queries of clients by hidden properties', async (t) => {
  const Note = await seed()
  t.match(await Note.find({}, client), [{ text: 'a' }])
  t.equal((await Note.find({ where: { text: 'b' } }, client)).length, 0)
  t.equal(await Note.findById(2, {}, client), null)
  t.equal(await Note.count({}, client), 1)
  t.strictSame(await Note.updateAll({}, { text: 'c' }, client), { count: 1 })
  t.match(await Note.upsertWithWhere({ text: 'c' }, { text: 'd' }, client), { id: 1 })
  t.strictSame(await Note.destroyAll({}, client), { count: 1 })
  Note.clearObservers('access')
  t.match(await Note.find(), [{ text: 'b' }])
})

t.test('clients still may not name them', async (t) => {
  const Note = await seed()
  const error = { code: 'HIDDEN_PROPERTY_IN_FILTER' }
  const where = { or: [{ text: 'a' }, { tenant: 2 }] }
  await t.rejects(Note.find({ where }, client), error)
  await t.rejects(Note.find({ order: 'tenant' }, client), error)
  await t.rejects(Note.count(where, client), error)
  await t.rejects(Note.updateAll(where, { text: 'x' }, client), error)
  await t.rejects(Note.upsertWithWhere(where, { text: 'x' }, client), error)
  await t.rejects(Note.destroyAll(where, client), error)
})

t.test('observers of updates and deletions may do the same', async (t) => {
  const Note = await seed()
  Note.clearObservers('access')
  const narrow = (context: { where?: Record<string, unknown> }) => {
    context.where = { and: [context.where ?? {}, { tenant: 2 }] }
  }
  Note.observe('before save', narrow)
  Note.observe('before delete', narrow)
  t.strictSame(await Note.updateAll({}, { text: 'x' }, client), { count: 1 })
  t.strictSame(await Note.destroyAll({}, client), { count: 1 })
  t.match(await Note.find(), [{ text: 'a', tenant: 1 }])
})
