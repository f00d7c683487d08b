import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp } from '../make-app.ts'
import { rule, withAccessModels } from './rules-and-models.ts'

const files = {
  'common/models/thing.json': {
    name: 'Thing',
    properties: { label: 'string', userId: 'number' },
    acls: [rule('$everyone', 'DENY'), rule('$owner', 'ALLOW'), rule('admin', 'ALLOW', { property: 'find' })]
  },
  'common/models/note.json': { name: 'Note' },
  'server/model-config.json': withAccessModels({
    Application: { dataSource: 'db', public: false },
    Note: { dataSource: 'db', public: false }
  })
}

/** A function that asks: `ask('Role', 'getRoles', …)`, once by promise and once by callback. */
type Ask = (model: string, method: string, ...args: unknown[]) => Promise<readonly unknown[]>

interface Asked {
  readonly app: FastifyInstance
  readonly ask: Ask
  /** A token of a user. */
  readonly tokenOf: (id: number) => Promise<object>
}

/** Two users, ann (1), who is an admin, and bob (2), who owns a thing. */
async function makeAsk(t: Test): Promise<Asked> {
  const app = await bootApp(t, { ...files, 'server/boot/auth.js': 'module.exports = (app) => app.enableAuth()' })
  const { models } = app
  await models.get('User').create({ email: 'ann@a.org', username: 'ann', password: 'x' })
  await models.get('User').create({ email: 'bob@a.org', password: 'x' })
  await models.get('Role').create({ name: 'admin' })
  await models.get('RoleMapping').create({ roleId: 1, principalType: 'USER', principalId: '1' })
  await models.get('Thing').create({ label: 'a', userId: 2 })
  const ask: Ask = async (model, method, ...args) => {
    const { modelClass } = models.typeOf(model)
    const fn = Reflect.get(modelClass, method) as (...given: unknown[]) => unknown // a function of scripts
    const byPromise = await fn.apply(modelClass, args)
    const byCallback = await new Promise((resolve, reject) => {
      fn.call(modelClass, ...args, (error: unknown, value: unknown) =>
        error ? reject(error as Error) : resolve(value)
      ) // as callbacks get it
    })
    return [byPromise, byCallback]
  }
  return { app, ask, tokenOf: async (userId) => models.get('AccessToken').create({ userId, ttl: 1000 }) }
}

// What LoopBack 3.28 answers to the same questions about the same application.
const known: [string, string, unknown[], unknown][] = [
  ['Role', 'getRoles', [{ principalType: 'USER', principalId: 1 }], ['$authenticated', '$everyone', 1]],
  [
    'Role',
    'getRoles',
    [{ principalType: 'USER', principalId: 1 }, { returnOnlyRoleNames: true }],
    ['$authenticated', '$everyone', 'admin']
  ],
  ['Role', 'getRoles', [{}], ['$unauthenticated', '$everyone']],
  [
    'Role',
    'getRoles',
    [{ principalType: 'USER', principalId: 2, model: 'Thing', id: 1 }],
    ['$owner', '$authenticated', '$everyone']
  ],
  ['Role', 'getRoles', [{ principalType: 'ROLE', principalId: 'admin' }], ['admin', '$unauthenticated', '$everyone']],
  ['Role', 'getRoles', [{ principals: [{ type: 'USER', id: 1 }] }], ['$authenticated', '$everyone', 1]],
  ['Role', 'isInRole', ['admin', { principalType: 'USER', principalId: 1 }], true],
  ['Role', 'isInRole', ['admin', { principalType: 'USER', principalId: 2 }], false],
  ['Role', 'isInRole', ['admin', { principalType: 'ROLE', principalId: 'admin' }], true],
  ['Role', 'isInRole', ['nobody', { principalType: 'USER', principalId: 1 }], false],
  ['Role', 'isInRole', ['$authenticated', {}], false],
  ['Role', 'isInRole', ['$authenticated', { principalType: 'APP', principalId: 'x' }], true],
  ['Role', 'isOwner', ['Thing', 1, 2], true],
  ['Role', 'isOwner', ['Thing', 1, 1], false],
  ['Role', 'isOwner', ['Thing', 1, 2, 'USER', {}], true],
  ['Role', 'isOwner', ['Thing', 1, 2, 'Other'], false],
  ['Role', 'isOwner', ['Thing', 99, 2], false],
  ['ACL', 'isMappedToRole', ['USER', 'ann', 'admin'], true],
  ['ACL', 'isMappedToRole', ['USER', 1, 1], true],
  ['ACL', 'isMappedToRole', ['USER', 'bob@a.org', 'admin'], false],
  ['ACL', 'isMappedToRole', ['USER', 'ann', 'none'], null]
]

for (const [model, method, args, expected] of known) {
  void t.test(`${model}.${method}(${JSON.stringify(args).slice(1, -1)}) is ${JSON.stringify(expected)}`, async (t) => {
    const { ask } = await makeAsk(t)
    t.strictSame(await ask(model, method, ...args), [expected, expected])
  })
}

const contexts: [number | undefined, object, string][] = [
  [1, { model: 'Thing', property: 'find', accessType: 'READ' }, 'ALLOW'],
  [2, { model: 'Thing', property: 'find', accessType: 'READ' }, 'DENY'],
  [2, { model: 'Thing', id: 1, property: 'findById', accessType: 'READ' }, 'ALLOW'],
  [1, { model: 'Thing', id: 1, property: 'findById', accessType: 'READ' }, 'DENY'],
  [undefined, { principals: [{ type: 'USER', id: 1 }], model: 'Thing', property: 'find', accessType: 'READ' }, 'ALLOW'],
  [undefined, { principalId: 2, model: 'Thing', modelId: 1, property: 'findById', accessType: 'READ' }, 'ALLOW'],
  [2, { model: 'Thing', modelId: 1 }, 'ALLOW'],
  [undefined, { model: 'User', property: 'login', accessType: 'EXECUTE' }, 'ALLOW']
]

