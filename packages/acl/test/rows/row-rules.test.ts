import { sqlite } from '@modelwire/connector-sqlite'
import { migrate } from '@modelwire/core'
import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { makeBank, ofTenant, send, stored } from './bank.ts'

type Notes = readonly { id: number; account?: { label: string } }[]

void t.test('includes show the records that the function names, asked for by one query', async (t) => {
  const app = await makeBank(t)
  await app.models.get('Note').create(Array.from({ length: 10 }, (_, at) => ({ accountId: (at % 3) + 1 })))
  const queries: unknown[] = []
  app.models.get('Account').observe('access', async ({ query }) => void queries.push(query?.['where']))
  const { body } = await send(app, 'GET /notes?filter={"include":"account"}')
  const labels = (body as Notes).map(({ account }) => account?.label) // of the notes
  t.strictSame(labels, ['a', undefined, 'a', 'b', undefined, 'a', 'b', undefined, 'a', 'b', undefined, 'a'])
  t.equal(queries.length, 1)
})

void t.test('a list of included records holds those that the function names', async (t) => {
  const app = await makeBank(t)
  const { body } = await send(app, 'GET /branches/1?filter={"include":{"accounts":"branch"}}')
  t.match(body, { accounts: [{ label: 'a' }, { label: 'b' }] })
  t.notMatch(JSON.stringify(body), /"c"/)
  const byAccount = (label: string) => send(app, `GET /branches?filter={"where":{"accounts":{"label":"${label}"}}}`)
  t.match([(await byAccount('a')).body, (await byAccount('c')).body], [[{ name: 'x' }], []], 'nor by filters')
})

void t.test('who may not list records, but read those of a function, has these included', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { property: 'findById', rows: ofTenant })]
  const models = [
    { name: 'Note', plural: 'notes', relations: { account: { type: 'belongsTo', model: 'Account' } } },
    { name: 'Account', properties: { tenantId: 'number' }, acls }
  ]
  const app = await makeApp(t, models)
  await app.models.get('Account').create([{ tenantId: 10 }, { tenantId: 20 }])
  await app.models.get('Note').create([{ accountId: 1 }, { accountId: 2 }])
  t.equal((await send(app, 'GET /notes/1?filter={"include":"account"}')).status, 200)
  const { body } = await send(app, 'GET /notes?filter={"include":"account"}')
  t.match(body, [{ account: { id: 1 } }, { account: undefined }])
})

const nested: [string, object | undefined, number][] = [
  ['GET /branches/1/accounts/1', undefined, 200],
  ['GET /branches/1/accounts/3', undefined, 401],
  ['GET /notes/1/account', undefined, 200],
  ['GET /notes/2/account', undefined, 401],
  ['PUT /branches/1/accounts/3', { label: 'n' }, 401],
  ['PUT /branches/1/accounts/1', { tenantId: 20 }, 401],
  ['PUT /branches/1/accounts/1', { label: 'a' }, 200],
  ['POST /branches/1/accounts', { label: 'n' }, 401],
  ['POST /branches/1/accounts', { label: 'n', tenantId: 20 }, 401],
  ['DELETE /branches/1/accounts/3', undefined, 401]
]

void t.test('nested routes are kept to the records that the function names', async (t) => {
  const app = await makeBank(t, { options: { nested: 'target' } })
  for (const [line, data, status] of nested) t.equal((await send(app, line, data)).status, status, line)
  t.match((await send(app, 'GET /branches/1/accounts')).body, [{ label: 'a' }, { label: 'b' }])
  t.match((await send(app, 'GET /branches/1/accounts?filter={"where":{"label":"c"}}')).body, [])
  t.strictSame((await send(app, 'GET /branches/1/accounts/count')).body, { count: 2 })
  t.strictSame(await stored(app), ['a10', 'b10', 'c20'])
  t.equal((await send(app, 'POST /branches/1/accounts', { label: 'd', tenantId: 10 })).status, 200)
  t.equal((await send(app, 'DELETE /branches/1/accounts')).status, 204)
  t.strictSame(await stored(app), ['c20'])
})

