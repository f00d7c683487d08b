import { modelwire, type ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import * as fc from 'fast-check'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import type { Test } from 'tap'

const models: readonly ModelDefinition[] = [
  {
    name: 'WireItem',
    public: true,
    forceId: false,
    aggregate: true,
    properties: {
      id: { type: 'number', id: true, generated: true },
      name: 'string',
      price: 'number',
      count: 'integer',
      at: 'date',
      active: 'boolean',
      tags: ['string'],
      sizes: ['number'],
      meta: 'object',
      place: 'geopoint',
      anything: 'any'
    }
  },
  { name: 'WireCode', public: true, properties: { id: { type: 'string', id: true }, name: 'string' } }
]

/** JSON of values that some type of some database does not have. */
const values = String.raw`
  1e999 -1e999 1e308 -1.7976931348623157e308 1e-400 5e-324 -0 1.5 1e21 2147483648 9007199254740993 99999999999999999999
  -9223372036854775809 8640000000000001 true null [] [1e999] ["\u0000"] {} {"lat":1e999,"lng":0} {"a":1e999} {"\u0000":1}
  "1e999" "-1e999" "Infinity" "-Infinity" "NaN" "0x1f" "1_0" "" "\u0020" "99999999999999999999" "1,2" "\u0000" "a\u0000b"
  "\ud800" "\ufffd" "\uffff" "😀" "\\" "+275760-09-13T00:00:00.001Z" "0000-01-01T00:00:00.000Z"`
  .trim()
  .split(/\s+/)
const names = ['id', 'name', 'price', 'count', 'at', 'active', 'tags', 'sizes', 'meta', 'place', 'anything', 'more']
const paths = [...names, 'meta.x', 'place.lat', 'more.x', 'tags.0', 'more\\u0000', 'meta.\\u0000', 'meta.\\"']
const operators = ['gt', 'gte', 'lt', 'lte', 'neq', 'like', 'nlike', 'ilike', 'nilike', 'regexp', 'near']

const value = fc.constantFrom(...values)
const list = fc.tuple(value, value).map((pair) => `[${pair.join(',')}]`)
const test = fc.oneof(
  value,
  fc.tuple(fc.constantFrom(...operators), value).map(([operator, each]) => `{"${operator}":${each}}`),
  fc.tuple(fc.constantFrom('inq', 'nin', 'between'), list).map(([operator, each]) => `{"${operator}":${each}}`),
  fc.tuple(value, value).map(([least, most]) => `{"near":"1,2","minDistance":${least},"maxDistance":${most}}`)
)
const where = fc.tuple(fc.constantFrom(...paths), test).map(([path, each]) => `{"${path}":${each}}`)
const filter = fc.oneof(
  { weight: 5, arbitrary: where.map((each) => `{"where":${each}}`) },
  fc.tuple(fc.constantFrom('limit', 'skip', 'offset'), value).map(([name, each]) => `{"${name}":${each}}`),
  fc.constantFrom(...paths).map((path) => `{"order":"${path} DESC"}`)
)
const numeric = fc.constantFrom('price', 'count', 'id')
const summed = fc
  .tuple(fc.constantFrom('sum', 'avg', 'min', 'max', 'count'), numeric, test, where)
  .map(([fn, name, each, met]) => `{"${fn}":["${name}"],"where":${met},"having":{"${fn}_${name}":${each}}}`)
const grouped = fc
  .tuple(fc.constantFrom('"name"', '"active"', '"count"', '{"year":"at"}', '{"date":"at","as":"d"}'), test, value)
  .map(
    ([group, each, limit]) => `{"group":[${group}],"min":{"least":"name"},"having":{"least":${each}},"limit":${limit}}`
  )
const data = fc.tuple(fc.constantFrom(...names), value).map(([name, each]) => `{"${name}":${each}}`)
const id = value.map((json) => encodeURIComponent(String(parse(json)) || 'x'))

function parse(json: string): unknown {
  const parsed: unknown = JSON.parse(json)
  return typeof parsed === 'string' ? parsed.toWellFormed() : json
}

const body = (method: 'POST' | 'PUT' | 'PATCH', url: string, payload: string): InjectOptions => ({
  method,
  url: `/api${url}`,
  headers: { 'content-type': 'application/json' },
  payload
})
const get = (url: string): InjectOptions => ({ url: `/api${url}` })

const request = fc.oneof(
  filter.map((each) => get(`/WireItems?filter=${encodeURIComponent(each)}`)),
  where.map((each) => get(`/WireItems/count?where=${encodeURIComponent(each)}`)),
  fc.oneof(summed, grouped).map((each) => get(`/WireItems/aggregate?filter=${encodeURIComponent(each)}`)),
  fc
    .tuple(where, data)
    .map(([each, patch]) => body('POST', `/WireItems/update?where=${encodeURIComponent(each)}`, patch)),
  fc
    .tuple(where, data)
    .map(([each, patch]) => body('POST', `/WireItems/upsertWithWhere?where=${encodeURIComponent(each)}`, patch)),
  data.map((each) => body('POST', '/WireItems', each)),
  data.map((each) => body('POST', '/WireItems', `[{"name":"a"},${each}]`)),
  data.map((each) => body('PATCH', '/WireItems/1', each)),
  data.map((each) => body('PATCH', '/WireItems', each)),
  fc.tuple(id, data).map(([each, patch]) => body('PUT', `/WireItems/${each}`, patch)),
  fc
    .tuple(fc.constantFrom('WireItems', 'WireCodes'), id)
    .chain(([plural, each]) =>
      fc.constantFrom<InjectOptions>(
        get(`/${plural}/${each}`),
        get(`/${plural}/${each}/exists`),
        body('PATCH', `/${plural}/${each}`, '{"name":"x"}'),
        body('PUT', `/${plural}/${each}`, '{"name":"x"}'),
        { method: 'DELETE', url: `/api/${plural}/${each}` }
      )
    )
)

async function start(t: Test, connector: Connector): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions: { maxParamLength: 500 } })
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, models })
  await connector.migrate?.(
    models.map(({ name }) => app.models.typeOf(name)),
    { empty: true }
  )
  await app.register(rest, { prefix: '/api' })
  await app.models.get('WireItem').create([
    { name: 'a', price: 1, more: 1 },
    { sizes: [1], meta: { x: 'b' } }
  ])
  return app
}

/**
 * Sends odd numbers and texts as data, ids and in filters to models of a connector, whose database nothing else uses: each
 * request is answered, or refused as the client's with a code.
 */
export async function wireTests(t: Test, connector: Connector, numRuns = 1500): Promise<void> {
  const app = await start(t, connector)
  await fc.assert(
    fc.asyncProperty(request, async (each) => {
      const { statusCode, body: text } = await app.inject(each)
      const isCoded = statusCode < 300 || (statusCode >= 400 && /"code":"\w+"/.test(text))
      if (statusCode >= 500 || !isCoded) throw new Error(`${statusCode} ${text}`)
    }),
    { numRuns }
  )
  t.pass(`${numRuns} requests`)
}
