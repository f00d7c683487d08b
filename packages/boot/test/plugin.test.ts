import fastify from 'fastify'
import t from 'tap'
import { boot } from '#src/plugin.ts'
import { makeFolder, usualFiles } from './make-app.ts'

void t.test('serves an application inside a server of yours', async (t) => {
  const server = fastify()
  t.teardown(() => server.close())
  server.get('/own', async () => 'mine')
  await server.register(boot, { dir: await makeFolder(t, usualFiles), variables: {} })
  t.equal((await server.inject('/own')).body, 'mine')
  t.strictSame((await server.inject('/api/Things')).json(), [])
  t.equal(server.bootReport.served.models.length, 1)
  t.equal(server.loopback.models['Thing'], server.models.get('Thing'))
})

void t.test('two applications live in one server under two prefixes', async (t) => {
  const server = fastify()
  t.teardown(() => server.close())
  const dir = await makeFolder(t, usualFiles)
  for (const version of [2, 3] as const) {
    await server.register(async (scope) => scope.register(boot, { dir, version, variables: {} }), {
      prefix: `/v${version}`
    })
  }
  await server.inject({ method: 'POST', url: '/v2/api/Things', payload: { label: 'two' } })
  t.match((await server.inject('/v2/api/Things')).json(), [{ label: 'two' }])
  t.strictSame((await server.inject('/v3/api/Things')).json(), [])
  t.match((await server.inject('/v2/api/Things/9')).json(), { error: { status: 404 } })
  t.notOk((await server.inject('/v3/api/Things/9')).json<{ error: { status?: number } }>().error.status)
})
