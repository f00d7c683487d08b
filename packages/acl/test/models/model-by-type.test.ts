import t from 'tap'
import { accessModels } from '#src/index.ts'
import { deny, makeApp, rule, statusOf } from '../make-app.ts'

// LoopBack 3.28 answered 200, 401 and 401 to the same application.
void t.test('models that extend Role, RoleMapping and ACL take their places', async (t) => {
  const app = await makeApp(
    t,
    [
      ...accessModels,
      { name: 'MyRole', base: 'Role', public: false },
      { name: 'MyMapping', base: 'RoleMapping', public: false },
      { name: 'MyRule', base: 'ACL', public: false },
      { name: 'Note', plural: 'notes', acls: [deny, rule('editor', 'ALLOW')] },
      { name: 'Memo', plural: 'memos', acls: [deny, rule('old', 'ALLOW')] },
      { name: 'Other', plural: 'others' }
    ],
    { roles: ['old'] }
  )
  const { models } = app
  const member = { principalType: 'USER', principalId: '1' }
  await models
    .get('MyMapping')
    .create({ ...member, roleId: (await models.get('MyRole').create({ name: 'editor' }))['id'] })
  await models
    .get('RoleMapping')
    .create({ ...member, roleId: (await models.get('Role').create({ name: 'old' }))['id'] })
  t.equal(await statusOf(app, 'GET /others', 1), 200)
  await models.get('MyRule').create({ ...deny, model: 'Other', property: '*', accessType: '*' })
  t.equal(await statusOf(app, 'GET /notes', 1), 200)
  t.equal(await statusOf(app, 'GET /memos', 1), 401)
  t.equal(await statusOf(app, 'GET /others', 1), 401)
  await models.get('MyRule').destroyAll()
  t.equal(await statusOf(app, 'GET /others', 1), 200)
})
