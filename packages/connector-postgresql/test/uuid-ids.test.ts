import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { migrate, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t from 'tap'

const type = { dataType: 'uuid' }
const uuid = '01234567-89ab-4cde-8f01-23456789abcd'

void t.test('a text that is not a UUID is the id of no record, and equals nothing in such a column', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const app = Fastify()
  t.teardown(() => app.close())
  const properties = { id: { type: 'string', id: true, postgresql: type }, other: { type: 'string', postgresql: type } }
  await app.register(modelwire, {
    dataSources: { db: postgresql({ url: database.url, max: 2 }) },
    models: [{ name: 'Item', public: true, properties }]
  })
  await migrate(app.models)
  await app.register(rest, { prefix: '/api' })
  const Item = app.models.get('Item')
  await Item.create({ id: uuid, other: uuid })
  for (const text of ['x', 'a%00b', '0', `${uuid}0`, `{${uuid}`, uuid.slice(1), '%F0%9F%98%80']) {
    t.equal((await app.inject(`/api/Items/${text}`)).statusCode, 404, text)
    t.equal((await app.inject({ method: 'DELETE', url: `/api/Items/${text}` })).json<{ count: number }>().count, 0)
    const other = decodeURIComponent(text)
    t.same(await Item.find({ where: { or: [{ other }, { other: { inq: [other] } }] } }), [])
    t.equal(await Item.count({ other: { gt: other } }), uuid > other ? 1 : 0, 'strings are compared')
    t.equal(await Item.count({ other: { neq: other } }), 1)
    t.equal((await app.inject({ method: 'POST', url: '/api/Items', payload: { id: other } })).statusCode, 400)
  }
  for (const text of [
    uuid,
    uuid.toUpperCase(),
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    uuid.replace('01234567', '0123-4567')
  ])
    t.equal((await app.inject(`/api/Items/${text}`)).statusCode, 200, text)
})
