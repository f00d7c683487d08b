import { acl } from '@modelwire/acl'
import { mysql } from '@modelwire/connector-mysql'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import { migrate, type ModelDefinition, modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import * as fc from 'fast-check'
import t, { type Test } from 'tap'

const skip = await whyNoServer()
const owners = ['u', 'u ', 'u  ', 'U', 'ú', ' u', 'v', 'V '] as const

const rule = (principalId: string, permission: string, more: object = {}): object => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...more
})
const id = { type: 'string', id: true, generated: false } as const
const acls = [rule('$everyone', 'DENY'), rule('$authenticated', 'ALLOW', { rows: '$owner' })] as never[]
const user = { type: 'belongsTo', model: 'User', foreignKey: 'userId' } as const
const notes = { type: 'hasMany', model: 'Note', foreignKey: 'userId' } as const
const models: readonly ModelDefinition[] = [
  { name: 'User', properties: { id }, relations: { notes } },
  {
    name: 'Note',
    plural: 'notes',
    public: true,
    properties: { id: { type: 'number', id: true, generated: false }, text: 'string', tag: 'string', userId: 'string' },
    relations: { user },
    acls
  },
  { name: 'Doc', plural: 'docs', public: true, properties: { id, text: 'string' } },
  {
    name: 'Team',
    plural: 'teams',
    public: true,
    properties: { id: { type: 'number', id: true, generated: false }, members: ['string'], code: 'string' },
    acls: [
      rule('$everyone', 'DENY'),
      rule('$authenticated', 'ALLOW', { rows: ({ userId }: { userId: unknown }) => ({ members: userId }) })
    ] as never[]
  },
  {
    name: 'Task',
    plural: 'tasks',
    public: true,
    properties: { id: { type: 'number', id: true, generated: false }, ownerCode: 'string' },
    relations: { person: { type: 'belongsTo', model: 'Person', foreignKey: 'ownerCode' } },
    acls: [
      rule('$everyone', 'DENY'),
      rule('$authenticated', 'ALLOW', { rows: ({ userId }: { userId: unknown }) => ({ 'person.name': userId }) })
    ] as never[]
  },
  { name: 'Person', properties: { id, name: 'string' } }
]

/** How tables were made: by a migration, or before with such a collation. */
const collations = [undefined, 'utf8mb4_bin', 'utf8mb4_general_ci', 'latin1_swedish_ci'] as const

async function open(t: Test, collation: string | undefined): Promise<FastifyInstance> {
  const { url, drop } = await createTestDatabase()
  if (collation !== undefined) {
    const text = `varchar(40) character set ${collation.split('_')[0] ?? ''} collate ${collation}`
    await runOn(url, `create table User (id ${text} primary key)`)
    await runOn(
      url,
      `create table Note (id bigint primary key, text ${text}, tag ${text}, userId ${text}, key (userId))`
    )
    await runOn(url, `create table Doc (id ${text} primary key, text ${text})`)
    await runOn(url, `create table Task (id bigint primary key, ownerCode ${text})`)
    await runOn(url, `create table Person (id ${text}, name ${text}, key (id))`)
  }
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await drop()
  })
  await app.register(modelwire, { dataSources: { db: mysql({ url }) }, models })
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping']) app.models.attach(name, 'db')
  app.addHook('onRequest', async (request) => {
    const { user: caller } = request.headers
    if (caller === undefined) return
    request.principal = { userId: decodeURIComponent(String(caller)) }
    request.accessToken = request.principal
  })
  await app.register(relations)
  await app.register(rest, { prefix: '/api', sharedMethods: { updateAll: true, deleteAll: true } })
  await app.ready()
  await migrate(app.models)
  return app
}

interface Sent {
  readonly status: number
  readonly body: unknown
}

const sender =
  (app: FastifyInstance) =>
  async (method: string, path: string, caller: string, payload?: object): Promise<Sent> => {
    const response = await app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: { user: encodeURIComponent(caller) },
      ...(payload && { payload })
    })
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json() }
  }

const idsOf = ({ body }: Sent): number[] => (body as { id: number }[]).map((each) => each.id).toSorted((a, b) => a - b)
const query = (filter: object): string => `?filter=${encodeURIComponent(JSON.stringify(filter))}`

