import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { oauth2 } from '@modelwire/oauth2'
import { rest } from '@modelwire/rest'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import t, { type Test } from 'tap'
import { type BuildTestServer, testServer, TestServerError, type TestServerOptions } from 'modelwire/testing'
import { makeFolder, noteApp } from '../make-folder.ts'

const everyone = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' } as const
const note: ModelDefinition = {
  name: 'Note',
  public: true,
  properties: { text: { type: 'string', required: true } },
  acls: [
    everyone,
    { principalType: 'ROLE', principalId: 'editor', permission: 'ALLOW' },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: 'find' }
  ]
}

const plain: ModelDefinition = { name: 'Note', public: true }

/** Fails where it is connected to: a test stays in memory. */
const database = (): Connector =>
  Object.assign(memory(), {
    name: 'postgresql',
    connect: async () => Promise.reject(new Error('a test connects to a database'))
  })

interface Parts {
  readonly models?: readonly ModelDefinition[]
  readonly withUsers?: boolean
  readonly withOAuth?: boolean
}

const build =
  ({ models = [note], withUsers = true, withOAuth = false }: Parts = {}) =>
  async (options: FastifyServerOptions): Promise<FastifyInstance> => {
    const app = Fastify(options)
    const own = withUsers ? [userModel(), accessTokenModel] : []
    await app.register(modelwire, { dataSources: { db: database() }, models: [...own, ...models] })
    if (withUsers) await app.register(acl)
    if (withUsers) await app.register(users)
    if (withOAuth) {
      await app.register(oauth2, {
        issuer: 'http://127.0.0.1',
        session: false,
        scopeMappings: { notes: ['Note.find'] }
      })
      app.oauth2.authenticate('/api', { optional: true })
    }
    await app.register(rest, { prefix: '/api' })
    return app
  }

/** A server that is closed as `await using` closes it. */
const serve = async (t: Test, app: string | BuildTestServer, options?: TestServerOptions) => {
  const server = await testServer(app, options)
  t.teardown(async () => server[Symbol.asyncDispose]())
  return server
}

t.test('a function that builds a server runs in memory, with users and roles in a line each', async (t) => {
  const app = await serve(t, build(), { roles: ['editor'] })
  const ann = await app.user({ email: 'ann@example.org', roles: ['editor'] })
  const bob = await app.user()
  t.match(bob.email, /^user2@/)
  t.equal((await ann.post('/api/Notes', { text: 'Buy milk' })).statusCode, 200)
  t.equal((await bob.post('/api/Notes', { text: 'Buy milk' })).statusCode, 401)
  t.same((await bob.get('/api/Notes')).json(), [{ id: 1, text: 'Buy milk' }])
  t.equal((await ann.patch('/api/Notes/1', { text: 'Buy tea' })).json<{ text: string }>().text, 'Buy tea')
  t.equal((await ann.put('/api/Notes/1', { text: 'Buy it' }, { 'x-a': 'b' })).statusCode, 200)
  t.equal((await ann.delete('/api/Notes/1')).statusCode, 200)
  t.equal((await ann.inject({ url: '/api/Notes', headers: { authorization: '' } })).statusCode, 401)
  t.equal((await app.get('/api/Notes')).statusCode, 401)
  t.equal(await app.models.get('Note').count(), 0)
  const login = await app.post('/api/Users/login', { email: bob.email, password: bob.password })
  t.equal(login.statusCode, 404, 'User is not public here')
  t.ok(await app.models.get('User').exists(ann.id))
  t.match(ann.record, { emailVerified: true })
  const again = await app.user({ email: ann.email })
  t.equal(again.id, ann.id)
  t.notOk(again.password)
  t.not(again.token, ann.token)
})

t.test('a plugin is registered on a server', async (t) => {
  const plugin = fp(async (app: FastifyInstance) => {
    await app.register(modelwire, { dataSources: { db: database() }, models: [{ name: 'Note', public: true }] })
    await app.register(rest, { prefix: '/api' })
  })
  const app = await testServer(plugin)
  t.same((await app.get('/api/Notes/count')).json(), { count: 0 })
  await app.close()
  await t.rejects(app.get('/api/Notes'))
})

t.test('an application folder runs in memory, though its connectors are not installed', async (t) => {
  const files = {
    ...noteApp,
    'server/datasources.json': { db: { connector: 'postgresql', url: 'postgres://nowhere.invalid/db' } },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      ...Object.fromEntries(
        ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping'].map((name) => [name, { dataSource: 'db', public: false }])
      ),
      Note: { dataSource: 'db', public: true }
    },
    'seeds/Note.json': [{ text: 'Buy milk' }]
  }
  const app = await serve(t, makeFolder(t, files), { seeds: true })
  const [editor, other] = [await app.user({ roles: ['editor'] }), await app.user()]
  t.match((await editor.get('/api/Notes')).json(), [{ text: 'Buy milk' }])
  t.equal((await other.get('/api/Notes')).statusCode, 401)
  t.match(await app.seed(), { models: [{ model: 'Note', unchanged: 1 }] })
  t.ok(await app.models.transaction(async () => true), 'as on PostgreSQL')
})

