import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from '../rows/bank.ts'

const everyone = [deny, rule('$everyone', 'ALLOW', { accessType: 'EXECUTE' })]

async function makePrices(t: Test, properties: object, acls: readonly object[] = everyone): Promise<FastifyInstance> {
  const model = { name: 'Price', plural: 'prices', properties, acls: [...acls] } as ModelDefinition // properties of any form
  return makeApp(t, [model])
}

const guarded = { audit: { type: 'string', readOnly: true }, sealed: { type: 'string', writeOnce: true } } as const

for (const [kind, values] of Object.entries({
  date: ['2026-01-02T00:00:00.000Z', 1_767_312_000_000],
  boolean: [true, 1, 'yes'],
  number: [5, '5', ' 5']
})) {
  const [value, ...others] = values
  void t.test(`what clients may not set survives however they write a part of the id: ${kind}`, async (t) => {
    const part = { shop: { type: 'string', id: 1 }, part: { type: kind, id: 2 } }
    const app = await makePrices(t, { ...part, ...guarded, amount: 'number' })
    const Price = app.models.get('Price')
    await Price.create({ shop: 's', part: value, audit: 'kept', sealed: 'kept', amount: 1 })
    for (const other of [value, ...others])
      for (const line of ['PUT /prices', 'POST /prices/replaceOrCreate', 'PATCH /prices']) {
        const answer = await send(app, line, { shop: 's', part: other, amount: 2 })
        t.match(answer, { status: 200 }, `${line} ${JSON.stringify(other)}`)
        t.match(await Price.find(), [{ audit: 'kept', sealed: 'kept', amount: 2 }], `${line} ${JSON.stringify(other)}`)
        t.equal(await Price.count(), 1)
      }
  })
}

const tenants = {
  tenant: { type: 'string', id: 1 },
  code: { type: 'string', id: 2 },
  ...guarded,
  amount: 'number'
} as const

void t.test('an observer that sets a part of the id does not lead a replacement to another record', async (t) => {
  const app = await makePrices(t, tenants)
  const Price = app.models.get('Price')
  await Price.create({ tenant: 'own', code: 'a', audit: 'kept', sealed: 'kept', amount: 1 })
  Price.observe('before save', async ({ instance }) => {
    if (instance) instance['tenant'] = 'own'
  })
  const answer = await send(app, 'PUT /prices', { tenant: 'x', code: 'a', amount: 2 })
  t.match(answer, { status: 400, body: { error: { code: 'ID_MISMATCH' } } })
  t.match(await Price.find(), [{ audit: 'kept', sealed: 'kept', amount: 1 }])
  t.match(await send(app, 'PUT /prices', { tenant: 'own', code: 'a', amount: 2 }), { status: 200 })
  t.match(await Price.find(), [{ audit: 'kept', sealed: 'kept', amount: 2 }])
})

void t.test('a part that comes from the caller', async (t) => {
  const app = await makePrices(t, { ...tenants, tenant: { type: 'string', id: 1, fromCaller: 'userId' } })
  const Price = app.models.get('Price')
  await Price.create({ tenant: '1', code: 'a', audit: 'kept', sealed: 'kept', amount: 1 })
  for (const line of ['PUT /prices', 'PATCH /prices', 'POST /prices'])
    t.match(await send(app, line, { tenant: '2', code: 'a', amount: 2 }), { status: 422 }, line)
  t.match(await Price.find(), [{ tenant: '1', audit: 'kept', sealed: 'kept', amount: 1 }])
  t.match(await send(app, 'PUT /prices', { tenant: '1', code: 'a', amount: 2 }), { status: 200 })
  t.match(await send(app, 'POST /prices', { code: 'b', amount: 2 }), { status: 200, body: { tenant: '1' } })
  t.match(await Price.find(), [
    { audit: 'kept', sealed: 'kept', amount: 2 },
    { tenant: '1', code: 'b' }
  ])
})

const lines = ['POST /prices', 'PUT /prices', 'PATCH /prices', 'POST /prices/replaceOrCreate'] as const
const upsert = `POST /prices/upsertWithWhere?where=${encodeURIComponent('{"tenant":"x"}')}`

void t.test('clients do not choose a part that they may only read', async (t) => {
  const app = await makePrices(t, { ...tenants, tenant: { type: 'string', id: 1, readOnly: true } })
  const Price = app.models.get('Price')
  for (const line of [...lines, upsert])
    t.match(await send(app, line, { tenant: 'x', code: 'a', amount: 2 }), { status: 422 }, line)
  t.equal(await Price.count(), 0)
  await Price.create({ tenant: 'x', code: 'a', amount: 1 })
  for (const line of ['PUT /prices', 'PATCH /prices', 'PUT /prices/x,a', 'PATCH /prices/x,a'])
    t.match(await send(app, line, { tenant: 'x', code: 'a', amount: 2 }), { status: 200 }, line)
})

void t.test('clients do not choose a part that their rule keeps from them', async (t) => {
  const fields = { write: ['code', 'amount'] }
  const app = await makePrices(t, tenants, [deny, rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', fields })])
  const Price = app.models.get('Price')
  for (const line of [...lines, upsert]) {
    const { status } = await send(app, line, { tenant: 'x', code: 'a', amount: 2 })
    t.ok(status === 401 || status === 403, `${line} ${status}`)
  }
  t.equal(await Price.count(), 0)
  await Price.create({ tenant: 'x', code: 'a', amount: 1 })
  for (const line of ['PUT /prices', 'PATCH /prices', 'PUT /prices/x,a', 'PATCH /prices/x,a'])
    t.match(await send(app, line, { tenant: 'x', code: 'a', amount: 2 }), { status: 200 }, line)
})
