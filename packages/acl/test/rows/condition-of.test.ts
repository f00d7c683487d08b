import type { RowsFunction } from '@modelwire/core'
import t from 'tap'
import { makeBank, send, stored } from './bank.ts'

/** What scripts may give, whatever types say. */
const giving = (answer: unknown): RowsFunction => (() => answer) as RowsFunction // as above

const bad: [string, RowsFunction][] = [
  [
    'throws',
    () => {
      throw new Error('the secret of the function')
    }
  ],
  [
    'throws what has a status',
    () => {
      throw Object.assign(new Error('gone'), { statusCode: 404 })
    }
  ],
  ['is rejected', () => Promise.reject(new Error('the secret of the function'))],
  ...[null, true, 0, '', 'tenantId', [], [{ tenantId: 10 }], new Date(), new Map()].map(
    (answer): [string, RowsFunction] => [`gives ${JSON.stringify(answer)}`, giving(answer)]
  ),
  ['leaves a value out', giving({ tenantId: undefined })],
  ['gives what is no number', giving({ tenantId: { neq: Number('x') } })],
  ['leaves an operand out', giving({ tenantId: { inq: undefined } })],
  ['leaves an item out', giving({ tenantId: { inq: [10, undefined] } })],
  ['leaves a value out below', giving({ and: [{ or: [{ tenantId: undefined }] }] })],
  ['uses an operator of a database', giving({ tenantId: { $gt: 0 } })],
  ['uses an unknown operator', giving({ tenantId: { near: 'by' } })],
  ['joins no list', giving({ and: { branchId: 1 } })],
  ['names what no condition may', giving({ $trusted: {} })]
]

for (const [what, rows] of bad) {
  void t.test(`a function that ${what} shows and changes nothing`, async (t) => {
    for (const compat of [false, true]) {
      const app = await makeBank(t, { rows, compat })
      const lines = [
        'GET /accounts',
        'GET /accounts/count',
        'GET /accounts/1',
        'HEAD /accounts/1',
        'DELETE /accounts/1'
      ]
      for (const line of lines) t.equal((await send(app, line)).status, 500, line)
      for (const line of ['POST /accounts', 'PATCH /accounts/1', 'POST /accounts/update?where={}'])
        t.equal((await send(app, line, { label: 'n', tenantId: 10 })).status, 500, line)
      const included = await send(app, 'GET /notes?filter={"include":"account"}')
      t.equal(included.status, 500)
      t.notMatch(JSON.stringify(included), /"label"|secret of/)
      await t.rejects(app.access.can({ userId: 1 }, 'Account.find'), { code: 'ROWS_FAILED' })
      t.strictSame(await stored(app), ['a10', 'b10', 'c20'])
    }
  })
}

for (const answer of [undefined, false, { tenantId: { inq: [] } }, { or: [] }, { tenantId: 'x' }]) {
  void t.test(`${JSON.stringify(answer) ?? 'undefined'} means no record`, async (t) => {
    const app = await makeBank(t, { rows: giving(answer) })
    const { status, body } = await send(app, 'GET /accounts')
    if (status === 200) t.strictSame(body, [])
    else t.equal(status, 401)
    for (const line of ['GET /accounts/1', 'GET /accounts/1/exists', 'DELETE /accounts/1'])
      t.equal((await send(app, line)).status, 401, line)
    t.ok((await send(app, 'POST /accounts', { tenantId: 10 })).status >= 400)
    t.strictSame(await stored(app), ['a10', 'b10', 'c20'])
  })
}

void t.test('an empty condition means all records, and operators mean what they mean in lists', async (t) => {
  const all = await makeBank(t, { rows: giving({}) })
  t.strictSame((await send(all, 'GET /accounts/count')).body, { count: 3 })
  t.equal((await send(all, 'GET /accounts/3')).status, 200)
  t.equal((await send(all, 'POST /accounts', {})).status, 200)
  const some = await makeBank(t, { rows: giving({ tenantId: { between: [15, 25] }, label: /^c/ }) })
  t.strictSame((await send(some, 'GET /accounts/count')).body, { count: 1 })
  t.strictSame([(await send(some, 'GET /accounts/3')).status, (await send(some, 'GET /accounts/1')).status], [200, 401])
})

void t.test('a condition may reach into related records', async (t) => {
  for (const where of [{ branch: { name: 'x' } }, { nor: [{ 'branch.name': 'y' }] }]) {
    const app = await makeBank(t, { rows: () => where })
    await app.models.get('Account').create({ label: 'd', tenantId: 30, branchId: 2 })
    t.strictSame((await send(app, 'GET /accounts/count')).body, { count: 3 })
    t.strictSame([(await send(app, 'GET /accounts/3')).status, (await send(app, 'GET /accounts/4')).status], [200, 401])
    t.equal((await send(app, 'PATCH /accounts/1', { branchId: 2 })).status, 401, 'it would leave them')
    t.equal((await send(app, 'PATCH /accounts/1', { branchId: 1, label: 'n' })).status, 200)
    t.equal((await send(app, 'POST /accounts', { branchId: 2 })).status, 401)
    t.equal((await send(app, 'POST /accounts/update?where={}', { branchId: 2 })).status, 401)
  }
})

void t.test('what a function gives stays its own, whatever observers do to it', async (t) => {
  const own = { tenantId: 10 }
  const app = await makeBank(t, { rows: () => own })
  app.models.get('Account').observe('access', async ({ query }) => {
    const where = query?.['where']
    if (typeof where === 'object' && where !== null && 'and' in where && Array.isArray(where.and))
      for (const part of where.and as { tenantId?: number }[]) delete part.tenantId // conditions are objects
  })
  await send(app, 'GET /accounts')
  t.strictSame(own, { tenantId: 10 })
})
