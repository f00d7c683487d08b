import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp, type Files } from '../make-app.ts'
import { rule, withAccessModels } from './rules-and-models.ts'

/** Rules of models by the models' names. */
const sets = {
  open: [],
  mixed: [
    rule('$everyone', 'ALLOW', { property: 'find' }),
    rule('$authenticated', 'ALLOW', { accessType: 'READ' }),
    rule('admin', 'ALLOW')
  ],
  closed: [
    rule('$everyone', 'DENY'),
    rule('$authenticated', 'ALLOW', { accessType: 'READ' }),
    rule('admin', 'ALLOW'),
    rule('$owner', 'ALLOW', { accessType: 'WRITE' })
  ],
  types: [
    rule('$everyone', 'ALLOW', { accessType: 'READ' }),
    rule('leader', 'ALLOW', { accessType: 'WRITE' }),
    rule('admin', 'ALLOW', { accessType: 'EXECUTE' }),
    rule('$unauthenticated', 'ALLOW', { accessType: 'WRITE' })
  ],
  methods: [
    rule('leader', 'ALLOW', { property: 'findById' }),
    rule('admin', 'ALLOW', { property: ['find', 'count'] }),
    rule('$authenticated', 'DENY', { property: 'count' })
  ],
  denying: [
    rule('admin', 'DENY', { property: 'find' }),
    rule('leader', 'ALLOW'),
    rule('$owner', 'AUDIT'),
    rule('$authenticated', 'ALARM', { accessType: 'READ' })
  ],
  byUser: [
    rule('$everyone', 'DENY'),
    { principalType: 'USER', principalId: 2, permission: 'ALLOW' },
    rule('leader', 'ALLOW', { property: 'create' })
  ]
}
const names = Object.keys(sets)

const storedRules = `
  const role = (model, property, accessType, principalId) =>
    ACL.create({ model, property, accessType, principalType: 'ROLE', principalId, permission: 'ALLOW' })
  await role('open', 'find', 'READ', 'admin')
  await role('open', '*', 'WRITE', '$authenticated')
  await role('*', '*', '*', 'leader')`

/** Ann (1) is an admin, bob (2) a leader and owner of record 2, cid (3) neither; headers name the roles of each call. */
const script = (more: string): string => `module.exports = async app => {
  app.enableAuth()
  const { User, Role, RoleMapping, ACL } = app.models
  Role.registerResolver('leader', async (role, ctx) => ctx.accessToken.userId === 2)
  const admin = await Role.create({ name: 'admin' })
  for (const name of ['ann', 'bob', 'cid']) {
    const user = await User.create({ email: name + '@x.org', password: name })
    app.set(name, (await user.createAccessToken(1000)).id)
  }
  await RoleMapping.create({ roleId: admin.id, principalType: 'USER', principalId: 1 })
  ${more}
  const rolesOf = options => options?.authorizedRoles
  const tell = (ctx, header, roles) => ctx.res.set(header, roles ? Object.keys(roles).sort().join(' ') : 'absent')
  let observed
  for (const name of ${JSON.stringify(names)}) {
    const Model = app.models[name]
    await Model.create([{ userId: 1 }, { userId: 2 }])
    for (const step of ['access', 'before save']) Model.observe(step, async ctx => { observed = rolesOf(ctx.options) })
    Model.echo = async options => options
    const accepts = { arg: 'options', type: 'object', http: { source: 'query' } }
    Model.remoteMethod('echo', { accepts, returns: { arg: 'options', type: 'object', root: true }, http: { verb: 'get' } })
  }
  app.remotes().before('**', (ctx, next) => { tell(ctx, 'hooked', rolesOf(ctx.args.options)); next() })
  app.remotes().after('**', (ctx, next) => { tell(ctx, 'observed', observed); next() })
  app.remotes().afterError('**', (ctx, next) => { tell(ctx, 'failed', rolesOf(ctx.args.options)); next() })
}`

