import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const guarded: NonNullable<ModelDefinition['properties']> = {
  text: 'string',
  state: { type: 'string', readOnly: true, default: 'new' },
  number: { type: 'number', writeOnce: true },
  ownerId: { type: 'number', fromCaller: 'userId' },
  app: { type: 'string', fromCaller: 'appId' }
}

/** Ticket 1 is of user 1, has the state `open` and the number 7, and lies on desk 1 with a part of the same kind. */
const modelsWith = (ticket: Partial<ModelDefinition>, state: object): readonly ModelDefinition[] => [
  {
    name: 'Ticket',
    plural: 'tickets',
    forceId: false,
    properties: {
      ...guarded,
      state: { type: 'string', readOnly: true, default: 'new', ...state },
      id: { type: 'number', id: true, generated: true },
      deskId: 'number'
    },
    ...ticket
  },
  {
    name: 'Desk',
    plural: 'desks',
    relations: {
      tickets: { type: 'hasMany', model: 'Ticket', foreignKey: 'deskId' },
      first: { type: 'hasOne', model: 'Ticket', foreignKey: 'deskId' },
      guests: { type: 'hasMany', model: 'Guest', through: 'Visit' },
      parts: { type: 'embedsMany', model: 'Part' },
      lid: { type: 'embedsOne', model: 'Part', property: 'lidPart' }
    }
  },
  { name: 'Guest', plural: 'guests', properties: { name: 'string' } },
  {
    name: 'Visit',
    plural: 'visits',
    properties: guarded,
    relations: { desk: { type: 'belongsTo', model: 'Desk' }, guest: { type: 'belongsTo', model: 'Guest' } }
  },
  { name: 'Part', public: false, properties: { id: { type: 'number', id: true, generated: true }, ...guarded } }
]

/** @param ticket what the model of tickets has besides @param state what its state is besides */
async function start(t: Test, ticket: Partial<ModelDefinition> = {}, state: object = {}): Promise<FastifyInstance> {
  const app = await makeApp(t, modelsWith(ticket, state))
  const mine = { text: 'a', state: 'open', number: 7, ownerId: 1, app: 'shop' }
  await app.models.get('Desk').create({ _parts: [{ id: 1, ...mine }], lidPart: { id: 1, ...mine } })
  await app.models.get('Ticket').create({ ...mine, deskId: 1 })
  await app.models.get('Guest').create([{ name: 'g' }, { name: 'h' }])
  await app.models.get('Visit').create({ ...mine, deskId: 1, guestId: 1 })
  return app
}

const writeJson = (data: Record<string, unknown>): string => JSON.stringify(data)
const pairs = (data: Record<string, unknown>): [string, string][] =>
  Object.entries(data).map(([name, value]) => [name, String(value)])

const bodies: Readonly<Record<string, (data: Record<string, unknown>) => string>> = {
  'application/json': writeJson,
  'application/x-www-form-urlencoded': (data) =>
    pairs(data)
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
  'application/xml': (data) =>
    `<data>${pairs(data)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('')}</data>`
}

interface Sending {
  readonly type?: string
  readonly user?: string | undefined
}

async function send(app: FastifyInstance, line: string, payload: string, { type, user = '2' }: Sending = {}) {
  const [method = 'POST', url = ''] = line.split(' ')
  const headers = { 'content-type': type ?? 'application/json', client: 'web', ...(user === '' ? {} : { user }) }
  const request = { method: method as 'POST', url: `/api${url}`, headers, payload } // tests name verbs
  const { statusCode, payload: text } = await app.inject(request)
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) // an answer
  return { status: statusCode, body }
}

/** Everything that is stored, to see that nothing changed. */
async function everything(app: FastifyInstance): Promise<string> {
  const names = ['Ticket', 'Desk', 'Visit', 'Guest']
  return JSON.stringify(await Promise.all(names.map((name) => app.models.get(name).find({ order: 'id' }))))
}

