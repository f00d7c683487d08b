import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from '../rows/bank.ts'

const open = { accessType: 'EXECUTE' }
const without = (...except: string[]): object[] => [
  deny,
  rule('$everyone', 'ALLOW', { ...open, fields: { read: { except } } })
]

const nested = { options: { nestRemoting: true } }
const models: readonly ModelDefinition[] = [
  {
    name: 'Shelf',
    properties: { code: 'string' },
    relations: {
      things: { type: 'hasMany', model: 'Thing', foreignKey: 'shelfId', ...nested },
      first: { type: 'hasOne', model: 'Thing', foreignKey: 'shelfId', ...nested },
      tags: { type: 'hasMany', model: 'Tag', through: 'Link', foreignKey: 'shelfId', keyThrough: 'tagId' },
      marks: { type: 'hasMany', model: 'Mark', polymorphic: { as: 'on' } }
    }
  },
  {
    name: 'Thing',
    properties: { shelfId: 'number', userId: 'number', code: 'string' },
    relations: {
      user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' },
      shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'code', primaryKey: 'code' }
    }
  },
  { name: 'Link', properties: { shelfId: 'number', tagId: 'number' } },
  { name: 'Tag' },
  {
    name: 'Mark',
    relations: { on: { type: 'belongsTo', polymorphic: true } },
    properties: { onId: 'number', onType: 'string' }
  }
]

/** Shelves hold things, which are tagged, with marks on both. */
async function serve(t: Test, acls: Record<string, object[]>): Promise<FastifyInstance> {
  const app = await makeApp(
    t,
    models.map((model) => ({
      plural: `${model.name.toLowerCase()}s`,
      ...model,
      ...(acls[model.name] && { acls: acls[model.name] })
    }))
  )
  await app.models.get('User').create([{}, {}])
  await app.models.get('Shelf').create([{ code: 'a' }, { code: 'b' }])
  await app.models.get('Thing').create([{ shelfId: 1, userId: 1, code: 'a' }])
  await app.models.get('Tag').create([{}])
  await app.models.get('Link').create([{ shelfId: 1, tagId: 1 }])
  await app.models.get('Mark').create([{ onId: 1, onType: 'Shelf' }, {}])
  return app
}

const codeOf = async (app: FastifyInstance, line: string, data?: object): Promise<unknown> =>
  ((await send(app, line, data)).body as { error?: { code?: unknown } } | undefined)?.error?.code

/** What finds records by these properties, for a record that they join to others, and one that they do not. */
const cases: readonly [name: string, acls: Record<string, object[]>, lines: readonly string[]][] = [
  [
    'the key that related records hold',
    { Thing: without('shelfId') },
    [
      'GET /shelfs/:id/things',
      'GET /shelfs/:id/things/1',
      'GET /shelfs/:id/things/count',
      'GET /shelfs/:id/first',
      'DELETE /shelfs/:id/things',
      'GET /shelfs/:id/things/1/user',
      'GET /shelfs/:id/first/user',
      'GET /shelfs?filter={"include":"things","where":{"id"::id}}',
      'GET /shelfs?filter={"where":{"things":{"id"::id}}}'
    ]
  ],
  [
    'the keys that records between hold',
    { Link: without('tagId') },
    [
      'GET /shelfs/:id/tags',
      'GET /shelfs/:id/tags/1',
      'GET /shelfs/:id/tags/count',
      'HEAD /shelfs/:id/tags/rel/1',
      'GET /shelfs?filter={"include":"tags","where":{"id"::id}}',
      'GET /shelfs?filter={"where":{"tags":{"id"::id}}}'
    ]
  ],
  [
    'the name of the model that related records belong to',
    { Mark: without('onType') },
    [
      'GET /shelfs/:id/marks',
      'GET /shelfs/:id/marks/1',
      'GET /shelfs?filter={"include":"marks","where":{"id"::id}}',
      'GET /shelfs?filter={"where":{"marks":{"id"::id}}}'
    ]
  ],
  [
    'the name of the model that a record belongs to',
    { Mark: without('onType') },
    ['GET /marks/:id/on', 'GET /marks?filter={"include":"on","where":{"id"::id}}']
  ],
  [
    'the key of the record that a record belongs to',
    { Mark: without('onId') },
    ['GET /marks/:id/on', 'GET /marks?filter={"include":"on","where":{"id"::id}}']
  ],
  [
    'the property that a key is one of',
    { Shelf: without('code') },
    [
      'GET /things/:id/shelf',
      'GET /things?filter={"include":"shelf","where":{"id"::id}}',
      'GET /things?filter={"order":"shelf.id"}'
    ]
  ]
]

for (const [name, acls, lines] of cases)
  void t.test(`${name}: who may not read it does not follow it`, async (t) => {
    const app = await serve(t, acls)
    await app.models.get('Thing').create({ shelfId: 2, code: 'c' })
    for (const sent of lines.flatMap((line) => ['1', '2'].map((id) => line.replace(':id', id)))) {
      if (sent.startsWith('HEAD')) t.equal((await send(app, sent)).status, 401, sent)
      else t.equal(await codeOf(app, sent), 'PROPERTY_DENIED', sent)
    }
  })

void t.test('a key that is not read does not tell whether it leads to an own record', async (t) => {
  const owners = [deny, rule('$owner', 'ALLOW', { ...open, fields: { read: { except: ['shelfId'] } } })]
  const app = await serve(t, { Thing: owners })
  for (const line of ['GET /shelfs/:id/first', 'GET /shelfs/:id/first/user', 'GET /shelfs/:id/things/1/user'])
    t.strictSame(await send(app, line.replace(':id', '1')), await send(app, line.replace(':id', '2')), line)
  const included = (id: number) => send(app, `GET /shelfs/${id}?filter={"include":"first"}`)
  t.strictSame((await included(1)).status, 401)
  t.strictSame(await included(1), await included(2))
})