const filesWith = (more = ''): Files => ({
  ...Object.fromEntries(
    Object.entries(sets).map(([name, acls]) => [
      `common/models/${name}.json`,
      { name, plural: name, base: 'PersistedModel', properties: { userId: 'number' }, acls }
    ])
  ),
  'server/model-config.json': withAccessModels(
    Object.fromEntries(names.map((name) => [name, { dataSource: 'db', public: true }]))
  ),
  'server/boot/roles.js': script(more)
})

const callers = [undefined, 'ann', 'bob', 'cid']

/** The status of a refused call, or the roles that hooks and observers see. */
async function answerTo(app: FastifyInstance, request: string, caller: string | undefined): Promise<string> {
  const [method = '', url = ''] = request.split(' ')
  const { statusCode, headers } = await app.inject({
    method: method as 'GET', // rows name verbs
    url: `/api/${url}`,
    headers: caller === undefined ? {} : { authorization: String(app.loopback.get(caller)) },
    ...(method === 'GET' ? {} : { payload: {} })
  })
  if (statusCode !== 200) return `${statusCode} ${String(headers['failed'])}`
  return headers['observed'] === headers['hooked'] ? String(headers['hooked']) : 'two answers'
}

/** A request, and the answer to nobody, ann, bob and cid. */
type Row = readonly [request: string, ...answers: string[]]

async function compare(t: Test, files: Files, rows: readonly Row[]): Promise<void> {
  const app = await bootApp(t, files)
  for (const [request, ...expected] of rows) {
    const answers = []
    for (const caller of callers) answers.push(await answerTo(app, request, caller))
    t.strictSame(answers, expected, request)
  }
}

// What LoopBack 3.28 sets in the same application.
t.test('options name the roles that some rule about the method allows, where the call is allowed', (t) =>
  compare(t, filesWith(), [
    ['GET open', '', '', '', ''],
    ['POST open', '', '', '', ''],
    [
      'GET mixed',
      '$everyone',
      '$authenticated $everyone admin',
      '$authenticated $everyone',
      '$authenticated $everyone'
    ],
    ['GET mixed/2', '', '$authenticated admin', '$authenticated', '$authenticated'],
    ['POST mixed', '', '$authenticated admin', '$authenticated', '$authenticated'],
    ['GET closed', '401 ', '$authenticated admin', '$authenticated', '$authenticated'],
    ['GET closed/2', '401 ', '$authenticated admin', '$authenticated $owner', '$authenticated'],
    ['POST closed', '401 ', '$authenticated admin', '401 ', '401 '],
    ['PATCH closed/2', '401 ', '$authenticated admin', '$authenticated $owner', '401 '],
    ['GET types/2', '$everyone $unauthenticated', '$everyone admin', '$everyone leader', '$everyone'],
    ['POST types', '$everyone $unauthenticated', '$everyone admin', '$everyone leader', '$everyone'],
    ['GET methods', '', 'admin', '', ''],
    ['GET methods/2', '', '', 'leader', ''],
    ['GET methods/count', '', 'admin', '401 ', '401 '],
    ['GET denying', '', '401 ', '$authenticated leader', '$authenticated'],
    ['GET denying/2', '', '$authenticated', '$authenticated $owner leader', '$authenticated'],
    ['GET byUser', '401 ', '401 ', '', '401 '],
    ['POST byUser', '401 ', '401 ', 'leader', '401 ']
  ])
)

// What LoopBack 3.28 sets in the same application.
t.test('stored rules count for calls of their own access type', (t) =>
  compare(t, filesWith(storedRules), [
    ['GET open', '', 'admin', 'leader', ''],
    ['GET open/2', '', '', 'leader', ''],
    ['POST open', '', '$authenticated', '$authenticated leader', '$authenticated']
  ])
)

t.test('a client cannot name its own roles in an argument that is called options', async (t) => {
  const app = await bootApp(t, filesWith())
  const forged = encodeURIComponent(JSON.stringify({ a: 1, authorizedRoles: { admin: true } }))
  const headers = { authorization: String(app.loopback.get('cid')) }
  const { body } = await app.inject({ url: `/api/mixed/echo?options=${forged}`, headers })
  t.strictSame(JSON.parse(body), { a: 1, authorizedRoles: { $authenticated: true } })
})
