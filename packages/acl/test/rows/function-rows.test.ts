import t from 'tap'
import { makeBank, send, stored } from './bank.ts'

const untouched = ['a10', 'b10', 'c20']
const lists: [string, unknown][] = [
  ['/accounts', [{ label: 'a' }, { label: 'b' }]],
  ['/accounts?filter={"where":{"label":{"neq":"a"}}}', [{ label: 'b' }]],
  ['/accounts?filter={"where":{"or":[{"label":"c"},{"label":"b"}]}}', [{ label: 'b' }]],
  ['/accounts?filter={"where":{"branch.name":"x","label":{"gt":"a"}}}', [{ label: 'b' }]],
  ['/accounts/findOne?filter={"order":"label%20DESC"}', { label: 'b' }],
  ['/accounts/count', { count: 2 }],
  ['/accounts/count?where={"branch.name":"x"}', { count: 2 }]
]

for (const compat of [false, true]) {
  const mode = compat ? ' in compat mode' : ''

  void t.test(`lists hold the records that a function names, by a hidden property${mode}`, async (t) => {
    const app = await makeBank(t, { compat })
    for (const [url, expected] of lists) {
      const { body } = await send(app, `GET ${url}`)
      t.match(body, expected, url)
      if (Array.isArray(expected)) t.equal(Array.isArray(body) && body.length, expected.length, url)
      t.notMatch(JSON.stringify(body), /tenant/)
    }
    t.match((await send(app, 'GET /accounts', undefined, '2')).body, [{ label: 'c' }])
    t.equal((await app.inject('/api/accounts')).statusCode, 401)
  })

  void t.test(`an update of many changes the records that a function names${mode}`, async (t) => {
    const app = await makeBank(t, { compat })
    t.equal((await send(app, 'POST /accounts/update?where={"branch.name":"x"}', { label: 'n' })).status, 200)
    t.strictSame(await stored(app), ['n10', 'n10', 'c20'])
    for (const tenantId of [20, '20', null, [10, 20]])
      t.ok((await send(app, 'POST /accounts/update?where={}', { tenantId })).status >= 400, JSON.stringify(tenantId))
    t.equal((await send(app, 'POST /accounts/update?where={}', { tenantId: '10', label: 'm' })).status, 200)
    t.strictSame(await stored(app), ['m10', 'm10', 'c20'])
  })
}

const ofOne: [string, object | undefined][] = [
  ['GET /accounts/:id', undefined],
  ['HEAD /accounts/:id', undefined],
  ['GET /accounts/:id/exists', undefined],
  ['PATCH /accounts/:id', { label: 'n' }],
  ['PUT /accounts/:id', { label: 'n', tenantId: 10 }],
  ['PATCH /accounts', { id: ':id', label: 'n' }],
  ['PUT /accounts', { id: ':id', label: 'n', tenantId: 10 }],
  ['GET /accounts/:id/notes', undefined],
  ['DELETE /accounts/:id', undefined]
]

for (const [line, data] of ofOne) {
  void t.test(`${line} needs a record that the function names`, async (t) => {
    const app = await makeBank(t)
    const call = (id: number) =>
      send(app, line.replace(':id', String(id)), data && { ...data, ...('id' in data ? { id } : {}) })
    t.equal((await call(3)).status, 401, 'of another tenant')
    t.equal((await call(9)).status, 401, 'of nobody')
    t.strictSame(await stored(app), untouched)
    t.ok((await call(1)).status < 300)
  })
}

const moves: [string, object][] = [
  ['PATCH /accounts/1', {}],
  ['PUT /accounts/1', { label: 'a' }],
  ['PATCH /accounts', { id: 1 }],
  ['PUT /accounts', { id: 1, label: 'a' }],
  ['POST /accounts/1/replace', { label: 'a' }],
  ['POST /accounts/replaceOrCreate', { id: 1, label: 'a' }]
]

for (const [line, data] of moves) {
  for (const recheckOwner of [true, false]) {
    void t.test(`${line} moves no record to another tenant, with recheckOwner ${recheckOwner}`, async (t) => {
      const app = await makeBank(t, { options: { recheckOwner } })
      for (const tenantId of [20, '20', null, [10, 20], { neq: 20 }])
        t.ok((await send(app, line, { ...data, tenantId })).status >= 400, JSON.stringify(tenantId))
      if (!line.startsWith('PATCH')) t.equal((await send(app, line, data)).status, 401, 'nor to none')
      t.strictSame(await stored(app), untouched)
      t.equal((await send(app, line, { ...data, tenantId: '10' })).status, 200)
    })
  }
}