t.test('data sources may be those of the test, or of the application', async (t) => {
  const own = memory()
  const app = await serve(t, build({ models: [plain] }), { dataSources: { db: own } })
  t.equal(app.models.dataSources.get('db')?.connector, own)
  await t.rejects(testServer(build({ models: [plain] }), { dataSources: 'own' }), {
    message: 'a test connects to a database'
  })
  await t.rejects(testServer(build({ models: [plain] }), { dataSources: { main: 'own' } }), {
    code: 'TEST_DATA_SOURCE_UNKNOWN'
  })
})

t.test('tokens of OAuth have scopes, and belong to users or to a client', async (t) => {
  const app = await serve(t, build({ withOAuth: true }), { roles: ['editor'] })
  const ann = await app.user()
  t.equal((await ann.get('/api/Notes')).statusCode, 200, 'tokens of users are taken beside')
  const reader = await app.oauthToken({ user: ann, scopes: ['notes'] })
  t.equal((await reader.get('/api/Notes')).statusCode, 200)
  t.not((await reader.post('/api/Notes', { text: 'a' })).statusCode, 200)
  const other = await app.oauthToken({ user: ann, scopes: ['other'] })
  t.equal((await other.get('/api/Notes')).statusCode, 403)
  t.match(await app.oauthToken(), { scopes: [], clientId: /^tests-/ })
  await t.rejects(app.oauthToken({ client: 'nobody' }), { code: 'OAUTH_CLIENT_UNKNOWN' })
  const { client } = await app.server.oauth2.clients.create({ name: 'Narrow', scopes: ['notes'] })
  await t.rejects(app.oauthToken({ client: client.id, scopes: ['other'] }), { code: 'OAUTH_SCOPE_NOT_ALLOWED' })
})

t.test('what an application does not have is a coded error', async (t) => {
  const bare = await testServer(build({ models: [plain], withUsers: false }))
  await t.rejects(bare.user(), { code: 'TEST_USER_MODEL_MISSING' })
  await t.rejects(bare.oauthToken(), { code: 'TEST_OAUTH_MISSING' })
  t.ok((await bare.oauthToken().catch((error: unknown) => error)) instanceof TestServerError)
  await bare.close()
  const several = [plain, { name: 'Agent', base: 'User' }, { name: 'Customer', base: 'User' }]
  const app = await serve(t, build({ models: several }))
  await t.rejects(app.user(), { code: 'TEST_USER_MODEL_AMBIGUOUS', message: /Agent, Customer/ })
  await t.rejects(app.user({ model: 'Note' }), { code: 'TEST_USER_MODEL_MISSING' })
  t.equal((await app.user({ model: 'Agent' })).record.getId(), 1)
  await t.rejects(app.user({ model: 'Agent', email: 'no address' }), { code: 'VALIDATION_FAILED' })
  await t.rejects(app.seed(makeFolder(t, {}) + '/seeds'), { code: 'SEED_FOLDER_MISSING' })
})

t.test('roles need their models', async (t) => {
  const { Role: _role, ...models } = { Role: 1, User: 1, AccessToken: 1, ACL: 1, RoleMapping: 1 }
  const config = Object.fromEntries(Object.keys(models).map((name) => [name, { dataSource: 'db', public: false }]))
  const app = await serve(t, makeFolder(t, { ...noteApp, 'server/model-config.json': config }))
  await t.rejects(app.user({ roles: ['editor'] }), { code: 'TEST_ROLES_MISSING' })
})

t.test('what is no application is a coded error', async (t) => {
  // What JavaScript may pass.
  await t.rejects(testServer((() => undefined) as never), {
    code: 'TEST_APP_INVALID',
    message: /does not return a Fastify server/
  })
  await t.rejects(
    testServer(async (options) => Fastify(options)),
    { code: 'TEST_APP_INVALID', message: /no models/ }
  )
  await t.rejects(testServer('/nowhere'), { code: 'NO_SUCH_FOLDER' })
  const before = Fastify()
  await before.register(modelwire, { dataSources: { db: memory() }, models: [plain] })
  await t.rejects(
    testServer(async () => before),
    { code: 'TEST_APP_INVALID', message: /"db" does not belong to this test/ }
  )
  await before.close()
  const own = Fastify()
  await own.register(modelwire, { dataSources: { db: memory() }, models: [plain] })
  const app = await serve(t, async () => own, { dataSources: 'own' })
  t.equal(app.server, own)
})