/** Writes of a new record, each with what has to be sent besides. */
const creating: readonly (readonly [line: string, more?: Record<string, unknown>])[] = [
  ['POST /tickets'],
  ['PATCH /tickets'],
  ['PATCH /tickets', { id: 9 }],
  ['PUT /tickets', { id: 9 }],
  ['POST /tickets/replaceOrCreate', { id: 9 }],
  ['POST /tickets/upsertWithWhere?where={"text":"none"}'],
  ['POST /desks/1/tickets'],
  ['PUT /desks/1/guests/rel/2'],
  ['POST /desks/1/parts']
]

/** Writes of the record that is stored. */
const changing: typeof creating = [
  ['PATCH /tickets/1'],
  ['PUT /tickets/1'],
  ['POST /tickets/1/replace'],
  ['PATCH /tickets', { id: 1 }],
  ['PUT /tickets', { id: 1 }],
  ['POST /tickets/replaceOrCreate', { id: 1 }],
  ['POST /tickets/upsertWithWhere?where={"id":1}'],
  ['POST /tickets/update?where={"id":1}'],
  ['PUT /desks/1/tickets/1'],
  ['PUT /desks/1/first'],
  ['PUT /desks/1/parts/1'],
  ['PUT /desks/1/lid']
]

const serversOwn: Record<string, unknown>[] = [{ state: 'done' }, { ownerId: 1 }, { app: 'shop2' }]

for (const [type, write] of Object.entries(bodies)) {
  void t.test(`clients do not set what is read-only, by ${type}`, async (t) => {
    const app = await start(t)
    const before = await everything(app)
    for (const [line, more] of [...creating, ...changing])
      for (const data of serversOwn) {
        // What is stored may be sent back.
        const isSame = changing.some((one) => one[0] === line) && data['ownerId'] === 1
        const sent = isSame ? { ownerId: 5 } : data
        const { status, body } = await send(app, line, write({ ...more, text: 'x', ...sent }), { type })
        const label = `${line} ${JSON.stringify(sent)}`
        t.equal(status, 422, label)
        const [name = ''] = Object.keys(sent)
        t.match(body, { error: { details: { codes: { [name]: ['read-only'] } } } }, label)
      }
    t.equal(await everything(app), before)
  })

  void t.test(`what is written once is not changed, by ${type}`, async (t) => {
    const app = await start(t)
    const before = await everything(app)
    for (const [line, more] of changing) {
      const { status, body } = await send(app, line, write({ ...more, text: 'x', number: 8 }), { type })
      t.equal(status, 422, line)
      t.match(body, { error: { details: { codes: { number: ['write-once'] } } } }, line)
    }
    t.equal(await everything(app), before)
  })

  void t.test(`a new record is its maker's, by ${type}`, async (t) => {
    for (const [line, more] of creating) {
      const app = await start(t)
      const { status, body } = await send(app, line, write({ ...more, text: 'x', number: 5 }), { type })
      t.equal(status, 200, line)
      t.match(body, { text: 'x', number: 5, ownerId: 2, app: 'web' }, line)
    }
  })
}

void t.test('lists of new records are looked at one by one', async (t) => {
  for (const line of ['POST /tickets', 'POST /desks/1/tickets']) {
    const app = await start(t)
    const before = await everything(app)
    const refused = await send(app, line, JSON.stringify([{ text: 'x' }, { text: 'y', state: 'done' }]))
    t.equal(refused.status, 422, line)
    t.equal(await everything(app), before)
    await send(app, line, JSON.stringify([{ text: 'x' }, { text: 'y' }]))
    t.match(await app.models.get('Ticket').find({ where: { id: { gt: 1 } } }), [{ ownerId: 2 }, { ownerId: 2 }])
  }
})

void t.test('records between are their maker’s as well', async (t) => {
  const app = await start(t)
  t.equal((await send(app, 'POST /desks/1/guests', '{"name":"new"}')).status, 200)
  t.match(await app.models.get('Visit').findById(2), { guestId: 3, ownerId: 2, app: 'web', state: 'new' })
})

