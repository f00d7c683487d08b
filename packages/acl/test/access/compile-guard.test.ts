import t from 'tap'
import { followChanges } from '../follow-changes.ts'
import { deny, makeApp, rule, statusOf } from '../make-app.ts'

const cases: [string, object[], [string, number | undefined, number][]][] = [
  ['no rule opens everything', [], [['GET /things', undefined, 200]]],
  [
    'authenticated callers alone',
    [deny, rule('$authenticated', 'ALLOW', { accessType: 'READ' })],
    [
      ['GET /things', undefined, 401],
      ['GET /things', 1, 200],
      ['GET /things/1', 1, 200],
      ['HEAD /things/1', undefined, 401],
      ['GET /things/count', undefined, 401],
      ['DELETE /things/1', 1, 401]
    ]
  ],
  [
    'a method by its name',
    [deny, rule('$everyone', 'ALLOW', { property: 'count' })],
    [
      ['GET /things/count', undefined, 200],
      ['DELETE /things/1', undefined, 401]
    ]
  ],
  [
    'one user by the id',
    [deny, { principalType: 'USER', principalId: 2, permission: 'ALLOW' }],
    [
      ['GET /things', 1, 401],
      ['GET /things', 2, 200]
    ]
  ],
  [
    'owners',
    [deny, rule('$owner', 'ALLOW')],
    [
      ['GET /things/1', 1, 200],
      ['GET /things/1', 2, 401],
      ['GET /things/1?id=2&userId=2', 2, 401],
      ['GET /things', 1, 401],
      ['GET /things/99', 1, 401],
      ['POST /things/update?where={"id":1}&id=2', 2, 401]
    ]
  ]
]

for (const [name, acls, expectations] of cases) {
  void t.test(`rules decide: ${name}`, async (t) => {
    const app = await makeApp(t, [{ name: 'Thing', plural: 'things', properties: { userId: 'number' }, acls }])
    await app.models.get('Thing').create([{ userId: 1 }, { userId: 2 }])
    for (const [request, user, status] of expectations)
      t.equal(await statusOf(app, request, user), status, `${request} of ${String(user)}`)
  })
}

// LoopBack 3.28 answers the same.
void t.test('a rule without a permission has that of the model', async (t) => {
  const acls = [
    { principalType: 'ROLE', principalId: '$authenticated' },
    { principalType: 'USER', principalId: 2 }
  ]
  const models = [
    { name: 'Thing', plural: 'things', acls },
    { name: 'Closed', plural: 'closed', defaultPermission: 'DENY', acls },
    { name: 'Opened', plural: 'opened', defaultPermission: 'DENY', acls: [...acls, rule('$everyone', 'ALLOW')] }
  ]
  const app = await makeApp(t, models)
  for (const user of [1, 2])
    t.strictSame(
      [
        await statusOf(app, 'GET /things', user),
        await statusOf(app, 'GET /closed', user),
        await statusOf(app, 'GET /opened', user)
      ],
      [200, 401, 401]
    )
})

void t.test('a token that is meant for something else opens nothing', async (t) => {
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things' }])
  const ask = async (scopes?: string) =>
    (await app.inject({ url: '/api/things', headers: { user: '1', ...(scopes && { scopes }) } })).statusCode
  t.strictSame([await ask(), await ask('DEFAULT'), await ask('export')], [200, 200, 401])
})

void t.test('the status of a denial is the model’s for known callers', async (t) => {
  const models = [
    { name: 'Thing', plural: 'things', acls: [deny] },
    { name: 'Own', plural: 'own', acls: [deny], aclErrorStatus: 404 }
  ]
  const app = await makeApp(t, models, { errorStatus: 403 })
  t.strictSame(
    await Promise.all([statusOf(app, 'GET /things', 1), statusOf(app, 'GET /own', 1), statusOf(app, 'GET /own')]),
    [403, 404, 401]
  )
})

void t.test('stored rules count as soon as they are stored', async (t) => {
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things' }])
  t.equal(await statusOf(app, 'GET /things'), 200)
  const stored = { model: 'Thing', property: '*', accessType: 'READ', principalType: 'ROLE', principalId: '$everyone' }
  await app.models.get('ACL').create({ ...stored, permission: 'DENY' })
  t.equal(await statusOf(app, 'GET /things'), 401)
  await app.models.get('ACL').destroyAll()
  t.equal(await statusOf(app, 'GET /things'), 200)
})

