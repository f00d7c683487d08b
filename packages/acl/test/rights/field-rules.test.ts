import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { followChanges } from '../follow-changes.ts'
import { deny, makeApp, rule } from '../make-app.ts'

/** Staff, user 1, sees all of a person but the salary, which the boss, user 9, sees; everybody reads the name and sets the nick. */
async function makePeople(t: Test, { hooked = false, compat = false } = {}): Promise<FastifyInstance> {
  const person = {
    name: 'Person',
    plural: 'people',
    properties: { name: 'string', nick: 'string', salary: 'number', teamId: 'number', bossId: 'number' },
    relations: {
      team: { type: 'belongsTo', model: 'Team', foreignKey: 'teamId' },
      boss: { type: 'belongsTo', model: 'Person', foreignKey: 'bossId' },
      reports: { type: 'hasMany', model: 'Person', foreignKey: 'bossId' }
    },
    acls: [
      deny,
      rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', fields: { read: ['name', 'teamId'], write: ['nick'] } }),
      rule('$authenticated', 'ALLOW', { accessType: 'EXECUTE', fields: { except: ['salary'] } }),
      rule('boss', 'ALLOW', { accessType: 'EXECUTE' })
    ]
  }
  const team = {
    name: 'Team',
    plural: 'teams',
    properties: { title: 'string' },
    relations: { people: { type: 'hasMany', model: 'Person', foreignKey: 'teamId' } }
  }
  const prepare = ({ models }: FastifyInstance): void => {
    if (!hooked) return
    models.remoteHooks.add('after', 'Person.**', async () => {})
    models.get('Person').observe('loaded', async () => {})
  }
  const app = await makeApp(t, [person, team], {}, { compat, prepare })
  app.access.registerRole('boss', ({ principal }) => principal?.userId === 9)
  await app.models.get('Team').create([{ title: 'x' }, { title: 'y' }])
  await app.models.get('Person').create([
    { name: 'Ann', nick: 'A', salary: 10, teamId: 1 },
    { name: 'Bob', nick: 'B', salary: 20, teamId: 1, bossId: 1 },
    { name: 'Cid', nick: 'C', salary: 30, teamId: 2, bossId: 1 }
  ])
  return app
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function send(app: FastifyInstance, line: string, user?: number, payload?: object): Promise<Answer> {
  const [method = 'GET', url = ''] = line.split(' ')
  const headers = user === undefined ? {} : { user: String(user) }
  const request = { method: method as 'GET', url: `/api${url}`, headers, ...(payload && { payload }) } // tests name verbs
  const { statusCode, payload: text } = await app.inject(request)
  return { status: statusCode, body: text === '' ? undefined : JSON.parse(text) }
}

const variants = [false, true].flatMap((hooked) => [false, true].map((compat) => ({ hooked, compat })))
const all = { name: 'Ann', nick: 'A', salary: 10, teamId: 1 }

for (const variant of variants) {
  const name = `${variant.hooked ? ' with hooks' : ''}${variant.compat ? ' in compat mode' : ''}`

  void t.test(`answers hold the properties that a rule shows${name}`, async (t) => {
    const app = await makePeople(t, variant)
    const firstOf = async (line: string, user?: number) => {
      const { body } = await send(app, line, user)
      return JSON.parse(JSON.stringify(Array.isArray(body) ? body[0] : body)) as Record<string, unknown> // an answer
    }
    for (const line of ['GET /people', 'GET /people/1', 'GET /people/findOne', 'GET /teams/1/people']) {
      t.strictSame(await firstOf(line), { name: 'Ann', teamId: 1, id: 1 }, line)
      const { salary: _salary, ...rest } = { ...all, id: 1 }
      t.match(await firstOf(line, 1), rest, line)
      t.notOk('salary' in (await firstOf(line, 1)), line)
      t.match(await firstOf(line, 9), { ...all, id: 1 }, line)
    }
    t.strictSame(await firstOf('GET /people?filter={"fields":["salary","name"]}'), { name: 'Ann' })
    t.strictSame(await firstOf('GET /people?filter={"fields":{"name":false}}'), { teamId: 1, id: 1 })
    t.strictSame(await firstOf('GET /people?filter={"fields":["salary"]}'), {})
  })

  void t.test(`includes hold the properties that a rule shows${name}`, async (t) => {
    const app = await makePeople(t, variant)
    const lists = (await send(app, 'GET /teams?filter={"include":{"people":"team"}}')).body
    t.match(lists, [
      { people: [{ name: 'Ann', team: { title: 'x' } }, { name: 'Bob' }] },
      { people: [{ name: 'Cid' }] }
    ])
    t.notMatch(JSON.stringify(lists), /salary|nick/)
    const known = (await send(app, 'GET /people?filter={"include":["boss","reports"]}', 1)).body
    t.match(known, [{ reports: [{ nick: 'B' }, { nick: 'C' }] }, { boss: { nick: 'A' } }, { boss: { nick: 'A' } }])
    t.notMatch(JSON.stringify(known), /salary/)
  })
}

const unreadable = [
  'GET /people?filter={"where":{"salary":{"gt":5}}}',
  'GET /people?filter={"where":{"or":[{"name":"x"},{"nor":[{"salary":10}]}]}}',
  'GET /people?filter={"order":"salary"}',
  'GET /people?filter={"order":["name","salary%20DESC"]}',
  'GET /people/count?where={"salary":10}',
  'GET /people/findOne?filter={"where":{"salary":10}}',
  'GET /people/change-stream?options={"where":{"salary":10}}',
  'GET /teams?filter={"where":{"people":{"salary":10}}}',
  'GET /teams?filter={"where":{"people.salary":10}}',
  'GET /teams?filter={"include":{"relation":"people","scope":{"where":{"salary":10}}}}',
  'GET /teams?filter={"include":{"relation":"people","scope":{"order":"salary"}}}',
  'GET /people?filter={"where":{"team.people.salary":10}}',
  'GET /people?filter={"order":"boss.salary"}',
  'GET /teams/1/people?filter={"where":{"salary":10}}',
  'GET /teams/1/people/count?where={"salary":10}'
]

for (const line of unreadable) {
  void t.test(`${line} asks for what it may not read`, async (t) => {
    const app = await makePeople(t)
    for (const user of [undefined, 1]) {
      const { status, body } = await send(app, line, user)
      t.equal(status, 401)
      t.match(body, { error: { code: 'PROPERTY_DENIED', message: /salary|bossId/ } })
    }
    if (!line.includes('change-stream')) t.equal((await send(app, line, 9)).status, 200)
  })
}

void t.test('a key that may not be read joins no records', async (t) => {
  const app = await makePeople(t)
  for (const line of [
    'GET /people?filter={"include":"boss"}',
    'GET /people?filter={"include":"reports"}',
    'GET /people?filter={"where":{"boss.name":"Ann"}}',
    'GET /people?filter={"where":{"reports.name":"Bob"}}',
    'GET /people?filter={"order":"boss.name"}',
    'GET /people/2/boss'
  ]) {
    t.equal((await send(app, line)).status, 401, line)
    t.equal((await send(app, line, 1)).status, 200, line)
  }
  t.equal((await send(app, 'GET /people/1/team')).status, 200)
})

const writes: [string, object][] = [
  ['PATCH /people/1', {}],
  ['PUT /people/1', { name: 'Ann', nick: 'A', teamId: 1 }],
  ['PATCH /people', { id: 1 }],
  ['PUT /people', { id: 1, name: 'Ann', nick: 'A', teamId: 1 }],
  ['POST /people/update?where={"id":1}', {}],
  ['POST /people/upsertWithWhere?where={"id":1}', {}],
  ['PUT /teams/1/people/1', {}],
  ['POST /people', { name: 'Dan' }],
  ['POST /teams/1/people', { name: 'Dan' }]
]

for (const [line, data] of writes) {
  void t.test(`${line} sets the properties that a rule lets its callers set`, async (t) => {
    const app = await makePeople(t)
    const before = JSON.stringify(await app.models.get('Person').find())
    for (const salary of [11, '10', null]) {
      const { status, body } = await send(app, line, 1, { ...data, salary })
      t.equal(status, 401, String(salary))
      t.match(body, { error: { code: 'PROPERTY_DENIED', message: /salary/ } })
    }
    t.equal(JSON.stringify(await app.models.get('Person').find()), before)
    const answer = await send(app, line, 1, { ...data, nick: 'N' })
    t.equal(answer.status, 200)
    t.notMatch(JSON.stringify(answer.body), /salary/)
    const stored = await app.models.get('Person').findOne({ where: { nick: 'N' } })
    // The first person's salary stands, and a new person has none.
    t.equal(stored?.['salary'] ?? null, stored?.['id'] === 1 ? 10 : null)
  })
}

void t.test('a whole record keeps what its writer may not set', async (t) => {
  const app = await makePeople(t)
  t.equal((await send(app, 'PUT /people/1', undefined, { nick: 'N' })).status, 200)
  t.match((await app.models.get('Person').findById(1))?.toJSON(), { name: 'Ann', nick: 'N', salary: 10, teamId: 1 })
})

void t.test('what is sent back as it was read changes nothing, and is accepted', async (t) => {
  const app = await makePeople(t)
  const { body } = await send(app, 'GET /people/1')
  t.equal((await send(app, 'PATCH /people/1', undefined, body as object)).status, 200)
  t.equal((await send(app, 'PATCH /people/1', undefined, { name: 'Eve' })).status, 401)
  t.equal((await send(app, 'PATCH /people/1', undefined, { id: 2 })).status, 400)
})

void t.test('answers to writes show what the writer may read', async (t) => {
  for (const variant of variants) {
    const app = await makePeople(t, variant)
    t.strictSame((await send(app, 'PATCH /people/1', undefined, { nick: 'N' })).body, { name: 'Ann', teamId: 1, id: 1 })
    t.strictSame((await send(app, 'POST /people', undefined, { nick: 'new' })).body, { id: 4 })
    t.match((await send(app, 'PATCH /people/1', 9, { salary: 12 })).body, { salary: 12 })
  }
})

void t.test('followers of changes are told the properties that a rule shows', async (t) => {
  const app = await makePeople(t)
  const following = [{}, { user: '1' }, { user: '9' }].map(async (headers) =>
    followChanges(app, '/api/people/change-stream', headers)
  )
  const streams = await Promise.all(following)
  const Person = app.models.get('Person')
  await (await Person.findById(1))?.updateAttributes({ salary: 11, nick: 'N' })
  await Person.updateAll({ salary: 20 }, { nick: 'M' })
  await new Promise((resolve) => setImmediate(resolve))
  await app.close()
  const [unknown = '', known = '', boss = ''] = await Promise.all(streams.map(async (read) => read()))
  t.match(unknown, /"name":"Ann"/)
  t.notMatch(unknown, /salary|nick/)
  t.match(known, /"nick":"N"/)
  t.notMatch(known, /salary/)
  t.match(boss, /"salary":11/)
})

void t.test('several records that different rules show are shown as far as all of them are', async (t) => {
  const acls = [
    deny,
    rule('$everyone', 'ALLOW', { property: 'findById', fields: ['text', 'userId'] }),
    rule('$owner', 'ALLOW', { property: 'findById', fields: ['text', 'secret', 'userId'] })
  ]
  const diary = { name: 'Diary', properties: { text: 'string', secret: 'string', userId: 'number' }, acls }
  const page = { name: 'Page', plural: 'pages', relations: { diary: { type: 'belongsTo', model: 'Diary' } } }
  const app = await makeApp(t, [diary, page])
  await app.models.get('Diary').create([1, 2].map((userId) => ({ text: 't', secret: 's', userId })))
  await app.models.get('Page').create([{ diaryId: 1 }, { diaryId: 2 }])
  const include = async (where: string) =>
    (await send(app, `GET /pages?filter={"include":"diary","where":${where}}`, 1)).body
  t.match(await include('{"diaryId":1}'), [{ diary: { text: 't', secret: 's' } }])
  const both = await include('{}')
  t.match(both, [{ diary: { text: 't' } }, { diary: { text: 't' } }])
  t.notMatch(JSON.stringify(both), /secret/)
})

void t.test(
  'a name that a strict model does not know is answered alike, whatever a rule lets its callers set',
  async (t) => {
    const acls = [
      deny,
      rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', fields: { read: ['name'], write: ['name'] } }),
      rule('$authenticated', 'ALLOW', { accessType: 'EXECUTE', fields: { except: ['salary'] } }),
      rule('boss', 'ALLOW', { accessType: 'EXECUTE' })
    ]
    const person = {
      name: 'Person',
      plural: 'people',
      strict: true,
      properties: { name: 'string', salary: 'number' },
      acls
    }
    const app = await makeApp(t, [person])
    app.access.registerRole('boss', ({ principal }) => principal?.userId === 9)
    await app.models.get('Person').create({ name: 'Ann', salary: 10 })
    const lines = [
      'POST /people',
      'PATCH /people/1',
      'PUT /people/1',
      'PUT /people',
      'PATCH /people',
      'POST /people/update?where={"id":1}',
      'POST /people/upsertWithWhere?where={"id":1}'
    ]
    for (const line of lines)
      for (const user of [undefined, 1, 9]) {
        const answer = await send(app, line, user, {
          ...(line.endsWith('/people') && !line.startsWith('POST') && { id: 1 }),
          nmae: 'x'
        })
        t.match(
          answer,
          { status: 422, body: { error: { details: { codes: { nmae: ['unknown-property'] } } } } },
          `${line} ${user}`
        )
      }
    t.match(await send(app, 'PATCH /people/1', 1, { salary: 11 }), { body: { error: { code: 'PROPERTY_DENIED' } } })
  }
)
