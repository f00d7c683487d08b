import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { bootApp, type Files } from '../../make-app.ts'

const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const night = { principalType: 'ROLE', principalId: 'night', permission: 'ALLOW', property: 'find' }

const files: Files = {
  'common/models/person.json': { name: 'Person', base: 'User', plural: 'people', saltWorkFactor: 4 },
  'common/models/thing.json': { name: 'Thing', properties: { label: 'string' }, acls: [deny, night] },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    AccessToken: {
      dataSource: 'db',
      public: false,
      relations: { user: { type: 'belongsTo', model: 'Person', foreignKey: 'userId' } }
    },
    Role: { dataSource: 'db', public: false },
    RoleMapping: { dataSource: 'db', public: false },
    ACL: { dataSource: 'db', public: false },
    Person: { dataSource: 'db', public: true },
    Thing: { dataSource: 'db', public: true }
  }
}

async function logIn(server: FastifyInstance): Promise<string> {
  const payload = { email: 'ann@shop.org', password: 'secret' }
  await server.inject({ method: 'POST', url: '/api/people', payload })
  return (await server.inject({ method: 'POST', url: '/api/people/login', payload })).json<{ id: string }>().id
}

void t.test('without enableAuth rules are told and not enforced', async (t) => {
  const server = await bootApp(t, files)
  t.equal((await server.inject('/api/Things')).statusCode, 200)
  t.ok(server.bootReport.notes.some(({ reason }) => reason.includes('enableAuth')))
})

void t.test('scripts resolve roles by callback or promise', async (t) => {
  const callback = 'function (role, ctx, cb) { cb(null, ctx.isAuthenticated() && ctx.property === "find") }'
  for (const resolver of [callback, 'async (role, ctx) => ctx.getUserId() === 1']) {
    const script = `module.exports = app => { app.enableAuth(); app.models.Role.registerResolver('night', ${resolver}) }`
    const server = await bootApp(t, { ...files, 'server/boot/a.js': script })
    const authorization = await logIn(server)
    t.equal((await server.inject({ url: '/api/Things', headers: { authorization } })).statusCode, 200)
    t.equal((await server.inject('/api/Things')).statusCode, 401)
  }
})

void t.test('scripts call the functions of users with callbacks, and may replace them', async (t) => {
  const script = `module.exports = Person => {
    Person.prototype.createAccessToken = function (ttl, options, cb) {
      this.accessTokens.create({ id: 'made-by-a-script-that-knows-better', ttl: 60 }, cb)
    }
    Person.check = (cb) => Person.findOne((error, user) => user.hasPassword('secret', cb))
    Person.remoteMethod('check', { http: { verb: 'get' }, returns: { arg: 'right', type: 'boolean' } })
  }`
  const server = await bootApp(t, { ...files, 'common/models/person.js': script })
  t.equal(await logIn(server), 'made-by-a-script-that-knows-better')
  t.strictSame((await server.inject('/api/people/check')).json(), { right: true })
})

void t.test('loopback#token says where tokens are', async (t) => {
  const middleware = {
    auth: {
      'loopback#token': { params: { headers: ['x-mine'], searchDefaultTokenKeys: false, currentUserLiteral: true } }
    },
    routes: { 'loopback#rest': { paths: ['/api'] } }
  }
  const script = 'module.exports = app => app.enableAuth()'
  const server = await bootApp(t, { ...files, 'server/middleware.json': middleware, 'server/boot/a.js': script })
  const token = await logIn(server)
  t.equal((await server.inject({ url: '/api/people/me', headers: { 'x-mine': token } })).statusCode, 200)
  t.equal((await server.inject({ url: '/api/people/me', headers: { authorization: token } })).statusCode, 401)
})

void t.test('enableAuth attaches built-in models that have no data source', async (t) => {
  const script = 'module.exports = app => app.enableAuth({ dataSource: "db" })'
  const server = await bootApp(t, { 'server/boot/a.js': script })
  for (const name of ['AccessToken', 'ACL', 'Role', 'RoleMapping', 'User'])
    t.equal(server.models.typeOf(name).dataSource?.name, 'db', name)
})

void t.test('options of the server close what old clients rely on', async (t) => {
  const reset = { method: 'POST', url: '/api/people/reset', payload: { email: 'nobody@shop.org' } } as const
  t.equal((await (await bootApp(t, files)).inject(reset)).statusCode, 404)
  const closed = await bootApp(t, files, { users: { revealAccounts: false } })
  t.equal((await closed.inject(reset)).statusCode, 204)
  const strict = await bootApp(t, { ...files, 'server/config.json': { restApiRoot: '/api', strictAccess: true } })
  t.equal((await strict.inject(reset)).statusCode, 204)
})

void t.test('scripts say by a function which records a rule is about', async (t) => {
  const properties = { label: 'string', tenant: 'number' }
  const thing = { name: 'Thing', properties, hidden: ['tenant'], acls: [deny] }
  const about = "principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', accessType: 'EXECUTE'"
  const script = `module.exports = Thing => {
    Thing.settings.acls.push({ ${about}, rows: ({ userId }) => ({ tenant: userId }) })
  }`
  const boot = { 'server/boot/a.js': 'module.exports = app => app.enableAuth()' }
  const server = await bootApp(t, {
    ...files,
    'common/models/thing.json': thing,
    'common/models/thing.js': script,
    ...boot
  })
  const authorization = await logIn(server)
  const things = [1, 2].map((tenant) => ({ label: `of ${tenant}`, tenant }))
  await server.models.get('Thing').create(things)
  const ask = async (url: string) => server.inject({ url: `/api/Things${url}`, headers: { authorization } })
  t.strictSame((await ask('')).json(), [{ label: 'of 1', id: 1 }])
  t.strictSame([(await ask('/1')).statusCode, (await ask('/2')).statusCode], [200, 401])
})
