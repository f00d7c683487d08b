import { sqlite } from '@modelwire/connector-sqlite'
import { defineOperation, migrate } from '@modelwire/core'
import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from './bank.ts'

const first = { rows: () => ({ tier: 1 }) }
const thing = { label: 'string', tier: 'number', userId: 'number', code: 'string' } as const
const note = {
  name: 'Note',
  plural: 'notes',
  relations: { thing: { type: 'belongsTo', model: 'Thing', foreignKey: 'thingId' } }
} as const

void t.test('of included records that rules say different things of, each is shown by its own rule', async (t) => {
  const acls = [
    deny,
    rule('$owner', 'ALLOW', { property: 'findById', fields: { read: { except: ['label'] } } }),
    rule('$everyone', 'ALLOW', { property: 'findById', ...first, fields: { read: { except: ['code'] } } })
  ]
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', properties: thing, acls }, note])
  await app.models.get('Thing').create([
    { tier: 2, userId: 1, label: 'a', code: 'a' },
    { tier: 1, userId: 2, label: 'b', code: 'b' },
    { tier: 2, userId: 2, label: 'c', code: 'c' }
  ])
  for (const order of [
    [1, 2, 3],
    [3, 2, 1],
    [2, 1, 3]
  ]) {
    await app.models.get('Note').destroyAll()
    await app.models.get('Note').create(order.map((thingId) => ({ thingId })))
    const { body } = await send(app, 'GET /notes?filter={"include":"thing"}')
    const shown = (body as { thingId: number; thing?: { id: number } }[]).filter((each) => each.thing !== undefined)
    t.strictSame(
      shown.map(({ thingId }) => thingId).toSorted((a, b) => a - b),
      [1, 2],
      'the third one is neither own nor of the first tier'
    )
    t.notMatch(JSON.stringify(body), /label|code/, 'what the rule of one of them keeps is shown of none')
  }
})

void t.test('a method of its own that names no record is not for callers of some records', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { property: 'sum', ...first })]
  const app = await makeApp(
    t,
    [{ name: 'Thing', plural: 'things', properties: thing, acls }],
    {},
    {
      prepare: ({ models }) => {
        defineOperation(models.get('Thing'), { name: 'sum', verb: 'GET', handler: () => undefined })
      }
    }
  )
  t.equal((await send(app, 'GET /things/sum')).status, 401)
})

void t.test('the answer to a write of a record that its caller cannot read shows what was sent', async (t) => {
  const acls = [
    deny,
    rule('$everyone', 'ALLOW', { property: 'create' }),
    rule('$everyone', 'ALLOW', { property: 'findById', ...first })
  ]
  const properties = { ...thing, code: { type: 'string', default: 'x' } } as const
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', properties, acls }])
  t.strictSame((await send(app, 'POST /things', { tier: 2 })).body, { id: 1, tier: 2 })
  t.match((await send(app, 'POST /things', { tier: 1 })).body, { id: 2, tier: 1, code: 'x' })
})

void t.test('a question of code about a relation is answered by the rules of the related model as well', async (t) => {
  const shelf = {
    name: 'Shelf',
    plural: 'shelves',
    relations: { things: { type: 'hasMany', model: 'Thing', foreignKey: 'tier' } }
  } as const
  const app = await makeApp(t, [shelf, { name: 'Thing', properties: thing, acls: [deny] }])
  await app.models.get('Shelf').create({})
  t.equal(await app.access.can({ userId: 1 }, 'Shelf.prototype.patchAttributes', 1), true)
  t.equal(await app.access.can({ userId: 1 }, 'Shelf.prototype.__get__things', 1), false)
})

void t.test('an order by the own and by related records names no property that is not read', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', fields: { read: { except: ['label'] } } })]
  const relations = { note: { type: 'belongsTo', model: 'Note', foreignKey: 'tier' } } as const
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', properties: thing, relations, acls }, note])
  const order = (...names: string[]) =>
    send(app, `GET /things?filter=${encodeURIComponent(JSON.stringify({ order: names }))}`)
  t.equal((await order('code ASC', 'note.id ASC')).status, 200)
  t.match(await order('label ASC', 'note.id ASC'), { body: { error: { code: 'PROPERTY_DENIED' } } })
})

