import { fileURLToPath } from 'node:url'
import { createServer } from '@modelwire/boot'
import { documentProblems, injectFetch, runClient } from '@modelwire/explorer-tests'
import t, { type Test } from 'tap'

const dir = fileURLToPath(new URL('..', import.meta.url))

async function start(t: Test) {
  const server = await createServer({ dir, env: 'production' })
  t.teardown(() => server.close())
  return { server, document: (await server.inject('/explorer/openapi.json')).json<object>() }
}

t.test('two validators find nothing wrong with the document of the application', async (t) => {
  t.strictSame(await documentProblems((await start(t)).document), [])
})

t.test('a client that is typed by the document compiles and works, remote methods included', async (t) => {
  const { server, document } = await start(t)
  const source = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'
export async function run(fetch: (request: Request) => Promise<Response>): Promise<unknown> {
  const client = createClient<paths>({ baseUrl: 'http://rooms.test/api', fetch })
  const fitting = await client.GET('/Rooms/for-people', { params: { query: { people: 5 } } })
  const names: string[] | undefined = fitting.data?.map(({ name }) => name)
  const booked = await client.POST('/Rooms/{id}/bookings', {
    params: { path: { id: 1 } },
    body: { roomId: 1, title: 'Plan', from: '2027-01-04T09:00:00Z', to: '2027-01-04T10:00:00Z' }
  })
  const filter: components['schemas']['BookingFilter'] = { where: { title: { like: 'Pl' } }, include: 'room' }
  const bookings = await client.GET('/Bookings', { params: { query: { filter: JSON.stringify(filter) } } })
  const room: string | undefined = bookings.data?.[0]?.room?.name
  return { names, status: booked.response.status, room }
}`
  t.strictSame(await runClient({ document, source, fetch: injectFetch(server) }), {
    names: ['Birch', 'Cedar'],
    status: 200,
    room: 'Aspen'
  })
})
