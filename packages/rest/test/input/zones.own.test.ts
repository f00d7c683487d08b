import { modelwire } from '@modelwire/core'
import { memory } from '@modelwire/connector-memory'
import Fastify from 'fastify'
import t from 'tap'
import { rest } from '#src/index.ts'

const known = process.env['TZ']
process.env['TZ'] = 'America/New_York'
t.teardown(() => {
  if (known === undefined) delete process.env['TZ']
  else process.env['TZ'] = known
})

const written = '2024-06-01T12:00:00'

const event = {
  name: 'Event',
  public: true,
  properties: { at: 'date' },
  methods: {
    echo: {
      accepts: [{ arg: 'at', type: 'date', http: { source: 'query' } }],
      returns: { arg: 'at', type: 'string' },
      http: { verb: 'get' }
    },
    send: { accepts: [{ arg: 'at', type: 'date' }], returns: { arg: 'at', type: 'string' } }
  }
}

async function answers(compat: boolean): Promise<unknown[]> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [event], compat })
  const Event = app.models.get('Event')
  const echo = async (at: unknown) => (at as Date).toISOString()
  Object.assign(Event, { echo, send: echo })
  await app.register(rest)
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' } } as const
  const created = await app.inject({ ...sent, url: '/Events', payload: { at: written } })
  const query = await app.inject(`/Events/echo?at=${written}`)
  const body = await app.inject({ ...sent, url: '/Events/send', payload: { at: written } })
  const where = await app.inject(`/Events/count?where[at]=${written}`)
  return [created.json().at, query.json().at, body.json().at, where.json().count]
}

t.test('dates without a zone are in UTC, and in compat mode in the zone of the process', async (t) => {
  const [noon, inNewYork] = ['2024-06-01T12:00:00.000Z', '2024-06-01T16:00:00.000Z']
  t.strictSame(await answers(false), [noon, noon, noon, 1])
  t.strictSame(await answers(true), [inNewYork, inNewYork, inNewYork, 1])
})
