import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { explorer } from '#src/index.ts'

async function pathsOf(t: Test, aggregate: boolean | undefined): Promise<Record<string, unknown>> {
  const app = Fastify()
  t.teardown(() => app.close())
  const model = {
    name: 'Sale',
    public: true,
    properties: { total: 'number' },
    ...(aggregate !== undefined && { aggregate })
  }
  await app.register(modelwire, { dataSources: { db: memory() }, models: [model] })
  await app.register(rest, { prefix: '/api' })
  await app.register(explorer)
  await app.ready()
  return (await app.inject('/explorer/openapi.json')).json<{ paths: Record<string, unknown> }>().paths
}

const partOfDate = { type: 'object', properties: { year: {}, yearMonth: {}, as: {} } }
const withParts = {
  schema: { contentSchema: { properties: { group: { items: { anyOf: [{ type: 'string' }, partOfDate] } } } } }
}

void t.test('sums and groups are documented where the model allows them', async (t) => {
  const paths = await pathsOf(t, true)
  t.match(paths['/Sales/aggregate'], {
    get: {
      operationId: /aggregate/i,
      parameters: [{ name: 'filter', in: 'query', required: true, ...withParts }],
      responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } }
    }
  })
  for (const setting of [false, undefined])
    t.notOk(Object.keys(await pathsOf(t, setting)).some((path) => path.includes('aggregate')))
})
