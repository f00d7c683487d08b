import { fileURLToPath } from 'node:url'
import { createServer } from '@modelwire/boot'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t, { type Test } from 'tap'

const dir = fileURLToPath(new URL('..', import.meta.url))

const booking = { roomId: 1, title: 'Plan', from: '2027-01-04T09:00:00Z', to: '2027-01-04T10:00:00Z' }

function json(url: string, payload: object): InjectOptions {
  return { method: 'POST', url, payload }
}

function form(url: string, payload: string): InjectOptions {
  return { method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}

async function start(t: Test): Promise<FastifyInstance> {
  const server = await createServer({ dir, env: 'production' })
  t.teardown(() => server.close())
  return server
}

t.test('both models are served, filled by the boot script, hidden properties left out', async (t) => {
  const server = await start(t)
  t.same(
    server.bootReport.served.models.map(({ path }) => path),
    ['Rooms', 'Bookings']
  )
  const rooms = (await server.inject('/api/Rooms')).json<object[]>()
  t.match(rooms, [{ name: 'Aspen', id: 1 }, { name: 'Birch' }, { name: 'Cedar' }])
  t.notMatch(rooms, [{ doorCode: String }])
})

t.test('a remote method with a callback answers', async (t) => {
  const server = await start(t)
  t.match((await server.inject('/api/Rooms/for-people?people=5')).json(), [{ name: 'Birch' }, { name: 'Cedar' }])
  t.equal((await server.inject('/api/Rooms/for-people')).statusCode, 400)
})

t.test('rules of the model scripts are kept', async (t) => {
  const server = await start(t)
  const create = (payload: object) => server.inject({ method: 'POST', url: '/api/Rooms', payload })
  t.match((await create({ name: 'A', seats: 2 })).json(), { error: { details: { codes: { name: ['length.min'] } } } })
  t.match((await create({ name: 'Aspen', seats: 2 })).json(), {
    error: { details: { codes: { name: ['uniqueness'] } } }
  })
})

t.test('the hook of bookings refuses a room that is taken', async (t) => {
  const server = await start(t)
  const book = (from: string, to: string) =>
    server.inject({ method: 'POST', url: '/api/Bookings', payload: { roomId: 1, title: 'Plan', from, to } })
  t.equal((await book('2027-01-04T09:00:00Z', '2027-01-04T10:00:00Z')).statusCode, 200)
  t.equal((await book('2027-01-04T10:00:00Z', '2027-01-04T11:00:00Z')).statusCode, 200)
  t.match((await book('2027-01-04T09:30:00Z', '2027-01-04T10:30:00Z')).json(), {
    error: { statusCode: 409, code: 'ROOM_TAKEN' }
  })
})

t.test('a method that is switched off has no route, and the status route answers', async (t) => {
  const server = await start(t)
  const update = await server.inject({ method: 'POST', url: '/api/Bookings/update', payload: { title: 'x' } })
  t.equal(update.statusCode, 404)
  t.match((await server.inject('/')).json(), { started: String, uptime: Number })
})

t.test('the report names what is not honoured', async (t) => {
  const { notes } = (await start(t)).bootReport
  const ignored = notes.filter(({ level }) => level === 'ignored').map(({ key }) => key ?? '')
  t.ok(
    ignored.every((key) => /explorer|createChangeStream/.test(key)),
    ignored.join(', ')
  )
})

const methods: readonly [string, string | InjectOptions, object | string, number?][] = [
  ['the path', '/api/Rooms/floors/2', { rooms: [{ name: 'Cedar' }] }],
  ['a form', form('/api/Rooms/rename', 'id=1&name=Alder'), { id: 1, name: 'Alder', revision: 2 }],
  [
    'the body',
    json('/api/Rooms/check', { name: 'A', seats: 1.5 }),
    { valid: false, problems: { name: ['length.min'], seats: ['numericality.int'] } }
  ],
  ['a header', { url: '/api/Rooms/language', headers: { 'accept-language': 'de,en' } }, { language: 'de' }],
  ['the request', '/api/Rooms/request?page=3', { method: 'GET', page: '3' }],
  ['the response', '/api/Rooms/sign?name=Elm', 'Room Elm', 201],
  [
    'the context',
    '/api/Rooms/describe',
    { call: { method: 'describe', called: 'Room.describe', verb: 'GET', args: ['ctx'] } }
  ],
  ['form data', form('/api/Rooms/order', 'what=tea&count=3'), { what: 'tea', count: 3, type: 'number' }],
  [
    'the options, which a phase filled in',
    '/api/Rooms/visitor?words=a&words=b',
    { words: ['a', 'b'], token: 'none', tenant: 'house' }
  ],
  ['a function', '/api/Rooms/agent', { agent: 'nobody' }],
  ['a record', '/api/Rooms/1/seats-for?people=3', { enough: true, left: 1 }],
  ['nothing, with a file as result', '/api/Rooms/export', '1;Aspen\n2;Birch\n3;Cedar\n', 203]
]
for (const [source, request, expected, status = 200] of methods) {
  t.test(`a method takes its arguments from ${source}`, async (t) => {
    const response = await (await start(t)).inject(request)
    t.equal(response.statusCode, status, response.body)
    if (typeof expected === 'string') t.equal(response.body, expected)
    else t.match(response.json(), expected)
  })
}

const failures: readonly [string | InjectOptions, number, object][] = [
  ['/api/Rooms/fail?how=throw', 503, {}],
  ['/api/Rooms/fail?how=reject', 418, { code: 'TEAPOT' }],
  ['/api/Rooms/fail?how=details', 422, { name: 'Oops', details: { floor: 'is full' } }],
  [
    form('/api/Rooms/rename', 'id=77&name=Alder'),
    404,
    { code: 'NO_ROOM', message: 'There is no such room: look at the list' }
  ],
  [json('/api/Bookings', { ...booking, roomId: 77 }), 422, { details: { codes: { roomId: ['custom'] } } }],
  [json('/api/Rooms/upsertWithWhere?where={"id":1}', {}), 404, {}]
]
for (const [request, status, facts] of failures) {
  t.test(`${typeof request === 'string' ? request : String(request.url)} fails with ${String(status)}`, async (t) => {
    const response = await (await start(t)).inject(request)
    t.match(response.json(), { error: { statusCode: status, ...facts } })
  })
}

t.test('operation hooks, remote hooks, the mixin and mail work together', async (t) => {
  const server = await start(t)
  const made = await server.inject(json('/api/Bookings', { ...booking, title: ' Plan ' }))
  t.match(made.json(), { title: 'Plan', version: 1 })
  t.equal(made.headers['x-booked'], '1')
  await server.inject(json('/api/Bookings', { ...booking, roomId: 2, secret: true }))
  const list = await server.inject('/api/Bookings')
  t.match(list.json(), [{ id: 1, minutes: 60 }])
  t.equal(list.headers['x-total'], '1')
  t.match((await server.inject('/api/Bookings/count')).json(), { count: 1, unit: 'bookings' })
  const sent = await server.inject(json('/api/Bookings/1/remind', { to: 'ann@example.com' }))
  t.strictSame(sent.json(), { envelope: { from: 'rooms@example.com', to: ['ann@example.com'] } })
  t.match((await server.inject({ method: 'DELETE', url: '/api/Rooms/1' })).json(), { error: { code: 'ROOM_BOOKED' } })
})

t.test('routes of a boot script stand beside the API', async (t) => {
  const server = await start(t)
  t.notOk((await server.inject('/methods')).json<string[]>().includes('Room.upsertWithWhere'))
  t.equal((await server.inject('/doors/1')).headers.location, '/api/Rooms/1')
  t.equal((await server.inject('/doors/9')).statusCode, 404)
})
