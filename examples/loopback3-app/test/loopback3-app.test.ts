import { fileURLToPath } from 'node:url'
import { createServer } from '@modelwire/boot'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'

const dir = fileURLToPath(new URL('..', import.meta.url))

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
