import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire, type ModelsOf } from '@modelwire/core'
import type { Collection, Connector } from '@modelwire/core/connector'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t, { type Test } from 'tap'

const properties = Type.Object({
  status: Type.Union([Type.String(), Type.Null()]),
  units: Type.Number(),
  whole: Type.Optional(Type.Integer()),
  paid: Type.Optional(Type.Boolean()),
  amount: Type.Optional(Type.String({ postgresql: { dataType: 'numeric(20,2)' } })),
  at: Type.Optional(Type.Date())
})
const models = { Order: defineModel('Order', properties) }
type Order = ModelsOf<typeof models>['Order']

async function open(t: Test, connector: Connector = memory(), settings: object = {}): Promise<Order> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, models: [{ ...models.Order, ...settings }] })
  await app.ready()
  const Order: unknown = app.models.get('Order')
  return Order as Order // its definition is the one above
}

const orders = [
  { status: 'new', units: 2, paid: true, amount: '0.10', at: new Date('2026-03-01T10:00:00.000Z') },
  { status: 'new', units: 3, paid: false, amount: '0.20', at: new Date('2026-03-31T23:59:00.000Z') },
  { status: 'sent', units: 5, amount: '99999999999999999.99', at: new Date('2025-03-01T10:00:00.000Z') },
  { status: null, units: 7 }
]

void t.test('a month of a year is one string', async (t) => {
  const Order = await open(t)
  await Order.create(orders)
  const [row] = await Order.aggregate({ group: { yearMonth: 'at' }, count: true, having: { yearMonth_at: '2026-03' } })
  const month: string | null | undefined = row?.yearMonth_at
  t.same([month, row?.count], ['2026-03', 2])
})

void t.test('rows have the types of what is requested', async (t) => {
  const Order = await open(t)
  await Order.create(orders)
  const rows = await Order.aggregate({
    group: ['status', { year: 'at' }],
    count: true,
    sum: ['units', 'amount'],
    avg: { mean: 'units' },
    max: 'at',
    order: 'count DESC'
  })
  const [first] = rows
  const status: string | null | undefined = first?.status
  const year: number | null | undefined = first?.year_at
  const sum: number | null | undefined = first?.sum_units
  const amount: string | null | undefined = first?.sum_amount
  const mean: number | null | undefined = first?.mean
  const latest: Date | null | undefined = first?.max_at
  t.same(
    { status, year, sum, amount, mean, latest, count: first?.count },
    {
      status: 'new',
      year: 2026,
      sum: 5,
      amount: '0.30',
      mean: 2.5,
      latest: new Date('2026-03-31T23:59:00.000Z'),
      count: 2
    }
  )
  // @ts-expect-error there is no such property
  await t.rejects(Order.aggregate({ group: ['nothing'] }), { code: 'INVALID_AGGREGATE' })
  // @ts-expect-error dates are not added up
  await t.rejects(Order.aggregate({ sum: ['at'] }), { code: 'INVALID_AGGREGATE' })
})

void t.test('decimal numbers stay exact', async (t) => {
  const Order = await open(t)
  await Order.create(orders)
  t.same(await Order.aggregate({ sum: 'amount', avg: 'amount', min: 'amount', max: 'amount' }), [
    {
      sum_amount: '100000000000000000.29',
      avg_amount: '33333333333333333.43',
      min_amount: '0.10',
      max_amount: '99999999999999999.99'
    }
  ])
  t.same(await Order.aggregate({ group: 'status', sum: 'amount', having: { sum_amount: { gt: '9' } } }), [
    { status: 'sent', sum_amount: '99999999999999999.99' }
  ])
})

void t.test('whole numbers are added exactly, or refused', async (t) => {
  const Order = await open(t)
  const most = Number.MAX_SAFE_INTEGER
  await Order.create([most, most, -most, 1].map((whole) => ({ status: 'x', units: 1, whole })))
  await t.rejects(Order.aggregate({ sum: 'whole', where: { whole: { gt: 0 } } }), { code: 'NUMBER_NOT_REPRESENTABLE' })
  t.same(await Order.aggregate({ sum: 'whole', where: { whole: { lt: 2 } } }), [{ sum_whole: 1 - most }])
})

void t.test('no records make one row, and no group', async (t) => {
  const Order = await open(t)
  const nothing = { count: 0, sum_units: null, avg_units: null, min_units: null, max_units: null }
  const all = { count: true, sum: 'units', avg: 'units', min: 'units', max: 'units' } as const
  t.same(await Order.aggregate(all), [nothing])
  t.same(await Order.aggregate({ ...all, group: ['status'] }), [])
})

void t.test('scopes and observers of access narrow what is summed', async (t) => {
  const Order = await open(t, memory(), { scope: { where: { status: 'new' } } })
  await Order.create([...orders.slice(0, 2), { status: 'new', units: 100 }])
  t.same(await Order.aggregate({ sum: 'units' }), [{ sum_units: 105 }])
  Order.observe('access', async ({ query }) => {
    if (query) query.where = { and: [query.where ?? {}, { units: { lt: 100 } }] }
  })
  t.same(await Order.aggregate({ sum: 'units', where: { units: { gt: 2 } } }), [{ sum_units: 3 }])
  Order.observe('access', async ({ query }) => {
    if (query) query.fields = ['status']
  })
  await t.rejects(Order.aggregate({ sum: 'units' }), { code: 'HIDDEN_PROPERTY_IN_FILTER' })
})

/** A connector that finds records, and does not sum them. */
function withoutAggregate(): Connector {
  const connector = memory()
  const collection = connector.collection.bind(connector)
  return Object.assign(connector, {
    collection: (model: Parameters<Connector['collection']>[0]): Collection => {
      return { ...collection(model), aggregate: () => undefined }
    }
  })
}

void t.test('a connector that does not sum is read', async (t) => {
  const Order = await open(t, withoutAggregate())
  await Order.create(orders)
  t.same(await Order.aggregate({ group: 'paid', sum: 'units', where: { units: { lt: 7 } }, order: 'paid DESC' }), [
    { paid: true, sum_units: 2 },
    { paid: false, sum_units: 3 },
    { paid: null, sum_units: 5 }
  ])
})

void t.test('dates of a result are not those that are stored', async (t) => {
  const Order = await open(t)
  await Order.create(orders.slice(0, 1))
  const [row] = await Order.aggregate({ group: 'at', min: 'at' })
  row?.at?.setUTCFullYear(1999)
  row?.min_at?.setUTCFullYear(1999)
  t.equal((await Order.findOne())?.at?.getUTCFullYear(), 2026)
})
