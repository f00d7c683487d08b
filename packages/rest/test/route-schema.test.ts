import swagger from '@fastify/swagger'
import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { plainSchema, rest } from '#src/index.ts'

const schema = Type.Object({
  title: Type.String({ minLength: 2, maxLength: 5, pattern: '^[a-z]+$' }),
  mail: Type.Optional(Type.String({ format: 'email' })),
  price: Type.Optional(Type.Number({ minimum: 1, exclusiveMaximum: 10, multipleOf: 0.5 })),
  state: Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed')])),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { minItems: 1, maxItems: 2 })),
  place: Type.Optional(Type.Object({ city: Type.String({ minLength: 1 }), floor: Type.Integer({ maximum: 9 }) })),
  visits: Type.Optional(Type.Array(Type.Object({ at: Type.Date(), guests: Type.Integer({ minimum: 2 }) }))),
  size: Type.Optional(Type.Union([Type.Number({ minimum: 4 }), Type.String({ minLength: 6 })])),
  pair: Type.Optional(Type.Tuple([Type.Integer({ maximum: 7 }), Type.String({ maxLength: 8 })])),
  rates: Type.Optional(Type.Record(Type.String(), Type.Number({ maximum: 11 }))),
  both: Type.Optional(
    Type.Intersect([Type.Object({ a: Type.Number({ minimum: 12 }) }), Type.Object({ b: Type.Number() })])
  )
})

async function serve(test: Test): Promise<FastifyInstance> {
  const app = Fastify()
  test.teardown(() => app.close())
  await app.register(swagger, { openapi: { openapi: '3.1.0' } })
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [defineModel('Note', schema, { public: true })]
  })
  await app.register(rest, { prefix: '/api' })
  return app
}

t.test('the schemas of routes keep the constraints of TypeBox, for @fastify/swagger to show', async (t) => {
  const app = await serve(t)
  await app.ready()
  // A document of OpenAPI is JSON.
  const document = JSON.parse(JSON.stringify(app.swagger())) as {
    paths: Record<string, { patch?: object; put?: object }>
  }
  const text = JSON.stringify(document.paths['/api/Notes/{id}'])
  for (const part of [
    '"minLength":2,"maxLength":5,"pattern":"^[a-z]+$"',
    '"format":"email"',
    '"minimum":1,"exclusiveMaximum":10,"multipleOf":0.5',
    '"enum":["open","closed"]',
    '"minItems":1,"maxItems":2',
    '"maxLength":3',
    '"maximum":9',
    '"at":{"type":"string","format":"date-time"}',
    '"guests":{"type":"integer","minimum":2}',
    '"anyOf":[{"type":"number","minimum":4},{"type":"string","minLength":6}]',
    '"items":{"anyOf":[{"type":"integer","maximum":7},{"type":"string","maxLength":8}]}',
    '{"type":"number","maximum":11}',
    '"a":{"type":"number","minimum":12}'
  ])
    t.ok(text.includes(part), part)
})

const broken: readonly (readonly [property: string, value: unknown, code: string])[] = [
  ['title', 'a', 'length.min'],
  ['title', 'abcdef', 'length.max'],
  ['title', 'AB', 'format'],
  ['mail', 'x', 'format'],
  ['price', 0.5, 'range.low'],
  ['price', 10, 'range.high'],
  ['price', 1.2, 'range.step'],
  ['state', 'lost', 'inclusion'],
  ['tags', [], 'length.min'],
  ['tags', ['abcd'], 'shape'],
  ['place', { city: '', floor: 1 }, 'shape'],
  ['place', { city: 'x', floor: 10 }, 'shape'],
  ['visits', [{ at: '2020-01-01', guests: 1 }], 'shape'],
  ['size', 3, 'shape'],
  ['size', 'short', 'shape'],
  ['pair', [8, 'a'], 'shape'],
  ['rates', { a: 12 }, 'shape'],
  ['both', { a: 11, b: 1 }, 'shape']
]

t.test('types of TypeBox are told in the words of JSON Schema', async (t) => {
  const model = Type.Object({
    bytes: Type.Uint8Array({ minByteLength: 1 }),
    code: Type.RegExp(/^a+$/),
    many: Type.Array(Type.BigInt({ minimum: 1n }), { maxItems: 2 })
  })
  t.strictSame(plainSchema(model), {
    type: 'object',
    required: ['bytes', 'code', 'many'],
    properties: {
      bytes: { type: 'string', contentEncoding: 'base64' },
      code: { type: 'string', pattern: '^a+$' },
      many: { type: 'array', maxItems: 2, items: { type: 'integer', minimum: 1 } }
    }
  })
})

t.test('each constraint is kept on writes', async (t) => {
  const app = await serve(t)
  await app.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'abc' } })
  for (const [property, value, code] of broken)
    for (const [method, url] of [
      ['POST', '/api/Notes'],
      ['PUT', '/api/Notes/1'],
      ['PATCH', '/api/Notes/1']
    ] as const) {
      const answer = await app.inject({ method, url, payload: { title: 'abc', [property]: value } })
      t.equal(answer.statusCode, 422, `${method} ${property}`)
      t.match(answer.json(), { error: { details: { codes: { [property]: [code] } } } }, `${method} ${property}`)
    }
})
