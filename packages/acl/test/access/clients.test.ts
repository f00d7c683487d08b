import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const orders = (...acls: object[]) => [{ name: 'Order', properties: { total: 'number' }, acls: [deny, ...acls] }]

const statusAs = async (app: Awaited<ReturnType<typeof makeApp>>, headers: Record<string, string>): Promise<number> =>
  (await app.inject({ url: '/api/Orders', headers })).statusCode

void t.test('a rule for a client is about that client, whoever the user is', async (t) => {
  const app = await makeApp(t, orders({ principalType: 'APP', principalId: 'shop', permission: 'ALLOW' }))
  t.equal(await statusAs(app, { client: 'shop' }), 200)
  t.equal(await statusAs(app, { client: 'shop', user: '1' }), 200)
  for (const headers of [{ client: 'other' }, { client: 'shop2' }, { user: '1' }, {}])
    t.equal(await statusAs(app, headers), 401, JSON.stringify(headers))
})

void t.test('a rule for a scope is about tokens that have it', async (t) => {
  const allowed = { principalType: 'SCOPE', principalId: 'orders:read', permission: 'ALLOW' }
  const app = await makeApp(t, orders(allowed))
  t.equal(await statusAs(app, { client: 'shop', scopes: 'DEFAULT orders:read' }), 200)
  for (const scopes of [
    'DEFAULT',
    'DEFAULT orders',
    'DEFAULT orders:rea',
    'DEFAULT orders:readx',
    'DEFAULT ORDERS:READ'
  ])
    t.equal(await statusAs(app, { client: 'shop', scopes }), 401, scopes)
  t.equal(await statusAs(app, { user: '1' }), 401, 'a login has no scopes')
})

void t.test('a scope outweighs a role, and a user a scope', async (t) => {
  const scope = { principalType: 'SCOPE', principalId: 'write', permission: 'DENY' }
  const user = { principalType: 'USER', principalId: 7, permission: 'ALLOW' }
  const app = await makeApp(t, orders(rule('$authenticated', 'ALLOW'), scope, user))
  t.equal(await statusAs(app, { user: '1', scopes: 'DEFAULT' }), 200)
  t.equal(await statusAs(app, { user: '1', scopes: 'DEFAULT write' }), 401)
  t.equal(await statusAs(app, { user: '7', scopes: 'DEFAULT write' }), 200)
})

void t.test('a client that acts for itself is authenticated, as in LoopBack, and owns nothing', async (t) => {
  const authenticated = await makeApp(t, orders(rule('$authenticated', 'ALLOW')))
  t.equal(await statusAs(authenticated, { client: 'shop' }), 200)
  t.equal(await statusAs(authenticated, {}), 401)
  const properties = { userId: 'number' }
  const own = { ...rule('$authenticated', 'ALLOW'), rows: '$owner' }
  const app = await makeApp(t, [{ name: 'Order', properties, acls: [deny, own] }])
  await app.models.get('Order').create({ userId: 1 })
  t.equal(await statusAs(app, { client: 'shop' }), 401)
})
