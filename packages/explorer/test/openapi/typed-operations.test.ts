import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { defineModel, defineOperation, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { users } from '@modelwire/users'
import { Type } from '@sinclair/typebox'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { openApiDocument, type OpenApiDocument } from '#src/index.ts'

const Ticket = defineModel(
  'Ticket',
  Type.Object({ state: Type.Union([Type.Literal('open'), Type.Literal('done')]), note: Type.Optional(Type.String()) }),
  { public: true }
)
const Agent = defineModel('Agent', Type.Object({ nick: Type.String() }), { base: 'User', public: true })

async function makeDocument(t: Test): Promise<OpenApiDocument> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: { Ticket } })
  await app.register(acl)
  await app.register(users)
  app.models.define(Agent)
  app.models.attach('Agent', 'db')
  defineOperation(app.models.get('Ticket'), {
    name: 'close',
    accepts: { percent: Type.Number({ exclusiveMinimum: 0, maximum: 100, description: 'how much' }) },
    returns: Type.Object({ closed: Type.Date(), parts: Type.Array(Type.Uint8Array()) }),
    handler: () => ({ closed: new Date(), parts: [] })
  })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return openApiDocument(app)
}

const operationsOf = ({ paths }: OpenApiDocument): { operationId?: string; description?: string }[] =>
  Object.values(paths).flatMap((item) => Object.values(item))

t.test('operations have descriptions, and ids that are names in a program, each once', async (t) => {
  const operations = operationsOf(await makeDocument(t))
  const ids = operations.map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, ids.length)
  for (const { operationId, description } of operations) {
    t.match(operationId, /^[a-z][A-Za-z0-9]*$/)
    t.match(description, /\w+/, String(operationId))
  }
  for (const id of ['ticketsFindById', 'ticketsFind', 'ticketsClose', 'agentsLogin']) t.ok(ids.includes(id), id)
})

t.test('arguments have their constraints, and answers types of JSON', async (t) => {
  const document = await makeDocument(t)
  t.match(await new Validator().validate(structuredClone(document)), { valid: true })
  t.match(document.paths['/Tickets/close']?.['post'], {
    requestBody: {
      content: {
        'application/json': {
          schema: {
            properties: { percent: { type: 'number', exclusiveMinimum: 0, maximum: 100 } },
            required: ['percent']
          }
        }
      }
    },
    responses: {
      200: {
        content: {
          'application/json': {
            schema: {
              properties: {
                closed: { type: 'string', format: 'date-time' },
                parts: { items: { type: 'string', contentEncoding: 'base64' } }
              }
            }
          }
        }
      }
    }
  })
})

t.test('conditions on listed values take these alone, and no operator that the server refuses', async (t) => {
  const { schemas } = (await makeDocument(t)).components
  t.match(schemas?.['TicketWhere'], {
    properties: { state: { $ref: '#/components/schemas/TicketStateCondition' }, note: { $ref: /StringCondition/ } }
  })
  const values = { enum: ['open', 'done'] }
  t.match(schemas?.['TicketStateCondition'], {
    anyOf: [values, {}, { properties: { inq: { items: { anyOf: [values] } } } }]
  })
  t.notMatch(JSON.stringify(schemas), /"exists"/)
  const text = { type: 'string' }
  t.match(schemas?.['StringCondition'], { anyOf: [text, {}, { properties: { like: text, startsWith: text } }] })
})

t.test('login says what it takes and gives; passwords are sent and never answered', async (t) => {
  const document = await makeDocument(t)
  const password = { type: 'string', writeOnly: true }
  t.match(document.paths['/Agents/login']?.['post'], {
    requestBody: {
      content: { 'application/json': { schema: { properties: { password, email: { type: 'string' } } } } }
    },
    responses: { 200: { content: { 'application/json': { schema: { properties: { id: { type: 'string' } } } } } } }
  })
  t.match(document.components['schemas']?.['AgentNew'], { properties: { password: { writeOnly: true } } })
})
