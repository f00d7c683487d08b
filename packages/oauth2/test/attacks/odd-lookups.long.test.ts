import { acl } from '@modelwire/acl'
import { type ModelDefinition, migrate, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { users } from '@modelwire/users'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { oauth2 } from '#src/index.ts'
import { addClient, basic, callback, post, userFunctions } from '../make-app.ts'
import { databases } from '../server/store/databases.ts'

const everyone = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' } as const
const models: readonly ModelDefinition[] = [
  { name: 'Note', public: true, properties: { text: 'string' } },
  { name: 'Secret', public: true, properties: { text: 'string' }, acls: [everyone] },
  { name: 'Customer', base: 'User', public: true, saltWorkFactor: 4 },
  {
    name: 'Shop',
    public: true,
    properties: { code: { type: 'string', id: true } },
    relations: { goods: { type: 'hasMany', model: 'Good', foreignKey: 'shopCode' } }
  },
  {
    name: 'Good',
    public: true,
    properties: { code: { type: 'string', id: true }, name: 'string' },
    relations: { shop: { type: 'belongsTo', model: 'Shop', foreignKey: 'shopCode' } }
  }
]

async function start(t: Test, connector: Connector): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector } })
  await app.register(acl)
  await app.register(users, {})
  const relation = { type: 'belongsTo', model: 'Customer', foreignKey: 'userId' }
  Object.assign(app.models.typeOf('AccessToken').definition.relations ?? {}, { user: relation })
  for (const name of ['AccessToken', 'Role', 'RoleMapping', 'ACL']) app.models.attach(name, 'db')
  for (const definition of models) {
    app.models.define(definition)
    app.models.attach(definition.name, 'db')
  }
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await migrate(app.models, { empty: true })
  await app.models.get('Customer').create({ email: 'ann@shop.org', username: 'ann', password: 'secret' })
  await app.models.get('Shop').create({ code: 's' })
  await app.models.get('Good').create({ code: 'g', shopCode: 's' })
  return app
}

const fromBase64 = (text: string): InjectOptions => ({
  url: '/api/Secrets',
  headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
})
const login = (payload: object): InjectOptions => ({ method: 'POST', url: '/api/Customers/login', payload })

/** Requests that look for what they name; `text` is a secret or an id that nothing has. */
const lookups = (text: string): readonly InjectOptions[] => {
  const written = encodeURIComponent(text)
  return [
    fromBase64(`${text}:x`),
    fromBase64(`x:${text}x`),
    { url: `/api/Secrets?access_token=${written}` },
    { url: `/api/Notes?access_token=${written}` },
    { method: 'POST', url: `/api/Customers/logout?access_token=${written}` },
    login({ email: `${text}@shop.org`, password: 'secret' }),
    login({ username: text, password: 'secret' }),
    login({ username: `ann${text}`, password: 'secret' }),
    login({ username: 'ann', password: text }),
    { method: 'POST', url: '/api/Customers/reset', payload: { email: `${text}@shop.org` } },
    { url: `/api/Customers/confirm?uid=1&token=${written}&redirect=/` },
    { url: `/api/Customers/confirm?uid=${written}&token=x&redirect=/` },
    { url: `/api/Goods/${written}` },
    { method: 'HEAD', url: `/api/Goods/${written}` },
    { url: `/api/Goods/${written}/exists` },
    { method: 'PATCH', url: `/api/Goods/${written}`, payload: { name: 'x' } },
    { method: 'POST', url: `/api/Goods/${written}/replace`, payload: { name: 'x' } },
    { method: 'DELETE', url: `/api/Goods/${written}` },
    { url: `/api/Goods/${written}/shop` },
    { url: `/api/Shops/${written}/goods` },
    { url: `/api/Shops/s/goods/${written}` },
    { method: 'PUT', url: `/api/Shops/s/goods/${written}`, payload: { name: 'x' } },
    { method: 'DELETE', url: `/api/Shops/s/goods/${written}` },
    { method: 'POST', url: `/api/Shops/${written}/goods`, payload: { code: 'new' } },
    { url: `/api/Goods?filter=${encodeURIComponent(JSON.stringify({ where: { shopCode: text }, include: 'shop' }))}` },
    { url: `/api/Goods?filter=${encodeURIComponent(JSON.stringify({ where: { shopCode: { inq: [text] } } }))}` },
    { url: `/api/Goods/count?where=${encodeURIComponent(JSON.stringify({ code: { like: `%${text}%` } }))}` },
    { method: 'POST', url: `/api/Goods/update?where={"code":${encodeURIComponent(JSON.stringify(text))}}`, payload: {} }
  ]
}

