import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'

const properties = Type.Object({
  shop: Type.Optional(Type.String()),
  total: Type.Optional(Type.Number()),
  at: Type.Optional(Type.Date())
})
type Setting = boolean | { properties?: string[]; limit?: number; maxLimit?: number } | undefined

async function makeApp(t: Test, aggregate: Setting): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const Sale = defineModel('Sale', properties, { public: true, ...(aggregate !== undefined && { aggregate }) })
  await app.register(modelwire, { dataSources: { db: memory() }, models: [Sale] })
  await app.register(rest, { prefix: '/api' })
  await app.models
    .get('Sale')
    .create([
      { shop: 'a', total: 1.5, at: new Date('2026-01-31T23:59:59.999Z') },
      { shop: 'a', total: 2, at: new Date('2026-02-01T00:00:00.000Z') },
      { shop: 'b', total: 4, at: new Date('2025-12-31T12:00:00.000Z') },
      { shop: 'b' }
    ])
  return app
}

async function ask(app: FastifyInstance, query: string): Promise<{ status: number; body: unknown }> {
  const { statusCode, payload } = await app.inject(`/api/Sales/aggregate?${query}`)
  return { status: statusCode, body: JSON.parse(payload) }
}
const askJson = (app: FastifyInstance, request: unknown) =>
  ask(app, `filter=${encodeURIComponent(JSON.stringify(request))}`)

void t.test('there is no route until the model allows it', async (t) => {
  for (const setting of [undefined, false]) {
    const app = await makeApp(t, setting)
    t.equal((await askJson(app, { count: true })).status, 404)
    t.equal(app.printRoutes().includes('aggregate'), false)
  }
})

void t.test('sums and groups are requested by JSON and by brackets', async (t) => {
  const app = await makeApp(t, true)
  t.same((await askJson(app, { group: ['shop'], count: true, sum: { turnover: 'total' }, max: ['at'] })).body, [
    { shop: 'a', count: 2, turnover: 3.5, max_at: '2026-02-01T00:00:00.000Z' },
    { shop: 'b', count: 2, turnover: 4, max_at: '2025-12-31T12:00:00.000Z' }
  ])
  const brackets = [
    'filter[group][0][year]=at',
    'filter[group][0][as]=y',
    'filter[count]=true',
    'filter[avg][]=total',
    'filter[having][count][gt]=1',
    'filter[order]=y%20DESC',
    'filter[limit]=5'
  ]
  t.same((await ask(app, brackets.join('&'))).body, [{ y: 2026, count: 2, avg_total: 1.75 }])
  t.same((await ask(app, 'filter[group]=shop&filter[where][total][lt]=2&filter[count]=total')).body, [
    { shop: 'a', count_total: 1 }
  ])
})

void t.test('the number of rows has a default and a maximum', async (t) => {
  const app = await makeApp(t, { limit: 1, maxLimit: 3 })
  const request = { group: [{ month: 'at' }], count: true }
  t.same((await askJson(app, request)).body, [{ month_at: null, count: 1 }])
  t.equal(Object((await askJson(app, { ...request, limit: 3 })).body).length, 3)
  t.match(await askJson(app, { ...request, limit: 4 }), { status: 400, body: { error: { code: 'LIMIT_EXCEEDED' } } })
})

void t.test('a month of a year is one group', async (t) => {
  const app = await makeApp(t, true)
  t.same((await askJson(app, { group: [{ yearMonth: 'at' }], count: true, order: 'yearMonth_at DESC' })).body, [
    { yearMonth_at: '2026-02', count: 1 },
    { yearMonth_at: '2026-01', count: 1 },
    { yearMonth_at: '2025-12', count: 1 },
    { yearMonth_at: null, count: 1 }
  ])
})

void t.test('the model may list the properties', async (t) => {
  const app = await makeApp(t, { properties: ['total'] })
  t.same((await askJson(app, { sum: 'total', where: { shop: 'a' } })).body, [{ sum_total: 3.5 }])
  for (const request of [{ group: 'shop' }, { max: ['at'] }, { count: { n: 'shop' } }])
    t.match(await askJson(app, request), { status: 400, body: { error: { code: 'AGGREGATE_NOT_ALLOWED' } } })
})

const malformed: readonly unknown[] = [
  [],
  'x',
  {},
  { groups: ['shop'] },
  { group: ['nothing'] },
  { group: [{ century: 'at' }] },
  { group: [{ year: 'total' }] },
  { group: [{ year: 'at', month: 'at' }] },
  { group: [5] },
  { group: [{ year: 'at', as: 'a b' }] },
  { group: [{ year: 'at', as: '__proto__' }] },
  { group: ['shop', 'shop'] },
  { sum: 'shop' },
  { avg: 'at' },
  { sum: { shop: 'total', constructor: 'total' } },
  { group: ['shop'], sum: { shop: 'total' } },
  { sum: 5 },
  { sum: [['total']] },
  { sum: 'total.x' },
  { count: true, having: { total: 1 } },
  { count: true, having: { count: { near: '1,2' } } },
  { count: true, order: 'shop' }
]

void t.test('a malformed request is refused with a code', async (t) => {
  const app = await makeApp(t, true)
  for (const request of malformed) {
    const { status, body } = await askJson(app, request)
    t.equal(status, 400, JSON.stringify(request))
    t.match(body, { error: { code: /^(INVALID_AGGREGATE|INVALID_ARGUMENT|INVALID_FILTER|PROPERTY_NAME_REFUSED)$/ } })
  }
  t.match(await ask(app, ''), { status: 400 })
})

void t.test('a filter has the limits of those of lists', async (t) => {
  const app = await makeApp(t, true)
  const deep = (levels: number): object => (levels === 0 ? { total: 1 } : { and: [deep(levels - 1)] })
  for (const part of ['where', 'having']) {
    const request = { count: { total: true }, [part]: deep(20) }
    t.match(await askJson(app, request), { status: 400, body: { error: { code: 'LIMIT_EXCEEDED' } } })
  }
  t.match(await askJson(app, { count: true, where: { total: { $gt: 1 } } }), {
    status: 400,
    body: { error: { code: 'OPERATOR_NOT_ALLOWED_IN_QUERY' } }
  })
})
