import t from 'tap'
import { deny, makeApp, rule, statusOf } from './make-app.ts'

const things = (acls: object[]) => [{ name: 'Thing', plural: 'things', properties: { userId: 'number' }, acls }]

void t.test('the report says who may call what', async (t) => {
  const app = await makeApp(
    t,
    things([deny, rule('$everyone', 'ALLOW', { property: 'count' }), rule('$owner', 'ALLOW', { property: 'findById' })])
  )
  const lines = app.access.report().filter(({ model }) => model === 'Thing')
  const openOf = (operation: string) => lines.find((line) => line.operation === operation)?.open
  t.strictSame([openOf('count'), openOf('find'), openOf('findById')], ['everybody', 'nobody', 'rules'])
  t.strictSame(lines.find(({ operation }) => operation === 'findById')?.rules.slice(0, 1), [{ rule: 'ALLOW $owner' }])
})

void t.test('code asks whether somebody may call an operation', async (t) => {
  const app = await makeApp(t, things([deny, rule('$owner', 'ALLOW')]))
  await app.models.get('Thing').create({ userId: 1 })
  const { can } = app.access
  t.equal(await can({ userId: 1 }, 'Thing.findById', 1), true)
  t.equal(await can({ userId: 1 }, 'Thing.prototype.patchAttributes', 1), true)
  t.equal(await can({ userId: 2 }, 'Thing.findById', 1), false)
  t.equal(await can(undefined, 'Thing.findById', 1), false)
  await t.rejects(can(undefined, 'Thing.fly'), { code: 'OPERATION_UNKNOWN' })
})

void t.test('a function says who is in a role', async (t) => {
  const app = await makeApp(t, things([deny, rule('night', 'ALLOW')]))
  app.access.registerRole('night', ({ principal, method }) => principal?.userId === 3 && method === 'find')
  t.strictSame([await statusOf(app, 'GET /things', 3), await statusOf(app, 'GET /things', 1)], [200, 401])
  t.equal(await statusOf(app, 'GET /things/count', 3), 401)
})

void t.test('mappings put users into stored roles', async (t) => {
  const app = await makeApp(t, things([deny, rule('staff', 'ALLOW')]))
  const role = await app.models.get('Role').create({ name: 'staff' })
  await app.models.get('RoleMapping').create({ roleId: role['id'], principalType: 'USER', principalId: '2' })
  t.strictSame([await statusOf(app, 'GET /things', 2), await statusOf(app, 'GET /things', 1)], [200, 401])
})

void t.test(
  'stores says what is stored: models of the rest have no data source, and their rules are those of files',
  async (t) => {
    const attached = async (stores?: ('roles' | 'rules')[]) => {
      const app = await makeApp(
        t,
        things([deny, rule('$authenticated', 'ALLOW')]),
        stores === undefined ? {} : { stores }
      )
      t.strictSame([await statusOf(app, 'GET /things', 2), await statusOf(app, 'GET /things')], [200, 401])
      return ['ACL', 'Role', 'RoleMapping', 'Scope'].filter((name) => app.models.typeOf(name).dataSource !== undefined)
    }
    t.strictSame(await attached(), ['ACL', 'Role', 'RoleMapping', 'Scope'])
    t.strictSame(await attached(['roles']), ['Role', 'RoleMapping'])
    t.strictSame(await attached([]), [])
    const unstored = await makeApp(t, things([rule('staff', 'ALLOW')]), { stores: [] })
    await t.rejects(async () => unstored.ready(), { code: 'ACCESS_RULE_INVALID' })
  }
)

void t.test('options are checked', async (t) => {
  await t.rejects(makeApp(t, [], { errorStatus: 500 as never }), { code: 'OPTION_INVALID' })
})