for (const [user, context, permission] of contexts) {
  void t.test(`user ${user ?? 'nobody'} and ${JSON.stringify(context)} come to ${permission}`, async (t) => {
    const { ask, tokenOf } = await makeAsk(t)
    const given = user === undefined ? context : { ...context, accessToken: await tokenOf(user) }
    for (const answer of await ask('ACL', 'checkAccessForContext', given)) {
      const { isAllowed } = answer as { isAllowed: () => boolean } // what scripts get
      t.match(answer, { permission })
      t.equal(isAllowed(), permission === 'ALLOW')
    }
  })
}

void t.test('checkAccessForToken says whether a token may make a call', async (t) => {
  const { ask, tokenOf } = await makeAsk(t)
  const [ann, bob] = [await tokenOf(1), await tokenOf(2)]
  const check = (...args: unknown[]) => ask('ACL', 'checkAccessForToken', ...args)
  t.strictSame(await check(ann, 'Thing', undefined, 'find'), [true, true])
  t.strictSame(await check(bob, 'Thing', undefined, 'find'), [false, false])
  t.strictSame(await check(bob, 'Thing', 1, 'findById'), [true, true])
  t.strictSame(await check(ann, 'Thing', 1, 'findById'), [false, false])
  await t.rejects(check(undefined, 'Thing', 1, 'find'), { code: 'SCRIPT_ARGUMENT_INVALID' })
})

void t.test('checkPermission weighs the rules of files and the stored ones of a principal', async (t) => {
  const { app, ask } = await makeAsk(t)
  const stored = { principalType: 'USER', accessType: '*', property: '*' }
  await app.models.get('ACL').create({ ...stored, principalId: '2', model: 'Note', permission: 'DENY' })
  const questions: [unknown[], string][] = [
    [['USER', 1, 'Thing', 'find', 'READ'], 'ALLOW'],
    [['USER', 2, 'Note', 'find', 'READ'], 'DENY'],
    [['USER', 1, 'Note', 'find', 'READ'], 'ALLOW'],
    [['USER', 1, 'User', 'find', 'READ'], 'DENY'],
    [['ROLE', '$everyone', 'User', 'login', 'EXECUTE'], 'ALLOW'],
    [['USER', 2, 'Note'], 'DENY']
  ]
  for (const [args, permission] of questions)
    for (const answer of await ask('ACL', 'checkPermission', ...args)) t.match(answer, { permission }, String(args))
})

void t.test('resolvePrincipal finds users, roles and applications by id or name', async (t) => {
  const { ask } = await makeAsk(t)
  const found: [unknown[], object | null][] = [
    [['USER', 'ann'], { id: 1, username: 'ann' }],
    [['USER', 'bob@a.org'], { id: 2 }],
    [['USER', 1], { id: 1 }],
    [['USER', 'zed'], null],
    [['ROLE', 'admin'], { id: 1, name: 'admin' }],
    [[undefined, 'admin'], { id: 1 }],
    [['APP', 'x'], null],
    [['User', 'ann'], { id: 1 }]
  ]
  for (const [args, expected] of found) {
    const answers = await ask('ACL', 'resolvePrincipal', ...args)
    if (expected === null) t.strictSame(answers, [null, null], String(args))
    else t.match(answers, [expected, expected], String(args))
  }
  await t.rejects(ask('ACL', 'resolvePrincipal', 'Other', 'x'), { code: 'INVALID_PRINCIPAL_TYPE' })
})

void t.test('AccessToken finds, resolves and validates tokens', async (t) => {
  const { app, ask, tokenOf } = await makeAsk(t)
  const tokens = app.models.get('AccessToken')
  const { id } = (await tokenOf(1)) as { id: string } // as tokens have it
  for (const request of [
    { headers: { authorization: id } },
    { headers: { authorization: `Bearer ${id}` } },
    { headers: {}, query: { access_token: id } },
    { headers: {}, body: { access_token: id } },
    { headers: {}, signedCookies: { access_token: id } }
  ])
    t.match(await ask('AccessToken', 'findForRequest', request), [{ userId: 1 }, { userId: 1 }])
  t.strictSame(await ask('AccessToken', 'findForRequest', { headers: {} }, {}), [undefined, undefined])
  t.match(await ask('AccessToken', 'resolve', id), [{ id }, { id }])
  t.strictSame(await ask('AccessToken', 'resolve', 'unknown'), [undefined, undefined])
  await tokens.create({ id: 'old', ttl: 1, created: new Date(0), userId: 1 })
  await t.rejects(ask('AccessToken', 'resolve', 'old'), { code: 'INVALID_TOKEN' })
  t.equal(await tokens.count({ id: 'old' }), 0)
  for (const [ttl, expected] of [
    [1000, true],
    [-1, false],
    [0, false]
  ] as const) {
    const token = await tokens.create({ ttl, userId: 1 })
    t.equal(await (Reflect.get(token, 'validate') as () => Promise<boolean>).call(token), expected, `${ttl}`)
  }
})

void t.test('a role lists its users', async (t) => {
  const { app } = await makeAsk(t)
  const admin = await app.models.get('Role').findById(1)
  const list = async (name: string): Promise<unknown> =>
    (Reflect.get(admin ?? {}, name) as () => Promise<unknown>).call(admin) // a function of scripts
  t.match(await list('users'), [{ email: 'ann@a.org' }])
  t.strictSame([await list('applications'), await list('roles')], [[], []])
})
