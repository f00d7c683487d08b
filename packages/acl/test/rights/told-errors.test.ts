import type { Rule } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

/** A rule of one property that looks at another one, and whose message holds the value. */
const atMost = (property: string, bound: number): Rule => ({
  property,
  kind: 'custom',
  options: {},
  sync: true,
  check: ({ record }) =>
    record['grade'] === 'junior' && Number(record[property]) > bound
      ? [{ property, code: 'custom.high', message: `${String(record[property])} is too much for juniors` }]
      : []
})

interface Setting {
  readonly acls?: readonly object[]
  readonly compat?: boolean
}

/** Person 1 is of team 1, earns 777 and has the pin 888. Staff, user 1, does not see the salary; nobody sees the pin. */
async function makePeople(t: Test, { acls, compat = false }: Setting = {}): Promise<FastifyInstance> {
  const person = {
    name: 'Person',
    plural: 'people',
    properties: {
      name: 'string',
      grade: 'string',
      salary: 'number',
      pin: { type: 'number', hidden: true },
      code: { type: 'string', unique: true },
      teamId: 'number',
      userId: 'number'
    },
    acls: acls ?? [
      deny,
      rule('$authenticated', 'ALLOW', { accessType: 'EXECUTE', fields: { read: { except: ['salary', 'code'] } } }),
      rule('boss', 'ALLOW', { accessType: 'EXECUTE' })
    ]
  }
  const team = {
    name: 'Team',
    plural: 'teams',
    relations: { people: { type: 'hasMany', model: 'Person', foreignKey: 'teamId' } }
  }
  const app = await makeApp(t, [person, team] as Parameters<typeof makeApp>[1], {}, { compat })
  app.access.registerRole('boss', ({ principal }) => principal?.userId === 9)
  await app.models.get('Team').create({})
  const Person = app.models.get('Person')
  await Person.create({ name: 'Ann', grade: 'senior', salary: 777, pin: 888, code: 'c-999', teamId: 1, userId: 1 })
  app.models.typeOf('Person').rules.push(atMost('salary', 100), atMost('pin', 100))
  Person.observe('before save', async ({ instance, data }) => {
    const changed = instance ?? data
    // A name that is taken leads to a code that is taken.
    if (changed?.['name'] === 'twin') changed['code'] = 'c-999'
  })
  return app
}

async function send(app: FastifyInstance, line: string, user: number, payload: object) {
  const [method = 'PATCH', url = ''] = line.split(' ')
  const request = { method: method as 'PATCH', url: `/api${url}`, headers: { user: String(user) }, payload } // tests name verbs
  const { statusCode, payload: text } = await app.inject(request)
  return { status: statusCode, text, body: JSON.parse(text) as unknown }
}

const writes: readonly (readonly [line: string, data: object])[] = [
  ['PATCH /people/1', {}],
  ['PATCH /people', { id: 1 }],
  ['POST /people/update?where={"id":1}', {}],
  ['POST /people/upsertWithWhere?where={"id":1}', {}],
  ['PUT /teams/1/people/1', {}]
]

for (const [line, data] of writes) {
  void t.test(`${line} does not tell of values that the client may not read`, async (t) => {
    const app = await makePeople(t)
    const staff = await send(app, line, 1, { ...data, grade: 'junior' })
    t.equal(staff.status, 422)
    t.match(staff.body, {
      error: {
        details: {
          codes: { salary: ['invalid'], pin: ['invalid'] },
          messages: { salary: ['is invalid'], pin: ['is invalid'] }
        }
      }
    })
    t.notMatch(staff.text, /777|888|too much|high/)
    const boss = await send(app, line, 9, { ...data, grade: 'junior' })
    t.match(boss.body, { error: { details: { messages: { salary: [/777/], pin: ['is invalid'] } } } })
    t.notMatch(boss.text, /888/, 'nobody reads what is hidden')
  })
}

void t.test('what is wrong with what the client sent is told', async (t) => {
  const app = await makePeople(t)
  const answer = await send(app, 'PATCH /people/1', 1, { grade: 'junior', pin: 555 })
  t.match(answer.body, { error: { details: { codes: { pin: ['custom.high'] }, messages: { pin: [/555/] } } } })
  t.notMatch(answer.text, /777/)
  const created = await send(app, 'POST /people', 1, { grade: 'junior', pin: 555 })
  t.match(created.body, { error: { details: { messages: { pin: [/555/] } } } })
  const list = await send(app, 'POST /people', 1, [{ grade: 'junior', pin: 556 }])
  t.match(list.body, { error: { details: [{ details: { messages: { pin: [/556/] } } }] } })
})

void t.test('a value that is taken is told of to those who may read it', async (t) => {
  for (const line of ['POST /people', 'PATCH /people/2', 'POST /teams/1/people']) {
    const app = await makePeople(t)
    await app.models.get('Person').create({ name: 'Bob', code: 'b' })
    const staff = await send(app, line, 1, { name: 'twin' })
    t.equal(staff.status, 409, line)
    t.match(staff.body, { error: { code: 'DUPLICATE_KEY', message: 'Person already has a record with this code' } })
    const boss = await send(app, line, 9, { name: 'twin' })
    t.match(boss.body, { error: { message: 'Person already has a record with code "c-999"' } })
  }
})

void t.test('a client who may change a record, but not read it, learns nothing of it', async (t) => {
  const acls = [deny, rule('$authenticated', 'ALLOW', { property: 'patchAttributes' })]
  const app = await makePeople(t, { acls })
  const { status, text } = await send(app, 'PATCH /people/1', 1, { grade: 'junior' })
  t.equal(status, 422)
  t.notMatch(text, /777|888/)
})

void t.test('owners are told of what they may read of the own record', async (t) => {
  const acls = [deny, rule('$owner', 'ALLOW', { property: ['findById', 'patchAttributes'] })]
  const app = await makePeople(t, { acls })
  const { body, text } = await send(app, 'PATCH /people/1', 1, { grade: 'junior' })
  t.match(body, { error: { details: { messages: { salary: [/777/], pin: ['is invalid'] } } } })
  t.notMatch(text, /888/)
})

void t.test('filters are refused without a word about values', async (t) => {
  const app = await makePeople(t)
  for (const where of [
    '{"salary":{"gt":[1]}}',
    '{"salary":{"odd":1}}',
    '{"pin":{"gt":[1]}}',
    '{"salary":{"regexp":"7"}}'
  ]) {
    const request = { url: `/api/people?filter={"where":${where}}`, headers: { user: '1' } }
    const { statusCode, payload } = await app.inject(request)
    t.ok(statusCode === 400 || statusCode === 401, where)
    t.notMatch(payload, /777|888/)
  }
})