void t.test('a whole record keeps what its writer may not set, and all that is sent back as it is', async (t) => {
  for (const line of ['PUT /tickets/1', 'POST /tickets/1/replace', 'PUT /tickets', 'POST /tickets/replaceOrCreate']) {
    const app = await start(t)
    const id = /1/.test(line) ? {} : { id: 1 }
    t.equal((await send(app, line, JSON.stringify({ ...id, text: 'x' }))).status, 200, line)
    const kept = { text: 'x', state: 'open', ownerId: 1, app: 'shop' }
    t.match(await app.models.get('Ticket').findById(1), kept, line)
    const back = { ...id, text: 'y', state: 'open', number: 7, ownerId: 1, app: 'shop' }
    t.equal((await send(app, line, JSON.stringify(back))).status, 200, line)
  }
})

void t.test('a stranger owns nothing, and what is once set by a patch stays', async (t) => {
  const app = await start(t)
  const { body } = await send(app, 'POST /tickets', '{"text":"x"}', { user: '' })
  t.match(body, { ownerId: null, app: 'web', state: 'new' })
  t.equal((await send(app, 'PATCH /tickets/2', '{"number":3}')).status, 200)
  t.equal((await send(app, 'PATCH /tickets/2', '{"number":4}')).status, 422)
  t.equal((await send(app, 'PATCH /tickets/2', '{"number":null}')).status, 422)
  t.match(await app.models.get('Ticket').findById(2), { number: 3 })
})

const wholes: readonly (readonly [line: string, more: object])[] = [
  ['PATCH /desks/1', {}],
  ['PUT /desks/1', {}],
  ['PATCH /desks', { id: 1 }],
  ['POST /desks', {}]
]
const parts = [
  { id: 1, state: 'done' },
  { id: 2, ownerId: 9 }
].flatMap((part) => [{ _parts: [part] }, { lidPart: part }])

void t.test('records that are embedded are looked at where their parent is written as well', async (t) => {
  const app = await start(t)
  const before = await everything(app)
  for (const [line, more] of wholes)
    for (const data of parts) {
      const { status } = await send(app, line, JSON.stringify({ ...more, ...data }))
      t.equal(status, 422, `${line} ${JSON.stringify(data)}`)
    }
  t.equal(await everything(app), before)
})

void t.test('what is hidden may not be sent back', async (t) => {
  const same = '{"text":"b","state":"open"}'
  t.equal((await send(await start(t), 'PATCH /tickets/1', same)).status, 200)
  t.equal((await send(await start(t, {}, { hidden: true }), 'PATCH /tickets/1', same)).status, 422)
})

void t.test('properties stay guarded where rules keep callers to records of their own', async (t) => {
  const own = rule('$authenticated', 'ALLOW', { accessType: 'EXECUTE', rows: '$owner' })
  const owner = { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } as const
  const app = await start(t, { acls: [deny, own], relations: { owner } })
  const before = await everything(app)
  const refuse = async ([line, more]: (typeof creating)[number], data: object): Promise<void> => {
    const { status, body } = await send(app, line, JSON.stringify({ ...more, text: 'x', ...data }), { user: '1' })
    t.equal(status, 422, `${line} ${JSON.stringify(data)}`)
    const [name = ''] = Object.keys(data)
    t.match(body, { error: { details: { codes: { [name]: [name === 'number' ? 'write-once' : 'read-only'] } } } })
  }
  const changingOwn = changing.filter(([line]) => line.includes(' /tickets'))
  for (const data of [{ state: 'done' }, { state: null }, { ownerId: 2 }, { app: 'shop2' }])
    for (const line of [['POST /tickets'] as const, ...changingOwn]) await refuse(line, data)
  for (const data of [{ number: 8 }, { number: null }]) for (const line of changingOwn) await refuse(line, data)
  t.equal(await everything(app), before)
  const made = await send(app, 'POST /tickets', '[{"text":"x"},{"text":"y","ownerId":1}]', { user: '1' })
  t.match(made, { status: 200, body: [1, 1].map((ownerId) => ({ ownerId, app: 'web' })) })
})

void t.test('code sets everything', async (t) => {
  const app = await start(t)
  const ticket = await app.models.get('Ticket').findById(1)
  await ticket?.patchAttributes({ state: 'done', number: 8, ownerId: 3, app: 'x' })
  t.match(await app.models.get('Ticket').findById(1), { state: 'done', number: 8, ownerId: 3, app: 'x' })
})
