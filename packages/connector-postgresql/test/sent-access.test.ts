import { acl } from '@modelwire/acl'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { ask, classesOf, type RowServer, listOf, startRowServer } from './fixtures/row-servers.ts'

const rule = (principalId: string, permission: string, more: object = {}): object => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...more
})

const deny = rule('$everyone', 'DENY')
const ownRows = rule('$authenticated', 'ALLOW', { property: ['find', 'findById'], rows: '$owner' })

/** Users have things on shelves, and notes on things. */
function modelsWith(acls: {
  readonly Thing?: readonly object[]
  readonly Note?: readonly object[]
}): ModelDefinition[] {
  return [
    { name: 'User', properties: { name: 'string' } },
    {
      name: 'Shelf',
      public: true,
      plural: 'shelves',
      relations: { things: { type: 'hasMany', model: 'Thing', foreignKey: 'shelfId' } }
    },
    {
      name: 'Thing',
      public: true,
      properties: { userId: 'number', shelfId: 'number' },
      relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'thingId' } },
      acls: [...(acls.Thing ?? [])]
    },
    { name: 'Note', public: true, properties: { thingId: 'number' }, acls: [...(acls.Note ?? [])] }
  ]
}

/** Callers name themselves in a header. */
async function guard(app: FastifyInstance): Promise<void> {
  await app.register(acl, { roles: ['team', 'broken'] })
  for (const name of ['ACL', 'Role', 'RoleMapping']) app.models.attach(name, 'db')
  app.addHook('onRequest', async (request) => {
    const { user } = request.headers
    if (user === undefined) return
    request.principal = { userId: Number(user) }
    request.accessToken = request.principal
  })
}

async function compare(
  t: Test,
  [quick, reading]: readonly RowServer[],
  filter: object,
  user?: number,
  list = 'shelves'
) {
  const [path, sent] = [listOf(list, filter), user === undefined ? {} : { user: String(user) }]
  if (quick === undefined || reading === undefined) throw new RangeError('two servers are compared')
  const expected = await ask(reading, path, sent)
  const answer = await ask(quick, path, sent)
  t.equal(answer.body, expected.body, `${JSON.stringify(filter)} of ${user}`)
  t.equal(answer.statusCode, expected.statusCode)
  return answer.statusCode
}

type Acls = Parameters<typeof modelsWith>[0]
const things = { include: 'things' }
const notes = { include: { things: 'notes' } }

/** Rules, what is asked for, by whom; the status. */
const cases: readonly (readonly [string, Acls, object, number | undefined, number])[] = [
  ['no rules', {}, notes, undefined, 200],
  ['callers who may list all', { Thing: [deny, rule('$authenticated', 'ALLOW')] }, things, 2, 200],
  ['strangers who may not', { Thing: [deny, rule('$authenticated', 'ALLOW')] }, things, undefined, 401],
  ['nobody may', { Thing: [deny] }, things, 1, 401],
  ['nobody may, and there is nothing to see', { Thing: [deny] }, { ...things, where: { id: 2 } }, 1, 401],
  ['owners alone may, one by one', { Thing: [deny, rule('$owner', 'ALLOW')] }, { ...things, where: { id: 3 } }, 1, 401],
  ['the own records', { Thing: [deny, ownRows] }, things, 1, 200],
  ['what lies deeper is denied', { Note: [deny] }, notes, 1, 401],
  ['what lies deeper is not asked for', { Note: [deny] }, things, 1, 200]
]

async function fill(server: RowServer): Promise<void> {
  const { Shelf, Thing, Note } = classesOf(server)
  for (let shelf = 1; shelf <= 3; shelf++) await Shelf?.create({})
  for (const shelfId of [1, 3]) await Thing?.create({ userId: 1, shelfId })
  await Thing?.create({ userId: 2, shelfId: 1 })
  await Note?.create({ thingId: 1 })
}

/** A list of things, without what a rule keeps back. */
async function checkOwnList(t: Test, start: (acls: Acls, asSent: boolean) => Promise<RowServer>): Promise<void> {
  const fields = { except: ['shelfId'] }
  const shown = rule('$authenticated', 'ALLOW', { property: ['find', 'findById'], rows: '$owner', fields })
  const acls = { Thing: [deny, shown] }
  const server = await start(acls, true)
  const servers = [server, await start(acls, false)]
  const withNotes = { include: 'notes' }
  t.equal(await compare(t, servers, withNotes, 1, 'Things'), 200)
  const { body } = await ask(server, listOf('Things', withNotes), { user: '2' })
  t.same(JSON.parse(body), [{ id: 3, userId: 2, notes: [] }])
}

void t.test('what callers see of rows that are written as they were sent', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const start = (acls: Acls, asSent: boolean) =>
    startRowServer(t, { url: database.url, asSent, models: modelsWith(acls), prepare: guard })
  await fill(await start({}, true))
  for (const [name, acls, filter, user, status] of cases) {
    await t.test(name, async (t) => {
      const servers = [await start(acls, true), await start(acls, false)]
      t.equal(await compare(t, servers, filter, user), status)
    })
  }
  await t.test('a list of the own records, with the properties that are shown', async (t) => checkOwnList(t, start))
  await t.test('one caller after the other: nothing is kept of the first', async (t) => {
    const acls = { Thing: [deny, rule('team', 'ALLOW')] }
    const servers = [await start(acls, true), await start(acls, false)]
    for (const { app } of servers) app.access.registerRole('team', ({ principal }) => principal?.userId === 1)
    for (const [user, status] of [
      [1, 200],
      [2, 401],
      [undefined, 401],
      [1, 200]
    ] as const)
      t.equal(await compare(t, servers, things, user), status, String(user))
  })
  await t.test('a role that fails is told, whether there are records to show or not', async (t) => {
    const acls = { Thing: [deny, rule('broken', 'ALLOW')] }
    const servers = [await start(acls, true), await start(acls, false)]
    for (const { app } of servers)
      app.access.registerRole('broken', () => {
        throw new RangeError('no such role')
      })
    t.equal(await compare(t, servers, things, 1), 500)
    t.equal(await compare(t, servers, { ...things, where: { id: 2 } }, 1), 500)
  })
})