void t.test('lists hold the caller’s own records where a rule says so', async (t) => {
  const acls = [deny, rule('$authenticated', 'ALLOW', { accessType: 'READ', rows: '$owner' })]
  const app = await makeApp(t, [
    { name: 'Thing', plural: 'things', properties: { userId: 'number', n: 'number' }, acls }
  ])
  await app.models.get('Thing').create([
    { userId: 1, n: 1 },
    { userId: 1, n: 2 },
    { userId: 2, n: 3 }
  ])
  const read = async (url: string) => (await app.inject({ url: `/api${url}`, headers: { user: '1' } })).json<unknown>()
  t.strictSame(await read('/things/count'), { count: 2 })
  t.match(await read('/things?filter={"where":{"or":[{"n":1},{"n":3}]},"fields":["n"]}'), [{ n: 1 }])
  t.equal(await statusOf(app, 'GET /things/3', 1), 401)
  t.equal(await statusOf(app, 'GET /things/1', 1), 200)
  t.equal(await statusOf(app, 'GET /things'), 401)
})

void t.test('a stream of changes tells of the caller’s own records where a rule says so', async (t) => {
  const acls = [deny, rule('$authenticated', 'ALLOW', { accessType: 'READ', rows: '$owner' })]
  const app = await makeApp(t, [
    { name: 'Thing', plural: 'things', properties: { userId: 'number' }, acls },
    { name: 'Part', base: 'Thing', public: false }
  ])
  const answering = app.inject({ url: '/api/things/change-stream', headers: { user: '1' } })
  await new Promise((resolve) => setImmediate(resolve))
  for (const name of ['Thing', 'Part']) await app.models.get(name).create([{ userId: 1 }, { userId: 2 }])
  await app.models.get('Thing').destroyAll({ userId: 2 })
  await new Promise((resolve) => setImmediate(resolve))
  await app.close()
  const lines = (await answering).payload.split('\n')
  const events = lines.filter((line) => line.startsWith('data: {'))
  const own = 'data: {"target":1,"data":{"userId":1,"id":1},"type":"create"}'
  t.strictSame(events, [own, own], 'of both models')
  const ids = lines.filter((line) => line.startsWith('id: '))
  t.equal(ids.length, 3, 'one at the start, one for each event')
  for (const id of ids) t.match(id, /^id: [\w-]{8}-[\w-]{22}$/, 'other changes are not counted by it')
  t.equal(
    await statusOf(await makeApp(t, [{ name: 'Thing', plural: 'things', acls }]), 'GET /things/change-stream'),
    401
  )
})

void t.test(
  'a stream of changes tells of models that extend the followed one where the caller may follow them',
  async (t) => {
    const properties = { userId: 'number', kind: 'string' }
    const own = rule('$authenticated', 'ALLOW', { accessType: 'READ', rows: '$owner' })
    const extending = { base: 'Thing', properties: {}, public: false }
    const app = await makeApp(t, [
      { name: 'Thing', plural: 'things', properties },
      { name: 'Open', ...extending },
      { name: 'Closed', ...extending, acls: [rule('$everyone', 'DENY', { accessType: 'READ' })] },
      { name: 'Members', ...extending, acls: [rule('$unauthenticated', 'DENY', { accessType: 'READ' })] },
      { name: 'Owned', ...extending, acls: [deny, own] }
    ])
    const listen = async (headers: Record<string, string>, query = '') =>
      followChanges(app, `/api/things/change-stream${query}`, headers)
    const listening = [listen({}), listen({ user: '1' }), listen({}, '?options={"models":["Closed","Open"]}')]
    const streams = await Promise.all(listening)
    for (const kind of ['Thing', 'Open', 'Closed', 'Members', 'Owned'])
      await app.models.get(kind).create({ userId: 1, kind })
    await new Promise((resolve) => setImmediate(resolve))
    await app.close()
    const texts = await Promise.all(streams.map(async (read) => read()))
    const kinds = texts.map((text) => Array.from(text.matchAll(/"kind":"(\w+)"/g), ([, kind]) => kind))
    t.strictSame(kinds, [['Thing', 'Open'], ['Thing', 'Open', 'Members', 'Owned'], ['Open']])
  }
)

void t.test('owners keep what they own, unless recheckOwner is off', async (t) => {
  const models = [
    { name: 'Thing', plural: 'things', properties: { userId: 'number' }, acls: [deny, rule('$owner', 'ALLOW')] }
  ]
  for (const [recheckOwner, status] of [
    [true, 401],
    [false, 200]
  ] as const) {
    const app = await makeApp(t, models, { recheckOwner })
    await app.models.get('Thing').create({ userId: 1 })
    t.equal(await statusOf(app, 'PATCH /things/1', 1, { userId: 2 }), status)
  }
})

void t.test('a rule about own rows is no open door, even where it is for everyone', async (t) => {
  const acls = [rule('$everyone', 'ALLOW', { rows: '$owner' })]
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', properties: { userId: 'number' }, acls }])
  await app.models.get('Thing').create({ userId: 1 })
  t.strictSame(
    await Promise.all([
      statusOf(app, 'GET /things'),
      statusOf(app, 'GET /things/1', 2),
      statusOf(app, 'GET /things/1', 1)
    ]),
    [401, 401, 200]
  )
})