void t.test('a database writes the text of related records for those alone who see all of them', async (t) => {
  const shelf = {
    name: 'Shelf',
    plural: 'shelves',
    relations: { things: { type: 'hasMany', model: 'Thing', foreignKey: 'userId' } }
  } as const
  const acls = [deny, rule('$everyone', 'ALLOW', { accessType: 'READ', ...first })]
  const connector = sqlite({ file: ':memory:' })
  const app = await makeApp(t, [shelf, { name: 'Thing', properties: thing, acls }], {}, { connector })
  await migrate(app.models)
  await app.models.get('Shelf').create({})
  await app.models.get('Thing').create([
    { tier: 1, userId: 1 },
    { tier: 2, userId: 1 }
  ])
  const byTier = async (tier: number) => (await send(app, `GET /shelves?filter={"where":{"things.tier":${tier}}}`)).body
  t.match([await byTier(1), await byTier(2)], [[{ id: 1 }], []], 'nor does it find any by records that they do not see')
  const { body } = await send(app, 'GET /shelves?filter={"include":"things"}')
  t.strictSame(
    (body as { things: { tier: number }[] }[])[0]?.things.map(({ tier }) => tier),
    [1]
  )
})

void t.test('the text that a database writes holds what is read, and was asked for', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { accessType: 'READ', fields: { read: ['label', 'tier'] } })]
  const connector = sqlite({ file: ':memory:' })
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', properties: thing, acls }], {}, { connector })
  await migrate(app.models)
  await app.models.get('Thing').create({ tier: 1, label: 'a', code: 'b' })
  t.strictSame((await send(app, 'GET /things')).body, [{ id: 1, label: 'a', tier: 1 }])
  t.strictSame((await send(app, 'GET /things?filter={"fields":["code","tier"]}')).body, [{ tier: 1 }])
})

void t.test('a database is not asked for protected properties of records within others', async (t) => {
  const shelf = {
    name: 'Shelf',
    plural: 'shelves',
    relations: { things: { type: 'hasMany', model: 'Thing', foreignKey: 'userId' } }
  } as const
  const connector = sqlite({ file: ':memory:' })
  const app = await makeApp(t, [shelf, { name: 'Thing', properties: thing, protected: ['code'] }], {}, { connector })
  await migrate(app.models)
  await app.models.get('Shelf').create({})
  await app.models.get('Thing').create([
    { code: 'a', userId: 1 },
    { code: 'b', userId: 1 }
  ])
  const include = (code: string) => `{"include":{"relation":"things","scope":{"where":{"code":"${code}"}}}}`
  t.equal((await send(app, `GET /shelves?filter=${include('a')}`)).status, 400)
  t.match(await send(app, 'GET /shelves?filter={"include":"things"}'), { body: [{ things: [{ id: 1 }, { id: 2 }] }] })
})

for (const [kind, tags] of Object.entries({
  'a list of keys': { type: 'referencesMany', model: 'Thing', foreignKey: 'thingIds' },
  'a model between': { type: 'hasMany', model: 'Thing', through: 'Link', foreignKey: 'noteId', keyThrough: 'thingId' }
}))
  void t.test(`${kind} leads to records that the caller may list`, async (t) => {
    const link = { name: 'Link', properties: { noteId: 'number', thingId: 'number' } } as const
    const notes = { name: 'Note', plural: 'notes', relations: { tags } }
    const included = async (acls: object[]) => {
      const app = await makeApp(t, [{ name: 'Thing', properties: thing, acls }, link, notes])
      await app.models.get('Thing').create([{ tier: 1 }, { tier: 2 }])
      await app.models.get('Note').create({ thingIds: [1, 2] })
      await app.models.get('Link').create([
        { noteId: 1, thingId: 1 },
        { noteId: 1, thingId: 2 }
      ])
      return send(app, 'GET /notes?filter={"include":"tags"}')
    }
    t.match(await included([deny, rule('$everyone', 'ALLOW', { property: 'findById' })]), { status: 401 })
    const { body } = await included([deny, rule('$everyone', 'ALLOW', { property: 'find', ...first })])
    t.strictSame(
      (body as { tags: { tier: number }[] }[])[0]?.tags.map(({ tier }) => tier),
      [1]
    )
  })

void t.test('a default that is stored nowhere is no more shown than what was asked for', async (t) => {
  const things = { type: 'hasMany', model: 'Thing', foreignKey: 'userId' } as const
  const properties = { ...thing, code: { type: 'string', default: 'x' } } as const
  const app = await makeApp(t, [
    { name: 'Shelf', plural: 'shelves', relations: { things } },
    { name: 'Thing', properties }
  ])
  await app.models.get('Shelf').create({})
  await app.models.typeOf('Thing').collection?.insert([{ userId: 1, label: 'a' }])
  const { body } = await send(app, 'GET /shelves?filter={"include":{"relation":"things","scope":{"fields":["label"]}}}')
  t.strictSame(body, [{ id: 1, things: [{ label: 'a', userId: 1 }] }])
})