/** What nothing that is stored has; the first one is an ordinary text. */
const unknown = ['zzz', 'a\0b', '\0', '\0zzz', '%ED%A0%80', 'a\ufffdb']

for (const { name, skip, open } of await databases()) {
  t.test(`${name}: a secret or id with an odd character is unknown like any other`, { skip }, async (t) => {
    const { connector, drop } = await open()
    t.teardown(drop)
    const app = await start(t, connector)
    const answers = async (text: string): Promise<string[]> => {
      const found: string[] = []
      for (const request of lookups(text)) {
        const { statusCode, body } = await app.inject(request)
        const code = /"code":"(\w+)"/.exec(body)?.[1] ?? ''
        found.push(`${request.method ?? 'GET'} ${String(request.url).split('?', 1)[0] ?? ''} ${statusCode} ${code}`)
      }
      return found.map((each) => each.replaceAll(encodeURIComponent(text), '…'))
    }
    const [ordinary = '', ...odd] = unknown
    const wanted = await answers(ordinary)
    t.notOk(wanted.some((each) => / 5\d\d /.test(each)))
    for (const text of odd) t.strictSame(await answers(text), wanted, encodeURIComponent(text))
    t.equal(await app.models.get('Good').count(), 1)
  })
}

const grant = (grant_type: string, more: Record<string, string>) => ({ grant_type, redirect_uri: callback, ...more })

for (const { name, skip, open } of await databases()) {
  t.test(`${name}: no parameter of OAuth with an odd character is a failure`, { skip }, async (t) => {
    const { connector, drop } = await open()
    t.teardown(drop)
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(modelwire, { dataSources: { db: connector } })
    const session = { secret: 'a secret of tests that is long enough' }
    const supportedGrantTypes = [
      'authorizationCode' as const,
      'refreshToken' as const,
      'clientCredentials' as const,
      'resourceOwnerPasswordCredentials' as const
    ]
    const options = { session, supportedGrantTypes, rateLimit: false, ...userFunctions } as const
    await app.register(oauth2, { issuer: 'https://as.example', ...options })
    await app.ready()
    await migrate(app.models, { empty: true })
    const client = await addClient(app)
    for (const text of unknown.slice(1)) {
      const sent = [
        post(app, '/oauth/token', grant('authorization_code', { code: text }), basic(client)),
        post(app, '/oauth/token', grant('refresh_token', { refresh_token: text }), basic(client)),
        post(app, '/oauth/token', grant('client_credentials', {}), basic({ id: text, secret: 'x' })),
        post(app, '/oauth/token', grant('client_credentials', {}), basic({ ...client, secret: text })),
        post(app, '/oauth/token', grant('client_credentials', { client_id: text, client_secret: 'x' })),
        post(app, '/oauth/token', grant('password', { username: text, password: 'x' }), basic(client)),
        post(app, '/oauth/token', grant('password', { username: 'bob', password: text }), basic(client)),
        app.inject(`/oauth/authorize?response_type=code&client_id=${encodeURIComponent(text)}`)
      ]
      for (const answer of await Promise.all(sent)) {
        t.ok([400, 401].includes(answer.statusCode), `${answer.statusCode} ${answer.body}`)
        t.match(answer.json(), { error: String })
      }
      for (const path of ['introspect', 'revoke']) {
        const { statusCode } = await post(app, `/oauth/${path}`, { token: text }, basic(client))
        t.ok([200, 400].includes(statusCode), `${path} ${statusCode}`)
      }
    }
  })
}