void t.test('what a relation sets is part of what a nested route creates', async (t) => {
  const app = await makeBank(t, { rows: () => ({ branchId: 1 }), options: { nested: 'target' } })
  t.equal((await send(app, 'POST /branches/1/accounts', { label: 'd' })).status, 200)
  for (const data of [{ label: 'd' }, { label: 'd', branchId: 1 }])
    t.ok((await send(app, 'POST /branches/2/accounts', data)).status >= 400, 'into another branch')
  t.strictSame(await app.models.get('Account').count({ branchId: 2 }), 0)
})

void t.test('owners within some records give none away, and take none out', async (t) => {
  const acls = [deny, rule('$owner', 'ALLOW', { rows: () => ({ tenantId: 10 }) })]
  const app = await makeApp(t, [
    { name: 'Thing', plural: 'things', properties: { userId: 'number', tenantId: 'number' }, acls }
  ])
  await app.models.get('Thing').create([
    { userId: 1, tenantId: 10 },
    { userId: 1, tenantId: 20 },
    { userId: 2, tenantId: 10 }
  ])
  const patch = async (id: number, data: object) => (await send(app, `PATCH /things/${id}`, data)).status
  t.strictSame(
    [await patch(1, { userId: 2 }), await patch(1, { tenantId: 20 }), await patch(2, {}), await patch(3, {})],
    [401, 401, 401, 401]
  )
  t.equal(await patch(1, { tenantId: 10, userId: 1 }), 200)
})

void t.test('code may ask, and the report says that it depends on the records', async (t) => {
  const app = await makeBank(t)
  await app.ready()
  const can = (operation: string, id?: number) => app.access.can({ userId: 1 }, `Account.${operation}`, id)
  t.strictSame([await can('find'), await can('findById', 1), await can('findById', 3)], [true, true, false])
  const line = app.access.report().find(({ model, operation }) => model === 'Account' && operation === 'find')
  t.match(line, { open: 'rules', rules: [{ rule: 'ALLOW $everyone', rows: { by: 'function', text: 'ofTenant' } }] })
  t.match(line?.callers, [{ caller: '$unauthenticated', answer: 'some records' }])
})

void t.test('a definition says $owner, names relations or gives a function', async (t) => {
  for (const rows of [true, {}, ['$owner']]) {
    const acls = [rule('$everyone', 'ALLOW', { rows })]
    await t.rejects(makeApp(t, [{ name: 'Thing', acls }]), { code: 'MODEL_DEFINITION_INVALID' })
  }
})

void t.test('a database carries out the condition in the statement of the list', async (t) => {
  const statements: string[] = []
  const connector = sqlite({ file: ':memory:', onStatement: (statement: string) => statements.push(statement) })
  const acls = [deny, rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', rows: ofTenant })]
  const account = {
    name: 'Account',
    plural: 'accounts',
    properties: { tenantId: 'number' },
    hidden: ['tenantId'],
    acls
  }
  const app = await makeApp(t, [account], {}, { connector })
  await app.ready()
  await migrate(app.models)
  await app.models.get('Account').create([{ tenantId: 10 }, { tenantId: 20 }, { tenantId: 10 }])
  const asked = async (url: string): Promise<unknown> => {
    statements.length = 0
    return (await send(app, `GET ${url}`)).body
  }
  const about = () => statements.filter((statement) => /account/i.test(statement)).length
  t.strictSame([await asked('/accounts?filter={"where":{"id":{"gt":1}}}'), about()], [[{ id: 3 }], 1])
  t.strictSame([await asked('/accounts/count'), about()], [{ count: 2 }, 1])
  t.match([await asked('/accounts/2'), about()], [{ error: { statusCode: 401 } }, 1])
})
