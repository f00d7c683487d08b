import t from 'tap'
import { memory } from '@modelwire/connector-memory'
import { buildRegistry } from '#src/build-registry.ts'
import type { ModelDefinition } from '#src/index.ts'

const note = { name: 'Note', properties: { userId: 'number', text: 'string', at: 'date', data: 'object' } }

interface Seed {
  readonly compat?: boolean
  readonly settings?: object
  readonly dataSource?: object
}

async function seed({ compat = false, settings = {}, dataSource = {} }: Seed = {}) {
  const definition: ModelDefinition = { ...note, ...settings }
  const db = { connector: memory(), settings: { ...dataSource } }
  const registry = buildRegistry({ dataSources: { db }, models: [definition], compat }, (error) => {
    throw error
  })
  const Note = registry.get('Note')
  await Note.create([{ userId: 1, text: 'a' }, { userId: 2, text: 'b' }, { text: 'c' }])
  return Note
}

/** What variables without a value are, which the types refuse. */
const none = undefined as never

const missing: readonly (readonly [where: Record<string, unknown>, path: string])[] = [
  [{ userId: undefined }, 'userId'],
  [{ text: 'a', userId: NaN }, 'userId'],
  [{ at: new Date('never') }, 'at'],
  [{ text: new Date('never') }, 'text'],
  [{ 'data.owner': undefined }, 'data.owner'],
  [{ userId: { gt: undefined } }, 'userId.gt'],
  [{ userId: { neq: NaN } }, 'userId.neq'],
  [{ userId: { inq: [1, undefined] } }, 'userId.inq.1'],
  [{ userId: { inq: Array(2) } }, 'userId.inq.0'],
  [{ userId: { between: [1, NaN] } }, 'userId.between.1'],
  [{ or: [{ text: 'a' }, { and: [{ userId: undefined }] }] }, 'or.1.and.0.userId'],
  [{ nor: [undefined] }, 'nor.0']
]

t.test('a condition without a value is refused, with its path, and nothing is read or changed', async (t) => {
  const Note = await seed()
  for (const [where, path] of missing) {
    const refused = { code: 'INVALID_FILTER', statusCode: 400, message: new RegExp(`^${path} has no value`) }
    const calls: Promise<unknown>[] = [
      Note.find({ where }),
      Note.findOne({ where }),
      Note.count(where),
      Note.updateAll(where, { text: 'x' }),
      Note.destroyAll(where),
      Note.upsertWithWhere(where, { text: 'x' }),
      Note.findOrCreate({ where }, { text: 'x' })
    ]
    for (const call of calls) await t.rejects(call, refused, path)
  }
  t.strictSame(
    (await Note.find()).map(({ text }) => text),
    ['a', 'b', 'c']
  )
})

t.test('observers cannot leave out a value either', async (t) => {
  const Note = await seed()
  Note.observe('access', ({ query }) => Object.assign(query ?? {}, { where: { userId: undefined } }))
  await t.rejects(Note.destroyAll({ text: 'a' }), { code: 'INVALID_FILTER' })
})

t.test('no condition at all is all records', async (t) => {
  const Note = await seed()
  t.equal(await Note.count(undefined), 3)
  t.equal((await Note.find({ where: undefined } as never)).length, 3)
})

const found = async (seeded: Seed, where: Record<string, unknown>, options?: object) =>
  (await (await seed({ compat: true, ...seeded })).find({ where }, { ...options })).map(({ text }) => text)

t.test('in compat mode what is undefined is removed', async (t) => {
  t.strictSame(await found({}, { userId: undefined }), ['a', 'b', 'c'])
  t.strictSame(await found({}, { text: 'b', userId: undefined }), ['b'])
  t.strictSame(await found({}, { userId: { inq: [1, undefined] } }), ['a'])
  t.strictSame(await found({}, { and: [undefined, { text: 'b' }] }), ['b'])
  t.strictSame(await found({ dataSource: { normalizeUndefinedInQuery: 'ignore' } }, { userId: undefined }), [
    'a',
    'b',
    'c'
  ])
})

t.test('normalizeUndefinedInQuery makes it null, or refuses it', async (t) => {
  const nullify = { normalizeUndefinedInQuery: 'nullify' }
  const refuse = { normalizeUndefinedInQuery: 'throw' }
  t.strictSame(await found({ dataSource: nullify }, { userId: undefined }), ['c'])
  t.strictSame(await found({ settings: nullify }, { userId: { inq: [2, undefined] } }), ['b', 'c'])
  await t.rejects(found({ dataSource: refuse }, { userId: undefined }), {
    code: 'INVALID_FILTER',
    message: 'Unexpected `undefined` in query: userId'
  })
  t.strictSame(await found({ dataSource: refuse }, { text: 'a' }), ['a'])
})

t.test('options of the call come before settings of the model, and these before the data source', async (t) => {
  const all = { dataSource: { normalizeUndefinedInQuery: 'throw' }, settings: { normalizeUndefinedInQuery: 'nullify' } }
  t.strictSame(await found(all, { userId: undefined }), ['c'])
  t.strictSame(await found(all, { userId: undefined }, { normalizeUndefinedInQuery: 'ignore' }), ['a', 'b', 'c'])
})

t.test('a change without data is refused; without a condition only where it is the only argument', async (t) => {
  const Note = await seed()
  const noData = { code: 'INVALID_ARGUMENT' }
  await t.rejects(Note.updateAll({ text: 'a' }, none), noData)
  await t.rejects(Note.updateAll({ text: 'a' }, none, {}), noData)
  t.equal(await Note.count({ text: 'a' }), 1)
  t.strictSame(await Note.updateAll({ text: 'x' }), { count: 3 })
})

t.test('the first record at all is not what findOrCreate looks for', async (t) => {
  const Note = await seed()
  for (const filter of [none, {}, { where: none }])
    await t.rejects(Note.findOrCreate(filter, { text: 'z' }), { code: 'INVALID_ARGUMENT' })
  t.equal(await Note.count(), 3)
})

t.test('an observer that leaves no condition leaves the one of the call; {} means all', async (t) => {
  const Note = await seed()
  Note.observe('access', async ({ query }) => {
    if (query !== undefined) delete query['where']
  })
  t.strictSame(await Note.destroyAll({ text: 'a' }), { count: 1 })
  const All = await seed()
  All.observe('before delete', async (context) => {
    context.where = none
  })
  t.strictSame(await All.destroyAll({ text: 'a' }), { count: 1 })
  All.observe('before delete', async (context) => {
    context.where = {}
  })
  t.strictSame(await All.destroyAll({ text: 'b' }), { count: 2 })
})
