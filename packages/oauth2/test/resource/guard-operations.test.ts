import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { users } from '@modelwire/users'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { resourceServer, type ResourceServerOptions } from '#src/index.ts'
import { audience, issuer, type Issuer, makeIssuer } from './issuer.ts'

const product = {
  name: 'Product',
  public: true,
  properties: { name: 'string' },
  methods: { secret: { http: { verb: 'get', path: '/secret' } } }
}

/** A REST API with users and rules, in a process with nothing of the authorization server. */
async function makeApi(t: Test, { jwks }: Issuer, options: Partial<ResourceServerOptions>): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [product] })
  Object.assign(app.models.get('Product'), { secret: async () => undefined })
  await app.register(acl)
  await app.register(users)
  app.models.define({ name: 'Customer', base: 'User', public: true, saltWorkFactor: 4 })
  app.models.attach('Customer', 'db')
  await app.register(resourceServer, { issuer, audience, jwks, ...options })
  app.resourceServer.authenticate('/api', { optional: true })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return app
}

type Ask = (
  request: string,
  scope?: string,
  payload?: object
) => Promise<{ status: number; challenge: string; body: string }>

const asker =
  (app: FastifyInstance, server: Issuer): Ask =>
  async (request, scope, payload) => {
    const [method, url] = request.split(' ')
    const headers = scope === undefined ? {} : { authorization: `Bearer ${await server.sign({ scope, sub: '1' })}` }
    const answer = await app.inject({
      method: method as 'GET', // tests name verbs
      url: `/api${url}`,
      headers,
      ...(payload === undefined ? {} : { payload })
    })
    return { status: answer.statusCode, challenge: String(answer.headers['www-authenticate']), body: answer.body }
  }

const scopeMappings = {
  'products:read': ['Product.find', 'Product.findById', 'Product.count'],
  'products:write': ['Product:WRITE'],
  all: ['Product.*']
}

void t.test('a scope opens the operations that a mapping names, and no other', async (t) => {
  const server = await makeIssuer()
  const ask = asker(await makeApi(t, server, { scopeMappings }), server)
  t.equal((await ask('GET /Products', 'products:read')).status, 200)
  t.equal((await ask('GET /Products/count', 'x products:read')).status, 200)
  t.equal((await ask('POST /Products', 'products:read', { name: 'a' })).status, 403)
  t.equal((await ask('POST /Products', 'products:write', { name: 'a' })).status, 200)
  t.equal((await ask('PATCH /Products/1', 'products:write', { name: 'b' })).status, 200)
  t.equal((await ask('GET /Products', 'products:write')).status, 403)
  t.equal((await ask('GET /Products', 'all')).status, 200)
  t.equal((await ask('GET /Products/findOne', 'products:read')).status, 403, 'nothing names it for this scope')
})

void t.test('a refusal says what would do', async (t) => {
  const server = await makeIssuer()
  const ask = asker(await makeApi(t, server, { scopeMappings }), server)
  const refused = await ask('GET /Products', 'email')
  t.match(refused.challenge, /^Bearer error="insufficient_scope", .*scope="products:read all"/)
  t.match(refused.body, /OAUTH_INSUFFICIENT_SCOPE/)
  const nobody = await ask('GET /Products')
  t.equal(nobody.status, 401)
  t.match(nobody.body, /OAUTH_TOKEN_MISSING/)
  t.match(nobody.challenge, /^Bearer scope="products:read all", resource_metadata=/)
})

void t.test('attack: aliases and other routes of an operation', async (t) => {
  const server = await makeIssuer()
  const app = await makeApi(t, server, { scopeMappings: { read: ['Product.find'] } })
  const ask = asker(app, server)
  await app.models.get('Product').create({ name: 'a' })
  for (const request of [
    'GET /Products/1',
    'GET /Products/1/exists',
    'HEAD /Products/1',
    'GET /Products/count',
    'GET /Products/findOne',
    'PUT /Products/1',
    'POST /Products/1/replace',
    'PUT /Products',
    'PATCH /Products',
    'POST /Products/replaceOrCreate',
    'POST /Products/upsertWithWhere?where={}',
    'POST /Products/update?where={}',
    'DELETE /Products/1',
    'POST /Products/change-stream'
  ])
    t.ok(
      [403, 404].includes((await ask(request, 'read', request.startsWith('P') ? { name: 'x' } : undefined)).status),
      request
    )
  t.strictSame(JSON.parse(JSON.stringify(await app.models.get('Product').find())), [{ name: 'a', id: 1 }])
})

