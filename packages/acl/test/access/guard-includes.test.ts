import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { shelfModels } from '../shelves.ts'

const models = (acls: object[]) => shelfModels({ properties: { userId: 'number' }, acls })

const cases: [string, object[], boolean, number | undefined, number][] = [
  ['records that nobody may read are not included', [deny], true, 1, 401],
  ['nor for strangers', [deny, rule('$owner', 'ALLOW')], true, undefined, 401],
  ['records of others are not included', [deny, rule('$owner', 'ALLOW')], true, 2, 401],
  ['nor own ones by a rule for one record', [deny, rule('$owner', 'ALLOW')], true, 1, 401],
  ['records that the caller may list are', [deny, rule('$authenticated', 'ALLOW', { property: 'find' })], true, 2, 200],
  ['checkIncludes: false includes everything, as LoopBack does', [deny], false, undefined, 200]
]

for (const [name, acls, checkIncludes, user, status] of cases) {
  void t.test(name, async (t) => {
    const app = await makeApp(t, models(acls), { checkIncludes })
    await app.models.get('Shelf').create({})
    await app.models.get('Thing').create({ userId: 1, shelfId: 1 })
    for (const include of [
      '"things"',
      '["things"]',
      '{"things":"shelf"}',
      '{"relation":"things","scope":{"where":{"id":1}}}'
    ]) {
      const headers = user === undefined ? {} : { user: String(user) }
      const answer = await app.inject({ url: `/api/shelves?filter={"include":${include}}`, headers })
      t.equal(answer.statusCode, status, include)
      if (status !== 200) t.notMatch(answer.body, /userId/)
    }
  })
}

void t.test('code of the application includes what it likes', async (t) => {
  const app = await makeApp(t, models([deny]))
  await app.models.get('Shelf').create({})
  await app.models.get('Thing').create({ userId: 1, shelfId: 1 })
  const [shelf] = await app.models.get('Shelf').find({ include: 'things' })
  t.match(shelf?.toJSON(), { things: [{ userId: 1 }] })
})

const own = rule('$authenticated', 'ALLOW', { property: ['find', 'findById'], rows: '$owner' })

/** Two shelves; on the first a thing of each of two users. */
async function makeShelves(t: Test, acls: object[], options = {}): Promise<FastifyInstance> {
  const app = await makeApp(t, models(acls), options)
  await app.models.get('Shelf').create([{}, {}])
  await app.models.get('Thing').create([1, 2].map((userId) => ({ userId, shelfId: 1 })))
  return app
}

void t.test('who may list the own records has those included, and no others', async (t) => {
  const app = await makeShelves(t, [deny, own])
  const ask = (url: string, user: string) => app.inject({ url: `/api${url}`, headers: { user } })
  for (const userId of [1, 2]) {
    const shelves = (await ask('/shelves?filter={"include":"things"}', String(userId))).json<object[]>()
    t.match(shelves, [{ things: [{ userId }] }, { things: [] }])
    t.match((await ask('/shelves/1?filter={"include":"things"}', String(userId))).json(), { things: [{ userId }] })
  }
  t.match((await ask('/shelves?filter={"include":"things"}', '3')).json(), [{ things: [] }, { things: [] }])
  t.equal((await app.inject('/api/shelves?filter={"include":"things"}')).statusCode, 401)
})

void t.test('a record of somebody else is not shown through a relation to one', async (t) => {
  const app = await makeApp(t, models([deny, own]))
  await app.models.get('Thing').create([{ userId: 1 }, { userId: 2 }])
  await app.models.get('Note').create([{ thingId: 1 }, { thingId: 2 }])
  const answer = await app.inject({ url: '/api/notes?filter={"include":"thing"}', headers: { user: '1' } })
  const [first, second] = answer.json<{ thing?: unknown }[]>()
  t.match(first?.thing, { userId: 1 })
  t.notOk(second?.thing)
})

void t.test('a relation that leads to several models obeys the rules of each', async (t) => {
  const secret = { name: 'Secret', plural: 'secrets', properties: { text: 'string' }, acls: [deny] }
  const pin = {
    name: 'Pin',
    plural: 'pins',
    relations: { on: { type: 'belongsTo', polymorphic: { foreignKey: 'onId', discriminator: 'onType' } } }
  }
  const app = await makeApp(t, [...models([]), secret, pin])
  await app.models.get('Secret').create({ text: 'hush' })
  await app.models.get('Shelf').create({})
  await app.models.get('Pin').create({ onId: 1, onType: 'Shelf' })
  t.equal((await app.inject('/api/pins?filter={"include":"on"}')).statusCode, 200)
  await app.models.get('Pin').create({ onId: 1, onType: 'Secret' })
  const answer = await app.inject('/api/pins?filter={"include":"on"}')
  t.equal(answer.statusCode, 401)
  t.notMatch(answer.body, /hush/)
})

