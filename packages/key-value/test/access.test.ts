import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t from 'tap'
import { keyValue, keyValueModel, kvMemory } from '#src/index.ts'

t.test('access rules apply', async (t) => {
  const everyone = { principalType: 'ROLE', principalId: '$everyone' } as const
  const acls = [
    { ...everyone, permission: 'DENY' as const },
    { ...everyone, permission: 'ALLOW' as const, property: 'get' }
  ]
  const app = Fastify({ requestTimeout: 1000 })
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { keys: kvMemory(), db: memory() },
    models: [keyValueModel, { name: 'Cache', base: 'KeyValueModel', public: true, dataSource: 'keys', acls }]
  })
  await app.register(acl, { dataSource: 'db' })
  await app.register(keyValue)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const status = async (method: 'GET' | 'PUT', path: string) =>
    (await app.inject({ method, url: `/api/Caches${path}`, ...(method === 'PUT' && { payload: { ttl: 1 } }) }))
      .statusCode
  t.equal(await status('GET', '/a'), 404)
  t.equal(await status('PUT', '/a'), 401)
  t.equal(await status('PUT', '/a/expire'), 401)
  t.equal(await status('GET', '/a/ttl'), 401)
  t.equal(await status('GET', '/keys'), 401)
})
