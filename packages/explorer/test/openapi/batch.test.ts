import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest, type RestOptions } from '@modelwire/rest'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { explorer } from '#src/index.ts'

interface Document {
  readonly paths: Record<string, unknown>
  readonly components: {
    readonly schemas: Record<string, { required?: string[]; properties: Record<string, unknown> }>
  }
}

async function documentOf(t: Test, batch: RestOptions['batch']): Promise<Document> {
  const app = Fastify()
  t.teardown(() => app.close())
  const properties = { code: { type: 'string', id: true }, total: { type: 'number', required: true } } as const
  const models = [
    { name: 'Sale', public: true, properties },
    { name: 'Log', public: true, properties, remoting: { sharedMethods: { '*': false, find: true } } }
  ]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api', ...(batch !== undefined && { batch }) })
  await app.register(explorer)
  await app.ready()
  return (await app.inject('/explorer/openapi.json')).json<Document>()
}

void t.test('batches are documented where they are answered', async (t) => {
  const document = await documentOf(t, { path: '/$batch', limit: 7 })
  t.match(document.paths['/$batch'], {
    post: {
      operationId: 'batch',
      requestBody: { content: { 'application/json': { schema: { required: ['requests'] } } } }
    }
  })
  t.match(document.paths['/Sales/bulk'], {
    post: {
      operationId: 'SalesBulk',
      tags: ['Sale'],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              properties: {
                create: { items: { $ref: '#/components/schemas/SaleNew' }, maxItems: 7 },
                update: { items: { $ref: '#/components/schemas/SaleChange' } },
                delete: { items: { type: 'string' } }
              }
            }
          }
        }
      }
    }
  })
  const change = document.components.schemas['SaleChange']
  t.strictSame(change?.required, ['code'])
  t.strictSame(Object.keys(change?.properties ?? {}), ['code', 'total'])
  t.notOk('/Logs/bulk' in document.paths)
  const { valid, errors } = await new Validator().validate({ ...document })
  t.ok(valid, JSON.stringify(errors))
})

void t.test('without the option nothing is documented', async (t) => {
  const { paths } = await documentOf(t, undefined)
  t.notOk(Object.keys(paths).some((path) => /batch|bulk/.test(path)))
})
