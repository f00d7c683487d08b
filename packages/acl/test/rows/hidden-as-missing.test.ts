import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from './bank.ts'

const first = (): object => ({ tier: 1 })
const ofFirst = { accessType: 'EXECUTE', rows: first }
const thing = { id: { type: 'number', id: true, generated: false }, tier: 'number', label: 'string' } as const

/** Tags of things, joined by links. */
const throughLinks = {
  type: 'hasMany',
  model: 'Tag',
  through: 'Link',
  foreignKey: 'thingId',
  keyThrough: 'tagId'
} as const

async function serve(
  t: Test,
  models: readonly ModelDefinition[],
  rows: Record<string, object[]>
): Promise<FastifyInstance> {
  const app = await makeApp(
    t,
    models.map((model) => ({ plural: `${model.name.toLowerCase()}s`, strict: true, forceId: false, ...model }))
  )
  await app.models.get('User').create([{ name: 'a' }, { name: 'b' }])
  for (const [name, list] of Object.entries(rows)) await app.models.get(name).create(list.map((row) => ({ ...row })))
  return app
}

const asMissing = async (t: Test, app: FastifyInstance, hidden: string, missing: string, data?: object) =>
  t.strictSame(await send(app, hidden, data), await send(app, missing, data), hidden)

void t.test('what a client may not set is told of records that it may see, and of no others', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { ...ofFirst, fields: { write: ['tier'] } })]
  const app = await serve(t, [{ name: 'Thing', properties: thing, acls }], {
    Thing: [
      { id: 1, tier: 1, label: 'a' },
      { id: 2, tier: 2, label: 'a' }
    ]
  })
  const data = { label: 'b' }
  t.match(await send(app, 'PATCH /things/1', data), { body: { error: { code: 'PROPERTY_DENIED' } } })
  for (const label of ['a', 'b']) {
    for (const line of ['PATCH /things/:id', 'PUT /things/:id', 'POST /things/:id/replace'])
      await asMissing(t, app, line.replace(':id', '2'), line.replace(':id', '9'), { label })
    for (const line of ['PATCH /things', 'PUT /things', 'POST /things/replaceOrCreate'])
      t.strictSame(await send(app, line, { id: 2, label }), await send(app, line, { id: 9, label }), line)
  }
})

void t.test('a record that is the own one but not shown is refused like one that is missing', async (t) => {
  const acls = [deny, rule('$owner', 'ALLOW', ofFirst)]
  const models: ModelDefinition[] = [
    {
      name: 'Thing',
      properties: { ...thing, userId: 'number' },
      acls,
      relations: { lock: { type: 'belongsTo', model: 'Lock' } }
    },
    { name: 'Lock', acls: [deny] },
    { name: 'Note', relations: { thing: { type: 'belongsTo', model: 'Thing', foreignKey: 'thingId' } } }
  ]
  const app = await serve(t, models, {
    Thing: [
      { id: 1, tier: 1, userId: 1 },
      { id: 2, tier: 2, userId: 1 }
    ],
    Note: [{ thingId: 1 }, { thingId: 2 }, { thingId: 9 }]
  })
  t.match(await send(app, 'GET /things/1?filter={"include":"lock"}'), { body: { error: { code: 'INCLUDE_DENIED' } } })
  await asMissing(t, app, 'GET /things/2?filter={"include":"lock"}', 'GET /things/9?filter={"include":"lock"}')
  await asMissing(t, app, 'GET /things/2?filter={"order":"no such"}', 'GET /things/9?filter={"order":"no such"}')
  t.match(await send(app, 'GET /notes/1?filter={"include":"thing"}'), { status: 200, body: { thing: { id: 1 } } })
  await asMissing(t, app, 'GET /notes/2?filter={"include":"thing"}', 'GET /notes/3?filter={"include":"thing"}')
})

void t.test(
  'a record that something hidden joins to another is reached through it no more than any other',
  async (t) => {
    const models: ModelDefinition[] = [
      { name: 'Thing', properties: thing, relations: { tags: { ...throughLinks, options: { nestRemoting: true } } } },
      {
        name: 'Link',
        properties: { ...thing, thingId: 'number', tagId: 'number' },
        acls: [deny, rule('$everyone', 'ALLOW', ofFirst)]
      },
      { name: 'Tag', properties: thing, relations: { marks: { type: 'hasMany', model: 'Mark', foreignKey: 'tagId' } } },
      { name: 'Mark', properties: { tagId: 'number' } }
    ]
    const app = await serve(t, models, {
      Thing: [{ id: 1 }],
      Tag: [{ id: 1 }, { id: 2 }],
      Link: [
        { id: 1, tier: 1, thingId: 1, tagId: 1 },
        { id: 2, tier: 2, thingId: 1, tagId: 2 }
      ],
      Mark: [{ tagId: 1 }, { tagId: 2 }]
    })
    t.match(await send(app, 'GET /things/1/tags/1/marks'), { status: 200, body: [{ tagId: 1 }] })
    const [hidden, other] = [
      await send(app, 'GET /things/1/tags/2/marks'),
      await send(app, 'GET /things/1/tags/3/marks')
    ]
    t.match(hidden, { status: 404, body: { error: { code: 'RECORD_NOT_FOUND' } } })
    t.match(other, { status: 404, body: { error: { code: 'RECORD_NOT_FOUND' } } })
  }
)

void t.test('a related record that is hidden is not counted, and refused like one that is missing', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', ofFirst)]
  const models: ModelDefinition[] = [
    {
      name: 'Thing',
      properties: thing,
      relations: { tags: throughLinks, only: { type: 'hasOne', model: 'Tag', foreignKey: 'thingId' } }
    },
    { name: 'Link', properties: { ...thing, thingId: 'number', tagId: 'number' } },
    { name: 'Tag', properties: { ...thing, thingId: 'number' }, acls }
  ]
  const app = await serve(t, models, {
    Thing: [{ id: 1 }, { id: 2 }, { id: 3 }],
    Tag: [
      { id: 1, tier: 1, thingId: 1 },
      { id: 2, tier: 2, thingId: 2 }
    ],
    Link: [
      { id: 1, thingId: 1, tagId: 1 },
      { id: 2, thingId: 1, tagId: 2 }
    ]
  })
  t.strictSame((await send(app, 'GET /things/1/tags/count')).body, { count: 1 })
  t.match(await send(app, 'GET /things/1/only'), { status: 200, body: { id: 1 } })
  t.equal((await send(app, 'GET /things/2/only')).status, 401)
  await asMissing(t, app, 'GET /things/2/only', 'GET /things/3/only')
  await asMissing(t, app, 'PUT /things/2/only', 'PUT /things/3/only', { label: 'n' })
  await asMissing(t, app, 'DELETE /things/2/only', 'DELETE /things/3/only')
})