void t.test('a mapping of something that does not exist is an error when the server starts', async (t) => {
  const server = await makeIssuer()
  for (const entry of ['Product.fnd', 'Prodct.find', 'product.find', 'Product', ''])
    await t.rejects(
      makeApi(t, server, { scopeMappings: { read: [entry] } }),
      { code: /OAUTH_MAPPED_OPERATION_UNKNOWN|OPTION_INVALID/ },
      entry
    )
})

void t.test('operations that need no token are named', async (t) => {
  const server = await makeIssuer()
  const ask = asker(
    await makeApi(t, server, { scopeMappings, openOperations: ['Product.find', 'Customer.login'] }),
    server
  )
  t.equal((await ask('GET /Products')).status, 200)
  t.equal((await ask('GET /Products/1')).status, 401)
  t.equal((await ask('POST /Customers/login', undefined, {})).status, 400, 'reached')
})

void t.test('attack: a client with a user’s token changes the account of the user', async (t) => {
  const server = await makeIssuer()
  const app = await makeApi(t, server, {})
  await app.models.get('Customer').create({ email: 'ann@shop.example', password: 'secret-ann' })
  const ask = asker(app, server)
  for (const [request, payload] of [
    ['PATCH /Customers/1', { email: 'evil@example.com' }],
    ['PUT /Customers/1', { email: 'evil@example.com', password: 'x' }],
    ['DELETE /Customers/1', undefined],
    ['POST /Customers/change-password', { oldPassword: 'secret-ann', newPassword: 'evil' }],
    ['POST /Customers/reset-password', { newPassword: 'evil' }],
    ['POST /Customers/1/accessTokens', {}]
  ] as const)
    for (const scope of ['email', 'reset-password', 'DEFAULT', ''])
      t.ok([401, 403, 404].includes((await ask(request, scope, payload)).status), `${request} ${scope}`)
  const [user] = await app.models.get('Customer').find()
  t.equal(user?.['email'], 'ann@shop.example')
  const opened = await makeApi(t, server, { unmapped: 'allow' })
  await opened.models.get('Customer').create({ email: 'ann@shop.example', password: 'secret-ann' })
  t.equal((await asker(opened, server)('GET /Customers/1', 'email')).status, 200, 'rules decide about reading')
})

void t.test('an application may open accounts to clients', async (t) => {
  const server = await makeIssuer()
  const app = await makeApi(t, server, { protectAccounts: false, unmapped: 'allow' })
  await app.models.get('Customer').create({ email: 'ann@shop.example', password: 'secret-ann' })
  t.equal((await asker(app, server)('PATCH /Customers/1', 'email', { username: 'ann' })).status, 200)
})

void t.test('who logged in by a password is not held to scopes', async (t) => {
  const server = await makeIssuer()
  const app = await makeApi(t, server, { scopeMappings, openOperations: ['Customer.login'] })
  await app.models.get('Customer').create({ email: 'ann@shop.example', password: 'secret-ann' })
  const login = {
    method: 'POST',
    url: '/api/Customers/login',
    payload: { email: 'ann@shop.example', password: 'secret-ann' }
  } as const
  const { id } = (await app.inject(login)).json()
  t.equal((await app.inject(`/api/Products?access_token=${id}`)).statusCode, 200)
})

void t.test('attack: a scope for something else, where no scope is asked for', async (t) => {
  const server = await makeIssuer()
  const ask = asker(await makeApi(t, server, {}), server)
  t.equal((await ask('POST /Products', undefined, { name: 'a' })).status, 200, 'the model is open')
  for (const scope of ['products:read', 'DEFAULT', '*', '']) {
    const refused = await ask('POST /Products', scope, { name: 'a' })
    t.equal(refused.status, 403, scope)
    t.match(refused.challenge, /insufficient_scope/)
    t.equal((await ask('GET /Products', scope)).status, 403, scope)
  }
})

void t.test('the scope of a path opens the methods below it, for the requests that it was asked of', async (t) => {
  const server = await makeIssuer()
  const app = await makeApi(t, server, {})
  app.resourceServer.authenticate('/api/Products/count', { scope: 'products:count' })
  const ask = asker(app, server)
  t.equal((await ask('GET /Products/count', 'products:count')).status, 200)
  t.equal((await ask('GET /Products', 'products:count')).status, 403)
  t.equal((await ask('GET /Products/count', 'other')).status, 403)
})

void t.test('unmapped: allow opens to clients what is open to others, and is told', async (t) => {
  const server = await makeIssuer()
  const ask = asker(await makeApi(t, server, { unmapped: 'allow' }), server)
  t.equal((await ask('GET /Products', 'x')).status, 200)
})