for (const collation of collations) {
  const tables = collation === undefined ? 'new tables' : `tables in ${collation}`
  void t.test(
    `callers whose ids are the same to a collation have nothing of each other: ${tables}`,
    { skip },
    async (t) => {
      const app = await open(t, collation)
      const send = sender(app)
      const Note = app.models.get('Note')
      const pair = fc.record({ owner: fc.constantFrom(...owners), caller: fc.constantFrom(...owners) })
      const property = fc.asyncProperty(pair, async ({ owner, caller }) => {
        await Note.destroyAll()
        await Note.create(owners.map((userId, at) => ({ id: at + 1, userId, text: 'x', tag: 'y' })))
        const [own, other] = [owners.indexOf(caller) + 1, owners.indexOf(owner) + 1]
        const isOwn = own === other
        t.strictSame(idsOf(await send('GET', '/notes', caller)), [own])
        t.strictSame(idsOf(await send('GET', `/notes${query({ where: { tag: 'y' }, order: 'text' })}`, caller)), [own])
        t.match(await send('GET', '/notes/count', caller), { body: { count: 1 } })
        t.equal((await send('GET', `/notes/${other}`, caller)).status === 200, isOwn, 'by id')
        await send('POST', '/notes/update?where={"tag":"y"}', caller, { text: 'mine' })
        await send('PATCH', `/notes/${other}`, caller, { text: 'mine' })
        await send('PUT', `/notes/${other}`, caller, { id: other, text: 'mine', userId: caller })
        const changed = await Note.find({ where: { text: 'mine' } })
        t.strictSame(
          changed.map((each) => each['id']),
          [own],
          'changed'
        )
        await send('DELETE', `/notes/${other}`, caller)
        t.equal(await Note.count(), isOwn ? owners.length - 1 : owners.length)
      })
      await fc.assert(property, { numRuns: 30 })
    }
  )

  void t.test(`an id is the only one of its characters: ${tables}`, { skip }, async (t) => {
    const app = await open(t, collation)
    const send = sender(app)
    const Doc = app.models.get('Doc')
    const other = fc.constantFrom('e ', 'e  ', 'E', 'E ', 'é', 'É ')
    await fc.assert(
      fc.asyncProperty(other, async (name) => {
        await Doc.destroyAll()
        await Doc.create({ id: 'e', text: 'one' })
        const path = `/docs/${encodeURIComponent(name)}`
        t.equal((await send('GET', path, 'u')).status, 404)
        t.match(await send('DELETE', path, 'u'), { body: { count: 0 } })
        for (const method of ['PATCH', 'PUT'])
          t.equal((await send(method, path, 'u', { text: 'two' })).status, 404, `${method} ${JSON.stringify(name)}`)
        const { status } = await send('PUT', '/docs', 'u', { id: name, text: 'two' })
        const isHeld = collation === undefined
        if (isHeld) t.equal(status, 200)
        else t.ok([200, 409, 422].includes(status), `status ${status}`)
        t.match(await Doc.findById('e'), { text: 'one' })
        t.equal(await Doc.destroyById(name).then(({ count }) => count), status === 200 ? 1 : 0)
        t.match(await Doc.findById('e'), { text: 'one' })
      }),
      { numRuns: 20 }
    )
  })

  void t.test(
    `relations, lists and conditions on related records follow the same characters: ${tables}`,
    { skip },
    async (t) => {
      const app = await open(t, collation)
      const send = sender(app)
      const of = (name: string) => app.models.get(name)
      await of('User').create({ id: 'u' })
      await of('Note').create(owners.map((userId, at) => ({ id: at + 1, userId, text: 'x' })))
      const found = (await of('User').find({ include: 'notes' })).map((each) => each.toJSON())
      t.match(found, [{ id: 'u', notes: [{ id: 1 }] }])
      t.equal((found[0] as { notes: unknown[] }).notes.length, 1, 'included')
      const paged = (await of('User').find({ include: { relation: 'notes', scope: { limit: 2 } } })).map((each) =>
        each.toJSON()
      )
      t.equal((paged[0] as { notes: unknown[] }).notes.length, 1, 'included by pages')
      t.equal((await of('Note').find({ include: 'user' })).filter((each) => each.toJSON()['user']).length, 1)
      await of('Team').create(owners.map((member, at) => ({ id: at + 1, members: ['z', member], code: member })))
      await of('Person').create(
        owners.filter((_, at) => collation === undefined || at > -1).map((name, at) => ({ id: `p${at}`, name }))
      )
      await of('Task').create(owners.map((_, at) => ({ id: at + 1, ownerCode: `p${at}` })))
      await of('Task').create(owners.map((_, at) => ({ id: at + 101, ownerCode: `p${at} ` })))
      for (const [at, caller] of owners.entries()) {
        t.strictSame(idsOf(await send('GET', '/teams', caller)), [at + 1], `teams of ${JSON.stringify(caller)}`)
        t.strictSame(idsOf(await send('GET', '/tasks', caller)), [at + 1], `tasks of ${JSON.stringify(caller)}`)
        t.equal((await send('DELETE', `/tasks/${at + 101}`, caller)).status === 200, false)
      }
    }
  )
}

void t.test('a caller compares as the columns do, within what it may see', { skip }, async (t) => {
  const app = await open(t, 'utf8mb4_general_ci')
  const send = sender(app)
  await app.models.get('Note').create([
    { id: 1, userId: 'u', text: 'Lamp' },
    { id: 2, userId: 'U', text: 'lamp' }
  ])
  t.strictSame(idsOf(await send('GET', `/notes${query({ where: { text: 'LAMP ' } })}`, 'u')), [1])
  t.equal(await app.models.get('Note').count({ text: 'LAMP' }), 2)
  t.equal(await app.models.get('Note').count({ text: { inq: ['LAMP', 'x'] } }), 2)
})
