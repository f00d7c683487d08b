import { defineModel, modelwire } from '@modelwire/core'
import { memory } from '@modelwire/connector-memory'
import { rest } from '#src/index.ts'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t from 'tap'

const Parcel = defineModel(
  'Parcel',
  Type.Object({ weight: Type.Integer(), twice: Type.Integer({ generated: true }) }),
  { public: true }
)

t.test('values that the database generates are not demanded from clients, and refused or ignored', async (t) => {
  const server = Fastify()
  t.teardown(() => server.close())
  await server.register(modelwire, { dataSources: { db: memory() }, models: [Parcel] })
  await server.register(rest, { prefix: '/api' })
  const send = async (method: 'POST' | 'PUT' | 'PATCH', url: string, payload: object) =>
    server.inject({ method, url: `/api/Parcels${url}`, payload })
  const made = await send('POST', '', { weight: 1 })
  t.match({ status: made.statusCode, body: made.json() }, { status: 200, body: { weight: 1, id: 1 } })
  const refused = { error: { statusCode: 422, details: { codes: { twice: ['read-only'] } } } }
  t.match((await send('POST', '', { weight: 1, twice: 3 })).json(), refused)
  t.match((await send('PATCH', '/1', { twice: 3 })).json(), refused)
  const replaced = await send('PUT', '/1', { weight: 2, twice: 3 })
  t.match({ status: replaced.statusCode, body: replaced.json() }, { status: 200, body: { weight: 2 } })
  t.equal(replaced.json().twice, undefined)
})
