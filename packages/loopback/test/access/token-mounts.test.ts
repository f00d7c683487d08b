import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp, type Files } from '../make-app.ts'

const principal = { principalType: 'ROLE', principalId: '$everyone' }
const internal = { dataSource: 'db', public: false }
const files: Files = {
  'common/models/person.json': { name: 'Person', base: 'User', plural: 'people', saltWorkFactor: 4 },
  'common/models/my-token.json': { name: 'MyToken', base: 'AccessToken' },
  'common/models/thing.json': {
    name: 'Thing',
    acls: [
      { ...principal, permission: 'DENY' },
      { ...principal, principalId: '$authenticated', permission: 'ALLOW' }
    ]
  },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    AccessToken: internal,
    Role: internal,
    RoleMapping: internal,
    ACL: internal,
    MyToken: internal,
    Person: { dataSource: 'db', public: true },
    Thing: { dataSource: 'db', public: true }
  }
}

const requests: [string, Record<string, string>][] = [
  ['/api/Things', { authorization: 'tok' }],
  ['/api/Things', { 'x-foo': 'tok' }],
  ['/api/Things?foo=tok', {}],
  ['/api/Things', { authorization: 'Bearer tok' }],
  ['/api/Things', { authorization: 'mine' }],
  ['/api/people/me', { authorization: 'tok' }],
  ['/api/people/me', { 'x-foo': 'tok' }]
]

async function boot(t: Test, setUp: string, more: Files = {}): Promise<FastifyInstance> {
  const script = `module.exports = app => { const { loopback } = app; ${setUp} }`
  const server = await bootApp(t, { ...files, 'server/boot/a.js': script, ...more })
  const { models } = server
  await models.get('Person').create({ email: 'ann@shop.org', password: 'secret' })
  await models.get('AccessToken').create({ id: 'tok', userId: 1, ttl: 1000 })
  await models.get('MyToken').create({ id: 'mine', userId: 1, ttl: 1000 })
  return server
}

// What LoopBack 3.28 answered to the requests above.
const cases: [string, string, string][] = [
  ['nothing but enableAuth', 'app.enableAuth()', '401 401 401 401 200 401 401'],
  [
    'headers, parameters and a literal',
    "app.use(loopback.token({ headers: ['x-foo'], params: ['foo'], currentUserLiteral: 'me' })); app.enableAuth()",
    '200 200 200 401 401 200 200'
  ],
  [
    'plain bearers, after enableAuth',
    "app.enableAuth(); app.use(loopback.token({ headers: ['x-foo'], params: ['foo'], currentUserLiteral: 'me', bearerTokenBase64Encoded: false }))",
    '200 200 200 200 401 200 200'
  ],
  [
    'own names alone',
    "app.use(loopback.token({ headers: ['x-foo'], searchDefaultTokenKeys: false })); app.enableAuth()",
    '401 200 401 401 401 401 401'
  ],
  [
    'a model by its name',
    "app.use(loopback.token({ model: 'MyToken' })); app.enableAuth()",
    '401 401 401 401 200 401 401'
  ],
  [
    'a model by its class',
    'app.use(loopback.token({ model: app.models.MyToken })); app.enableAuth()',
    '401 401 401 401 200 401 401'
  ],
  [
    'two, the first of which finds tokens',
    "app.use(loopback.token({ headers: ['x-foo'], searchDefaultTokenKeys: false })); app.use(loopback.token({ params: ['foo'] })); app.enableAuth()",
    '401 200 401 401 401 401 401'
  ],
  [
    'one that middleware takes away',
    'app.use(loopback.token()); app.use((req, res, next) => { req.accessToken = null; next() }); app.enableAuth()',
    '401 401 401 401 401 401 401'
  ],
  [
    'one that middleware gives',
    "app.use((req, res, next) => app.models.AccessToken.findById('tok', (error, token) => { req.accessToken = token; next(error) })); app.use(loopback.token({ currentUserLiteral: 'me' })); app.enableAuth()",
    '200 200 200 200 200 200 200'
  ],
  [
    'an object that middleware gives, without loopback.token()',
    'app.use((req, res, next) => { req.accessToken = { userId: 1 }; next() }); app.enableAuth()',
    '200 200 200 200 200 401 401'
  ],
  [
    'none, as middleware says before it',
    'app.use((req, res, next) => { req.accessToken = null; next() }); app.use(loopback.token()); app.enableAuth()',
    '401 401 401 401 401 401 401'
  ],
  [
    'a token that middleware gives to another user',
    "app.use(loopback.token({ currentUserLiteral: 'me' })); app.use((req, res, next) => { if (req.accessToken) req.accessToken.userId = 2; next() }); app.enableAuth()",
    '200 401 401 401 401 401 401'
  ],
  [
    'a phase',
    "app.use(loopback.token({ params: ['foo'] })); app.middleware('auth', loopback.token({ headers: ['x-foo'], searchDefaultTokenKeys: false })); app.enableAuth()",
    '401 200 401 401 401 401 401'
  ]
]

for (const [what, setUp, expected] of cases) {
  void t.test(`a script says where tokens are: ${what}`, async (t) => {
    const server = await boot(t, setUp)
    const answers = await Promise.all(requests.map(([url, headers]) => server.inject({ url, headers })))
    t.equal(answers.map(({ statusCode }) => statusCode).join(' '), expected)
    t.notOk(server.bootReport.notes.some(({ key }) => key === 'loopback#token'))
  })
}

void t.test('middleware.json comes before scripts, and options of the server before both', async (t) => {
  const middleware = {
    auth: { 'loopback#token': { params: { headers: ['x-file'], searchDefaultTokenKeys: false } } },
    routes: { 'loopback#rest': { paths: ['/api'] } }
  }
  const setUp = "app.use(loopback.token({ headers: ['x-script'], currentUserLiteral: 'me' })); app.enableAuth()"
  const server = await boot(t, setUp, { 'server/middleware.json': middleware })
  const statusOf = async (name: string, url = '/api/Things'): Promise<number> =>
    (await server.inject({ url, headers: { [name]: 'tok' } })).statusCode
  t.equal(await statusOf('x-file'), 200)
  t.equal(await statusOf('x-script'), 401)
  t.equal(await statusOf('x-file', '/api/people/me'), 200, 'each replaces its literal')
})

void t.test('middleware of Express behind it sees the token', async (t) => {
  const show = "app.get('/who', (req, res) => res.send(String(req.accessToken && req.accessToken.id)))"
  const server = await boot(t, `app.use(loopback.token({ headers: ['x-foo'] })); ${show}`)
  t.equal((await server.inject({ url: '/who', headers: { 'x-foo': 'tok' } })).body, 'tok')
  t.equal((await server.inject('/who')).body, 'null')
})
