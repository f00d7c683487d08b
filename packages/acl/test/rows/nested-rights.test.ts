import type { ModelDefinition } from '@modelwire/core'
import t from 'tap'
import type { AclOptions } from '#src/index.ts'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from './bank.ts'

const id = { type: 'number', id: true, generated: false } as const
const all = { accessType: 'EXECUTE' }

void t.test('a relation changes no keys and parts that its caller may not set', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { ...all, fields: { write: { except: ['tagIds', 'parts'] } } })]
  const note = (more: object): ModelDefinition[] => [
    {
      name: 'Note',
      plural: 'notes',
      properties: { tagIds: ['number'], parts: ['Part'] },
      relations: {
        tags: { type: 'referencesMany', model: 'Tag', foreignKey: 'tagIds' },
        pieces: { type: 'embedsMany', model: 'Part', property: 'parts' }
      },
      ...more
    },
    { name: 'Tag' },
    { name: 'Part', dataSource: null, public: false, properties: { id, label: 'string' } }
  ]
  const lines: readonly [string, object | undefined][] = [
    ['PUT /notes/1/tags/rel/2', undefined],
    ['DELETE /notes/1/tags/rel/1', undefined],
    ['POST /notes/1/tags', {}],
    ['POST /notes/1/pieces', { label: 'n' }],
    ['PUT /notes/1/pieces/1', { label: 'n' }],
    ['DELETE /notes/1/pieces/1', undefined]
  ]
  for (const [line, data] of lines) {
    const [open, closed] = [await makeApp(t, note({})), await makeApp(t, note({ acls }))]
    for (const app of [open, closed]) {
      await app.models.get('Tag').create([{}, {}])
      await app.models.get('Note').create({ tagIds: [1], parts: [{ id: 1, label: 'a' }] })
    }
    t.ok((await send(open, line, data)).status < 300, line)
    t.match(await send(closed, line, data), { status: 401, body: { error: { code: 'PROPERTY_DENIED' } } }, line)
    const kept = await closed.models.get('Note').findById(1)
    t.match(kept?.toJSON(), { tagIds: [1], parts: [{ label: 'a' }] }, line)
  }
})

void t.test('a route through a record is for those who may read it, and what lies behind it', async (t) => {
  const relations = (more: object) => ({
    things: { type: 'hasMany', model: 'Thing', foreignKey: 'shelfId', options: { nestRemoting: true } },
    ...more
  })
  const serve = async (acls: Record<string, object[]>) => {
    const models = [
      { name: 'Shelf', plural: 'shelves', relations: relations({}) },
      {
        name: 'Thing',
        properties: { id, shelfId: 'number', tier: 'number' },
        forceId: false,
        relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'thingId' } }
      },
      { name: 'Note', properties: { thingId: 'number' } }
    ] as ModelDefinition[] // of relations with types
    const app = await makeApp(
      t,
      models.map((model) => ({ ...model, ...(acls[model.name] && { acls: acls[model.name] ?? [] }) }))
    )
    await app.models.get('Shelf').create({})
    await app.models.get('Thing').create([
      { id: 1, shelfId: 1, tier: 1 },
      { id: 2, shelfId: 1, tier: 2 }
    ])
    await app.models.get('Note').create([{ thingId: 1 }, { thingId: 2 }])
    return app
  }
  const rows = await serve({ Thing: [deny, rule('$everyone', 'ALLOW', { ...all, rows: () => ({ tier: 1 }) })] })
  t.match(await send(rows, 'GET /shelves/1/things/1/notes'), { status: 200, body: [{ thingId: 1 }] })
  t.equal((await send(rows, 'GET /shelves/1/things/2/notes')).status, 401)
  t.equal((await send(rows, 'GET /shelves/1/things/3/notes')).status, 401)
  const behind = await serve({ Note: [deny] })
  t.equal((await send(behind, 'GET /shelves/1/things/1/notes')).status, 401)
})

const through = { type: 'hasMany', model: 'Tag', through: 'Link', foreignKey: 'thingId', keyThrough: 'tagId' } as const

const joined = async (t: Parameters<typeof makeApp>[0], acls: Record<string, object[]>, options: AclOptions = {}) => {
  const models: ModelDefinition[] = [
    { name: 'Thing', plural: 'things', relations: { tags: through } },
    { name: 'Link', properties: { thingId: 'number', tagId: 'number' } },
    { name: 'Tag', properties: { tier: 'number' } }
  ]
  const app = await makeApp(
    t,
    models.map((model) => ({ ...model, ...(acls[model.name] && { acls: acls[model.name] ?? [] }) })),
    options
  )
  await app.models.get('Thing').create([{}, {}])
  await app.models.get('Tag').create([{ tier: 1 }, { tier: 2 }, { tier: 1 }])
  await app.models.get('Link').create([
    { thingId: 1, tagId: 1 },
    { thingId: 1, tagId: 2 }
  ])
  const links = async () => (await app.models.get('Link').find()).map(({ tagId }) => tagId)
  return { app, links }
}

void t.test('no route joins a record to one that its caller may not see, or takes it away', async (t) => {
  const ofFirst = [deny, rule('$everyone', 'ALLOW', { ...all, rows: () => ({ tier: 1 }) })]
  const { app, links } = await joined(t, { Tag: ofFirst })
  for (const tag of [2, 9])
    for (const line of [
      'GET /things/1/tags',
      'PUT /things/2/tags/rel',
      'DELETE /things/1/tags/rel',
      'DELETE /things/1/tags',
      'HEAD /things/1/tags/rel'
    ])
      t.equal((await send(app, `${line}/${tag}`)).status, 401, `${line}/${tag}`)
  t.strictSame(await links(), [1, 2])
  t.equal((await send(app, 'GET /things/2/tags/3')).status, 401, 'nor is one that is not joined told from these')
  t.equal((await send(app, 'PUT /things/1/tags/rel/3')).status, 200)
  t.strictSame(await links(), [1, 2, 3])
})

void t.test('records are joined and parted by who may create and delete what lies between', async (t) => {
  const mayNot = (...methods: string[]) => [deny, rule('$everyone', 'ALLOW', { property: ['find', ...methods] })]
  const lines = [
    'PUT /things/2/tags/rel/1',
    'DELETE /things/1/tags/rel/1',
    'DELETE /things/1/tags',
    'POST /things/1/tags'
  ]
  const statuses = async (...methods: string[]) => {
    const answers: number[] = []
    for (const line of lines) {
      const { app } = await joined(t, { Link: mayNot(...methods) })
      answers.push((await send(app, line, line.startsWith('POST') ? {} : undefined)).status)
    }
    return answers
  }
  t.strictSame(await statuses(), [401, 401, 401, 401])
  t.strictSame(await statuses('create'), [200, 401, 401, 200])
  t.strictSame(await statuses('deleteById'), [401, 204, 401, 401])
  t.strictSame(await statuses('destroyAll'), [401, 401, 204, 401])
})

void t.test('where the parent decides, the rules of what lies between do not count', async (t) => {
  const { app, links } = await joined(t, { Link: [deny] }, { nested: 'parent' })
  t.equal((await send(app, 'PUT /things/1/tags/rel/3')).status, 200)
  t.equal((await send(app, 'DELETE /things/1/tags/rel/1')).status, 204)
  t.strictSame(await links(), [2, 3])
})
