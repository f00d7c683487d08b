import t from 'tap'
import { bootApp } from '../make-app.ts'
import { rule, withAccessModels } from './rules-and-models.ts'

const everyone = (permission: 'ALLOW' | 'DENY', more: object = {}): object => rule('$everyone', permission, more)

/** Rules of a model's file, of its base and of `model-config.json`. */
const files = {
  'common/models/base.json': {
    name: 'Base',
    plural: 'bases',
    acls: [everyone('DENY'), everyone('DENY', { accessType: 'READ' })]
  },
  'common/models/sub.json': { name: 'Sub', base: 'Base', plural: 'subs' },
  'common/models/customer.json': { name: 'Customer', base: 'User', plural: 'customers' },
  'server/model-config.json': withAccessModels({
    User: { dataSource: 'db', public: true, acls: [everyone('ALLOW', { property: 'find' })] },
    Base: {
      dataSource: 'db',
      acls: [everyone('DENY', { property: 'count' }), everyone('ALLOW', { accessType: 'READ' })]
    },
    Sub: { dataSource: 'db', acls: [everyone('ALLOW')] },
    Customer: { dataSource: 'db' }
  }),
  'server/boot/auth.js': 'module.exports = (app) => app.enableAuth()'
}

// What LoopBack 3.28 answers in the same application.
const answers: readonly (readonly [path: string, statuses: readonly [number, number, number, number]])[] = [
  ['bases', [200, 401, 404, 401]],
  ['subs', [401, 401, 401, 200]],
  ['Users', [200, 401, 401, 422]],
  ['customers', [401, 401, 401, 422]]
]

t.test('a rule of model-config.json replaces the one about the same, and is not inherited', async (t) => {
  const app = await bootApp(t, files)
  for (const [path, expected] of answers) {
    const reads = await Promise.all(['', '/count', '/findOne'].map((end) => app.inject(`/api/${path}${end}`)))
    const written = await app.inject({ method: 'POST', url: `/api/${path}`, payload: {} })
    t.strictSame(
      [...reads, written].map(({ statusCode }) => statusCode),
      expected,
      path
    )
  }
})

t.test('the same by loopback.configureModel', async (t) => {
  const app = await bootApp(t, {
    ...files,
    'server/boot/configure.js': `module.exports = app => {
      const rule = permission => ({ principalType: 'ROLE', principalId: '$everyone', permission })
      const Own = app.registry.createModel('Own', {}, { plural: 'owns', acls: [rule('DENY')] })
      app.registry.configureModel(Own, { dataSource: app.dataSources.db, acls: [rule('ALLOW')] })
      app.model(Own, { dataSource: 'db' })
    }`
  })
  t.equal((await app.inject('/api/owns')).statusCode, 200)
})

// LoopBack 3.28 answers the same.
t.test('enableAuth with a data source makes User public, and no other of its models', async (t) => {
  const app = await bootApp(t, {
    'server/boot/auth.js': `module.exports = app => app.enableAuth({ dataSource: 'db' })`
  })
  const statuses = []
  for (const path of ['Users/1', 'AccessTokens/1', 'ACLs/1', 'Roles/1', 'RoleMappings/1'])
    statuses.push((await app.inject(`/api/${path}`)).statusCode)
  t.strictSame(statuses, [401, 404, 404, 404, 404])
})