void t.test('records are created among those that the function names', async (t) => {
  for (const options of [{}, { recheckOwner: false }]) {
    const app = await makeBank(t, { options })
    const foreign = [{}, { tenantId: 20 }, { tenantId: null }, [{ tenantId: 10 }, { tenantId: 20 }], [{}]]
    t.strictSame((await send(app, 'POST /accounts', [])).body, [], 'nothing is no record')
    t.equal((await send(app, 'POST /accounts', [[{ tenantId: 10 }]])).status, 400)
    for (const data of foreign) t.equal((await send(app, 'POST /accounts', data)).status, 401, JSON.stringify(data))
    for (const data of [
      { id: 9, tenantId: 10 },
      { id: 9, tenantId: 20 }
    ])
      t.equal((await send(app, 'PATCH /accounts', data)).status, 401, 'an upsert creates none')
    t.equal((await send(app, 'POST /accounts/upsertWithWhere?where={"id":1}', { tenantId: 20 })).status, 401)
    t.strictSame(await stored(app), untouched)
    t.equal((await send(app, 'POST /accounts', { label: 'd', tenantId: 10 })).status, 200)
    t.equal((await send(app, 'POST /accounts', [{ label: 'e', tenantId: '10' }])).status, 200)
    t.strictSame(await stored(app), [...untouched, 'd10', 'e10'])
  }
})

void t.test('a stream of changes tells of the records that the function names', async (t) => {
  const app = await makeBank(t)
  const answering = app.inject({ url: '/api/accounts/change-stream', headers: { user: '1' } })
  await new Promise((resolve) => setImmediate(resolve))
  const Account = app.models.get('Account')
  await Account.create([{ tenantId: 10 }, { tenantId: 20 }])
  await send(app, 'PATCH /accounts/1', { label: 'n' })
  await send(app, 'PUT /accounts/2', { label: 'n', tenantId: 10 })
  await send(app, 'PATCH /accounts/3', { label: 'n' }, '2')
  await (await Account.findById(4))?.updateAttributes({ tenantId: 20 })
  await Account.updateAll({ tenantId: 20 }, { label: 'secret' })
  await Account.destroyAll({ tenantId: 20 })
  await new Promise((resolve) => setImmediate(resolve))
  await app.close()
  const events = (await answering).payload.split('\n').filter((line) => line.startsWith('data: {'))
  t.strictSame(
    events.map((event) => /"target":(\d+)/.exec(event)?.[1]),
    ['4', '1', '2']
  )
  t.notMatch(events.join(''), /tenant/)
})

void t.test('an update of many may set what several conditions name where all of them stay true', async (t) => {
  const rows = () => ({ and: [{ tenantId: { lt: 15 } }, { or: [{ label: 'a' }, { branchId: 1 }] }] })
  const app = await makeBank(t, { rows })
  const update = async (data: object) => (await send(app, 'POST /accounts/update?where={}', data)).status
  t.strictSame(
    [await update({ tenantId: 14 }), await update({ tenantId: 15 }), await update({ branchId: 1 })],
    [200, 401, 200]
  )
  t.strictSame([await update({ label: 'z', branchId: 1 }), await update({ label: 'z', branchId: 2 })], [200, 401])
  t.strictSame(await stored(app), ['z14', 'z14', 'c20'])
})

void t.test('the function is told who calls what, once for a method in a request', async (t) => {
  const seen: unknown[] = []
  const rows = async (context: object) => {
    seen.push(context)
    return {}
  }
  const app = await makeBank(t, { rows })
  t.equal((await send(app, 'PATCH /accounts/3', { label: 'n' })).status, 200)
  const principal = { userId: 1 }
  const facts = { principal, userId: 1, accessToken: principal, model: 'Account' }
  t.match(
    seen,
    [
      { ...facts, method: 'patchAttributes' },
      { ...facts, method: 'findById' }
    ],
    'and for the answer'
  )
  t.equal(seen.length, 2)
  t.equal((await send(app, 'GET /accounts')).status, 200)
  t.equal((await app.inject('/api/accounts')).statusCode, 200)
  t.match(seen.slice(2), [
    { userId: 1, method: 'find' },
    { principal: undefined, userId: undefined, method: 'find' }
  ])
})
