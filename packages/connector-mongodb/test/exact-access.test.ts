import { acl } from '@modelwire/acl'
import { heardWarning } from '@modelwire/connector-tests'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import { type ModelDefinition, modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'

const id = { type: 'string', id: true, generated: false } as const
const rule = (principalId: string, permission: string, more: object = {}): object => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...more
})
const rows = ({ userId }: { userId: unknown }): object => ({ tags: userId })
const models: readonly ModelDefinition[] = [
  { name: 'User', properties: { id }, relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'userId' } } },
  {
    name: 'Note',
    plural: 'notes',
    public: true,
    properties: { id, text: 'string', userId: 'string' },
    relations: { user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' } },
    acls: [rule('$everyone', 'DENY'), rule('$authenticated', 'ALLOW', { rows: '$owner' })] as never[]
  },
  {
    name: 'Team',
    plural: 'teams',
    public: true,
    properties: { id, tags: ['string'] },
    acls: [rule('$everyone', 'DENY'), rule('$authenticated', 'ALLOW', { rows })] as never[]
  }
]

interface Opened {
  readonly app: FastifyInstance
  readonly send: (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => Promise<Sent>
}

interface Sent {
  readonly status: number
  readonly body: unknown
}

/** Collections that ignore case; requests are those of the user "u". */
async function open(t: Test, settings: object = {}): Promise<Opened> {
  const { url, client, drop } = await createTestDatabase()
  for (const name of ['User', 'Note', 'Team'])
    await client.db().createCollection(name, { collation: { locale: 'en', strength: 2 } })
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await drop()
  })
  await app.register(modelwire, { dataSources: { db: mongodb({ url, ...settings }) }, models })
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping']) app.models.attach(name, 'db')
  app.addHook('onRequest', async (request) => {
    request.principal = { userId: 'u' }
    request.accessToken = request.principal
  })
  await app.register(relations)
  await app.register(rest, { prefix: '/api', sharedMethods: { updateAll: true, deleteAll: true } })
  await app.ready()
  const send: Opened['send'] = async (method, path, payload) => {
    const response = await app.inject({ method, url: `/api${path}`, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json() }
  }
  return { app, send }
}

for (const settings of [{}, { lazyConnect: true }])
  void t.test(
    `a collation that ignores case opens nothing to a user of another case ${JSON.stringify(settings)}`,
    async (t) => {
      const { app, send } = await open(t, settings)
      const Note = app.models.get('Note')
      await Note.create([
        { id: 'a', text: 'Tea', userId: 'u' },
        { id: 'b', text: 'Tea', userId: 'U' }
      ])
      const own = [{ id: 'a', text: 'Tea', userId: 'u' }]
      t.strictSame((await send('GET', '/notes')).body, own)
      t.strictSame((await send('GET', '/notes?filter={"where":{"text":"tEA"}}')).body, own, 'a caller asks as it is')
      t.strictSame((await send('GET', '/notes/count')).body, { count: 1 })
      t.not((await send('GET', '/notes/b')).status, 200)
      t.equal((await send('GET', '/notes/A')).status, 401, 'ids are the same by their characters')
      t.equal((await send('PATCH', '/notes/A', { text: 'x' })).status, 401)
      t.strictSame((await send('POST', '/notes/update', { text: 'mine' })).body, { count: 1 })
      await send('PATCH', '/notes/b', { text: 'mine' })
      await send('PUT', '/notes/b', { text: 'mine', userId: 'u' })
      await send('DELETE', '/notes/b')
      t.match(await Note.findById('b'), { text: 'Tea', userId: 'U' })
      t.match(await Note.findById('a'), { text: 'mine' })
      t.equal(await Note.findById('B'), null)
    }
  )

void t.test('lists, includes and replaced records follow the same characters', async (t) => {
  const isTold = heardWarning(t)
  const { app, send } = await open(t)
  t.ok(await isTold('User, Note, Team'))
  const connector = app.models.dataSources.get('db')?.connector
  const facts = await connector?.examine?.([app.models.typeOf('Note')])
  t.match(facts, [
    { model: 'Note', effect: 'differs', reason: /^the collection Note treats different strings as equal/ }
  ])
  const [User, Note, Team] = ['User', 'Note', 'Team'].map((name) => app.models.get(name))
  await User?.create({ id: 'u' })
  await Note?.create(['u', 'U'].map((userId, at) => ({ id: `n${at}`, userId })))
  await Team?.create([
    { id: 's', tags: ['x', 'U'] },
    { id: 't', tags: ['x', 'u'] },
    { id: 'v', tags: [] }
  ])
  t.match((await send('GET', '/teams')).body, [{ id: 't' }])
  for (const scope of [{}, { limit: 5 }]) {
    const [user] = (await User?.find({ include: { relation: 'notes', scope } })) ?? []
    t.match(user?.toJSON(), { notes: [{ id: 'n0' }] })
    t.equal(Object(user?.toJSON()).notes.length, 1)
  }
  await t.rejects(async () => Note?.upsert({ id: 'N0', text: 'x', userId: 'u' }), { code: 'DUPLICATE_KEY' })
  t.match(await Note?.findById('n0'), { userId: 'u' })
})

void t.test('signs of expressions, line ends and long texts are characters', async (t) => {
  const { app } = await open(t)
  const Note = app.models.get('Note')
  const texts = ['a.c', 'abc', 'a\n', 'a', '(', '\\', '^a$', 'a|b', '']
  await Note.create(texts.map((userId, at) => ({ id: `n${at}`, userId })))
  const collection = app.models.typeOf('Note').collection
  const type = { kind: 'string' } as const
  const count = async (test: object): Promise<number | undefined> =>
    collection?.count({ kind: 'test', path: ['userId'], type, ...test } as never)
  for (const value of texts) {
    t.equal(await count({ test: 'equals', value }), 1, JSON.stringify(value))
    t.equal(await count({ test: 'equals', value, negated: true }), texts.length - 1)
    t.equal(await count({ test: 'in', values: [value, 'none', null] }), 1)
    t.equal(await count({ test: 'in', values: [value, 'none'], negated: true }), texts.length - 1)
  }
  const notImplemented = { code: 'NOT_IMPLEMENTED', statusCode: 501 }
  t.equal(await count({ test: 'in', values: Array.from({ length: 9 }, (_, at) => `${at}`.repeat(9000)) }), 0)
  await t.rejects(count({ test: 'equals', value: 'x'.repeat(40_000) }), notImplemented)
  await t.rejects(count({ test: 'range', bounds: [{ is: '>', value: 'a' }] }), notImplemented)
})
