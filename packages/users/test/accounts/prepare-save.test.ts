import type { HookContext, ModelDefinition } from '@modelwire/core'
import t from 'tap'
import { ask, codeOf, enter, makeApp } from '../make-app.ts'

const authenticated = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' } as const
const ownRows = [{ ...authenticated, property: 'updateAll', rows: '$owner' }]
const verifiedBy = { emailVerified: true, verificationToken: 'mine', realm: 'admins' }

void t.test('nobody verifies the own address by a condition that finds the own account', async (t) => {
  const app = await makeApp(t, { customer: { acls: ownRows } })
  const ann = await enter(app, 'ann@shop.org')
  for (const where of ['{}', '{"id":1}', '{"email":"ann@shop.org"}', '{"and":[{"id":1}]}']) {
    const answer = await ann.ask('POST', `/Customers/update?where=${where}`, { nick: 'Ann', ...verifiedBy })
    t.equal(answer.statusCode, 200)
    const stored = await app.models.get('Customer').findById(ann.id)
    t.match(stored, { nick: 'Ann' })
    for (const [name, value] of Object.entries(verifiedBy)) t.not(stored?.[name], value, name)
  }
})

for (const [method, url] of [
  ['PATCH', '/Customers'],
  ['PUT', '/Customers'],
  ['POST', '/Customers/replaceOrCreate'],
  ['POST', '/Customers/upsertWithWhere?where={"email":"bob@shop.org"}']
] as const) {
  void t.test(`an account that ${method} ${url} makes has no address that is verified`, async (t) => {
    const property = ['patchOrCreate', 'replaceOrCreate', 'upsertWithWhere']
    const app = await makeApp(t, { customer: { forceId: false, acls: [{ ...authenticated, property }] } })
    const ann = await enter(app, 'ann@shop.org')
    const data = { email: 'bob@shop.org', password: 'secret', emailVerified: true, verificationToken: 'mine' }
    const id = url.includes('where') ? {} : { id: 7 }
    t.equal((await ann.ask(method, url, { ...id, ...data })).statusCode, 200)
    const bob = await app.models.get('Customer').findOne({ where: { email: 'bob@shop.org' } })
    t.match(bob, { emailVerified: false })
    t.not(bob?.['verificationToken'], 'mine')
  })
}

void t.test('an account is verified from the start where the model says so of all', async (t) => {
  const properties = { emailVerified: { type: 'boolean', default: true } }
  const app = await makeApp(t, { customer: { properties } })
  const ann = { email: 'ann@shop.org', password: 'secret' }
  t.equal((await ask(app, 'POST', '/Customers', ann)).statusCode, 200)
  t.match(await app.models.get('Customer').findOne(), { emailVerified: true })
})

void t.test('what verifies one address does not verify the next one', async (t) => {
  const app = await makeApp(t, {
    customer: { emailVerificationRequired: true, rejectPasswordChangesViaPatchOrReplace: false }
  })
  const customers = app.models.get('Customer')
  await enter(app, 'ann@shop.org')
  for (const [method, more] of [
    ['PATCH', {}],
    ['PUT', { password: 'secret' }]
  ] as const) {
    await customers.updateAll({}, { email: 'ann@shop.org' })
    await customers.updateAll({}, { emailVerified: true, verificationToken: 'sent' })
    const login = await ask(app, 'POST', '/Customers/login', { email: 'ann@shop.org', password: 'secret' })
    const headers = { authorization: login.json<{ id: string }>().id }
    const payload = { email: 'boss@shop.org', ...more }
    t.equal((await app.inject({ method, url: '/api/Customers/1', headers, payload })).statusCode, 200, method)
    t.equal(codeOf(await ask(app, 'GET', '/Customers/confirm?uid=1&token=sent')), 'INVALID_TOKEN', method)
    t.match(await customers.findById(1), { email: 'boss@shop.org', emailVerified: false })
  }
})

void t.test('code of the application brings the token of a new address', async (t) => {
  const app = await makeApp(t, { customer: { emailVerificationRequired: true } })
  await enter(app, 'ann@shop.org')
  const customers = app.models.get('Customer')
  await customers.updateAll({}, { verificationToken: 'old' })
  await customers.updateAll({}, { email: 'new@shop.org', verificationToken: 'new' })
  t.match(await customers.findById(1), { verificationToken: 'new', emailVerified: false })
})

const everyone = { principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' } as const
const team: ModelDefinition = {
  name: 'Team',
  public: true,
  relations: { members: { type: 'hasMany', model: 'Customer', foreignKey: 'teamId' } }
}
const upserts = ['patchOrCreate', 'replaceOrCreate', 'upsertWithWhere']
const openUpserts: Partial<ModelDefinition> = { forceId: false, acls: [{ ...everyone, property: upserts }] }

for (const [method, url, isList] of [
  ['POST', '/Customers'],
  ['POST', '/Customers', true],
  ['POST', '/Teams/1/members'],
  ['PATCH', '/Customers'],
  ['PUT', '/Customers'],
  ['POST', '/Customers/replaceOrCreate'],
  ['POST', '/Customers/upsertWithWhere?where={"email":"bob@shop.org"}']
] as const) {
  const made = isList === true ? 'a list of accounts' : 'an account'
  void t.test(`${made} that ${method} ${url} makes is in no realm that its client chose`, async (t) => {
    const app = await makeApp(t, { customer: openUpserts, models: [team] })
    await ask(app, 'POST', '/Teams', {})
    const data = { email: 'bob@shop.org', password: 'secret', ...verifiedBy }
    t.equal((await ask(app, method, url, isList === true ? [data] : data)).statusCode, 200)
    const bob = await app.models.get('Customer').findOne({ where: { email: 'bob@shop.org' } })
    for (const [name, value] of Object.entries(verifiedBy)) t.not(bob?.[name], value, name)
  })
}

void t.test('an application chooses the realm of a new account, also in an observer', async (t) => {
  const app = await makeApp(t)
  const customers = app.models.get('Customer')
  t.match(await customers.create({ email: 'eve@shop.org', password: 'secret', realm: 'staff' }), { realm: 'staff' })
  customers.observe(
    'before save',
    async ({ instance }: HookContext) => void Object.assign(instance ?? {}, { realm: 'shop' })
  )
  await enter(app, 'ann@shop.org', { realm: 'admins' })
  t.match(await customers.findOne({ where: { email: 'ann@shop.org' } }), { realm: 'shop' })
})

for (const [what, parts] of Object.entries({
  'clientsChooseRealm of a model': { customer: { clientsChooseRealm: true } },
  'protectAccounts: false': { users: { protectAccounts: false } },
  'an application folder': { compat: true }
})) {
  void t.test(`${what} lets clients choose the realm of an account that they make`, async (t) => {
    const app = await makeApp(t, parts)
    await enter(app, 'ann@shop.org', { realm: 'north' })
    t.match(await app.models.get('Customer').findOne(), { realm: 'north' })
  })
}
