import { fileURLToPath } from 'node:url'
import { createServer } from '@modelwire/boot'
import t, { type Test } from 'tap'

async function start(t: Test) {
  const dir = fileURLToPath(new URL('..', import.meta.url))
  const server = await createServer({ dir, env: 'test', variables: {}, logger: false })
  t.teardown(() => server.close())
  return server
}

t.test('the bookings of a room have routes of their own, and the room is included', async (t) => {
  const server = await start(t)
  const booking = { title: 'Talk', from: '2031-01-01T10:00:00Z', to: '2031-01-01T11:00:00Z', roomId: 2 }
  const made = await server.inject({ method: 'POST', url: '/api/Rooms/1/bookings', payload: booking })
  t.match(made.json(), { title: 'Talk', roomId: 1 }, 'the room of the path counts')
  t.match((await server.inject('/api/Rooms/1/bookings')).json(), [{ title: 'Talk', minutes: 60 }])
  t.match((await server.inject('/api/Bookings?filter[include]=room')).json(), [
    { room: { name: 'Aspen', doorCode: undefined } }
  ])
  const again = await server.inject({ method: 'POST', url: '/api/Rooms/1/bookings', payload: booking })
  t.match(again.json(), { error: { statusCode: 409, code: 'ROOM_TAKEN' } }, 'hooks run as for every booking')
})

t.test('included bookings go by the hooks of their model', async (t) => {
  const server = await start(t)
  const at = (hour: number) => ({ from: `2031-01-01T${hour}:00:00Z`, to: `2031-01-01T${hour + 1}:00:00Z` })
  for (const payload of [
    { title: 'Talk', ...at(10) },
    { title: 'Surprise', secret: true, ...at(12) }
  ])
    await server.inject({ method: 'POST', url: '/api/Rooms/1/bookings', payload })
  const [room] = (await server.inject('/api/Rooms?filter[include]=bookings')).json() as { bookings: object[] }[]
  t.match(room?.bookings, [{ title: 'Talk', minutes: 60 }])
  t.equal(room?.bookings.length, 1)
})

t.test('a scope of the model file is a route', async (t) => {
  const server = await start(t)
  t.match((await server.inject('/api/Rooms/large')).json(), [{ name: 'Birch' }, { name: 'Cedar' }])
})
