import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { send } from './bank.ts'

interface Variant {
  readonly name: string
  readonly acls: readonly object[]
  readonly observed?: boolean
  readonly hooked?: boolean
}

const ofTenant = ({ userId }: { readonly userId?: unknown }) => ({ tenant: `t${String(userId)}` })
const rows = rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', rows: ofTenant })

const variants: readonly Variant[] = [
  { name: 'rows by a part of the id', acls: [deny, rows] },
  { name: 'with observers', acls: [deny, rows], observed: true },
  { name: 'with remote hooks', acls: [deny, rows], hooked: true },
  { name: 'owners', acls: [deny, rule('$owner', 'ALLOW', { accessType: 'EXECUTE', rows: '$owner' })] }
]

const properties = {
  tenant: { type: 'string', id: true },
  code: { type: 'string', id: true },
  amount: 'number',
  userId: 'number',
  need: { type: 'string', required: true }
} as const

/** Prices t1,a and t1,b of user 1, and t2,a of user 2. */
async function makePrices(t: Test, { acls, observed, hooked }: Variant): Promise<FastifyInstance> {
  const prepare = ({ models }: FastifyInstance): void => {
    if (hooked === true) models.remoteHooks.add('before', 'Price.**', async () => {})
  }
  const model: ModelDefinition = { name: 'Price', plural: 'prices', properties, acls: [...acls] }
  const app = await makeApp(t, [model], {}, { prepare })
  const Price = app.models.get('Price')
  const keys = ['t1 a', 't1 b', 't2 a'].map((text) => text.split(' '))
  for (const [tenant = '', code] of keys)
    await Price.create({ tenant, code, amount: 1, userId: Number(tenant.slice(1)), need: 'n' })
  if (observed === true) {
    Price.observe('access', async () => {})
    Price.observe('before save', async () => {})
  }
  return app
}

const stored = async (app: FastifyInstance): Promise<string> =>
  (await app.models.get('Price').find()).map((row) => `${String(row.getId())}=${String(row['amount'])}`).join(' ')

const lines: readonly (readonly [string, object?])[] = [
  ['GET :id'],
  ['HEAD :id'],
  ['GET :id/exists'],
  ['DELETE :id'],
  ['PATCH :id', { amount: 9 }],
  ['PATCH :id', { need: '' }],
  ['PATCH :id', { tenant: 't1' }],
  ['PUT :id', { amount: 9, need: 'n', userId: 1 }],
  ['PUT :id', { amount: 9, need: 'n', tenant: 't1', userId: 1 }],
  ['POST :id/replace', { amount: 9, need: 'n', userId: 1 }]
]

/** A record of another tenant is answered like one that does not exist, and an id that no record can have is refused. */
async function tryForeign(t: Test, app: FastifyInstance): Promise<void> {
  for (const [line, data] of lines) {
    const ask = async (id: string) => send(app, line.replace(':id', `/prices/${id}`), data)
    const foreign = await ask('t2,a')
    t.strictSame(foreign, await ask('t2,x'), line)
    t.ok(foreign.status >= 400, `${line} ${foreign.status}`)
    for (const id of ['t1', 't2', 't1,', 't1,a,t2', 't2%2Ca']) t.ok((await ask(id)).status >= 400, `${line} ${id}`)
  }
  for (const line of ['PATCH /prices', 'PUT /prices', 'POST /prices/replaceOrCreate']) {
    const data = { tenant: 't2', amount: 9, need: 'n', userId: 1 }
    const answer = await send(app, line, { ...data, code: 'a' })
    t.strictSame(answer, await send(app, line, { ...data, code: 'x' }), line)
    t.ok(answer.status >= 400, line)
  }
}

for (const variant of variants)
  void t.test(`${variant.name}: no whole id leads to records of others`, async (t) => {
    const app = await makePrices(t, variant)
    const before = await stored(app)
    t.match(await send(app, 'GET /prices/t1,a'), { status: 200, body: { amount: 1 } })
    await tryForeign(t, app)
    const whole = encodeURIComponent(JSON.stringify({ where: { 'tenant,code': { inq: ['t1,a', 't2,a'] } } }))
    const list = await send(app, `GET /prices?filter=${whole}`)
    if (list.status === 200) t.match(list.body, { length: 1 })
    t.equal(await stored(app), before)
    t.match(await send(app, 'PATCH /prices/t1,b', { amount: 5 }), { status: 200 })
    t.match(await send(app, 'DELETE /prices/t1,a'), { body: { count: 1 } })
    t.equal(await stored(app), 't1,b=5 t2,a=1')
  })

void t.test(
  'fields of rules: the parts of the id are always among them, and a hidden part is not compared',
  async (t) => {
    const fields = { read: ['amount'], write: ['amount'] }
    const acls = [deny, rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', fields })]
    const app = await makePrices(t, { name: '', acls })
    t.match(await send(app, 'GET /prices/t2,a'), { body: { tenant: 't2', code: 'a', amount: 1 } })
    t.notMatch(await send(app, 'GET /prices/t2,a'), { body: { need: 'n' } })
    t.ok(await app.access.can({ userId: 1 }, 'Price.findById', 't2,a'))
  }
)

void t.test('questions about one record by its whole id', async (t) => {
  const app = await makePrices(t, variants[0] as Variant) // the first of the list above
  for (const method of ['Price.findById', 'Price.prototype.patchAttributes', 'Price.replaceById']) {
    t.equal(await app.access.can({ userId: 1 }, method, 't1,a'), true, method)
    t.equal(await app.access.can({ userId: 1 }, method, 't2,a'), false, method)
    t.equal(await app.access.can({ userId: 1 }, method, 't1'), false, method)
  }
})