void t.test('what is included on nested routes and below other includes obeys the rules, too', async (t) => {
  const note = {
    name: 'Note',
    plural: 'notes',
    properties: { shelfId: 'number' },
    relations: { shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfId' } }
  }
  const [shelf, thing] = models([deny])
  const withNotes = { ...shelf, relations: { ...shelf?.relations, notes: { type: 'hasMany', model: 'Note' } } }
  const app = await makeApp(t, [withNotes as never, thing as never, note]) // as `models` makes them
  await app.models.get('Shelf').create({})
  await app.models.get('Thing').create({ userId: 1, shelfId: 1 })
  await app.models.get('Note').create({ shelfId: 1 })
  for (const url of [
    '/shelves/1/notes?filter={"include":{"shelf":"things"}}',
    '/notes?filter={"include":{"shelf":"things"}}',
    '/notes?filter={"include":{"relation":"shelf","scope":{"include":["things"]}}}',
    '/notes/1/shelf?filter={"include":"things"}',
    '/notes/1?filter={"include":{"shelf":{"things":"shelf"}}}'
  ]) {
    const answer = await app.inject(`/api${url}`)
    t.notMatch(answer.body, /userId/, url)
  }
})

/** Notes on things, two on each. */
async function makeNotes(t: Test, acls: object[]): Promise<FastifyInstance> {
  const app = await makeApp(t, models(acls))
  await app.models.get('Thing').create(Array.from({ length: 10 }, () => ({ userId: 1 })))
  await app.models.get('Note').create(Array.from({ length: 20 }, (_, at) => ({ thingId: (at % 10) + 1 })))
  return app
}
const notesUrl = '/api/notes?filter={"include":"thing"}'

void t.test('a stored role is looked up once for all records of a relation', async (t) => {
  const app = await makeNotes(t, [deny, rule('readers', 'ALLOW', { property: 'findById' })])
  await app.models.get('Role').create({ name: 'readers' })
  await app.models.get('RoleMapping').create({ roleId: 1, principalType: 'USER', principalId: '1' })
  let lookups = 0
  app.models.get('Role').observe('access', async () => void lookups++)
  const ask = (user: string) => app.inject({ url: notesUrl, headers: { user } })
  t.equal((await ask('1')).statusCode, 200)
  t.ok(lookups <= 2, `${lookups} lookups`)
  t.equal((await ask('2')).statusCode, 401)
})

void t.test('owners of included records are told by one query for all', async (t) => {
  const app = await makeNotes(t, [deny, rule('$owner', 'ALLOW', { property: 'findById' })])
  let reads = 0
  app.models.get('Thing').observe('access', async () => void reads++)
  t.equal((await app.inject({ url: notesUrl, headers: { user: '1' } })).statusCode, 200)
  t.equal(reads, 2, 'one for the owners, one for the answer')
  t.equal((await app.inject({ url: notesUrl, headers: { user: '2' } })).statusCode, 401)
})

void t.test('lists of the records of the own account are included where the rules let owners read them', async (t) => {
  const note = {
    name: 'Note',
    plural: 'notes',
    properties: { text: 'string', userId: 'number' },
    acls: [deny, rule('$owner', 'ALLOW')]
  }
  const user = {
    name: 'User',
    plural: 'users',
    public: true,
    acls: [deny, rule('$authenticated', 'ALLOW', { accessType: 'READ' })],
    relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'userId' } }
  }
  const app = await makeApp(t, [note], {}, { users: user })
  await app.models.get('User').create([{}, {}])
  await app.models.get('Note').create([1, 2].map((userId) => ({ text: `of ${userId}`, userId })))
  const ask = (url: string) => app.inject({ url: `/api${url}`, headers: { user: '1' } })
  t.match((await ask('/users/1?filter={"include":"notes"}')).json(), { notes: [{ text: 'of 1' }] })
  t.match((await ask('/users/1/notes')).json(), [{ text: 'of 1' }])
  t.equal((await ask('/users/2?filter={"include":"notes"}')).statusCode, 401)
  t.equal((await ask('/users?filter={"include":"notes"}')).statusCode, 401)
  t.equal((await ask('/users/2/notes')).statusCode, 401)
})
