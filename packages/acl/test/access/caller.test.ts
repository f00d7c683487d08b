import { memory } from '@modelwire/connector-memory'
import { modelwire, type Principal } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { acl } from '#src/index.ts'
import { deny, makeApp, rule } from '../make-app.ts'

const models = (acls: object[]) => [
  {
    name: 'Book',
    plural: 'books',
    public: true,
    properties: { title: 'string' },
    relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } }
  },
  {
    name: 'Author',
    plural: 'authors',
    public: true,
    properties: { name: 'string' },
    relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } },
    acls
  }
]
const forBoss = [deny, rule('boss', 'ALLOW')]

async function fill(app: FastifyInstance): Promise<void> {
  await app.models.get('Author').create([{ name: 'a' }, { name: 'b' }])
  await app.models.get('Book').create([1, 2, 1, 2, 1].map((authorId) => ({ title: 'x', authorId })))
}

void t.test('a function that says who is in a role sees the token of a caller who includes', async (t) => {
  const app = await makeApp(t, models(forBoss))
  await fill(app)
  app.access.registerRole('boss', ({ accessToken }) => (accessToken as Principal | undefined)?.userId === 7)
  const statusOf = async (user: string): Promise<number> =>
    (await app.inject({ url: '/api/books?filter[include]=author', headers: { user } })).statusCode
  t.equal(await statusOf('7'), 200)
  t.equal(await statusOf('1'), 401)
})

/** A server whose callers are known by a hook of its own, which knows no tokens. */
async function makeOwn(t: Test, acls: object[]): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: models(acls) })
  await app.register(acl)
  app.addHook('onRequest', async (request) => {
    const { user } = request.headers
    if (user !== undefined) request.principal = { userId: Number(user) }
  })
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await fill(app)
  return app
}

const acls: [string, object[]][] = [
  ['what is for those who are known', [deny, rule('$authenticated', 'ALLOW')]],
  ['what is for one user', [deny, { principalType: 'USER', principalId: 1, permission: 'ALLOW' }]]
]

for (const [what, rules] of acls) {
  void t.test(`somebody whom a hook of the application names includes ${what}`, async (t) => {
    const app = await makeOwn(t, rules)
    for (const filter of ['{"include":"author"}', '{"where":{"author.name":"a"}}', '{"order":"author.name"}']) {
      const url = `/api/books?filter=${filter}`
      t.equal((await app.inject({ url, headers: { user: '1' } })).statusCode, 200, filter)
      t.equal((await app.inject(url)).statusCode, 401, filter)
    }
  })
}

void t.test('nobody includes by being known what is for strangers', async (t) => {
  const app = await makeOwn(t, [rule('$authenticated', 'DENY')])
  const url = '/api/books?filter[include]=author'
  t.equal((await app.inject({ url, headers: { user: '1' } })).statusCode, 401)
  t.equal((await app.inject(url)).statusCode, 200)
})

void t.test('a role is asked for once for each record of a request, and anew for the next one', async (t) => {
  const app = await makeApp(t, models([...forBoss]))
  await fill(app)
  const asked: unknown[] = []
  let isBoss = true
  app.access.registerRole('boss', async ({ method, modelId }) => {
    asked.push(`${method} ${String(modelId)}`)
    return isBoss
  })
  const url = '/api/books?filter={"include":{"author":{"books":"author"}}}'
  const headers = { user: '1' }
  t.equal((await app.inject({ url, headers })).statusCode, 200)
  t.strictSame(asked, ['findById 1', 'findById 2'])
  isBoss = false
  t.equal((await app.inject({ url, headers })).statusCode, 401)
  t.equal((await app.inject(url)).statusCode, 401)
  isBoss = true
  t.equal((await app.inject(url)).statusCode, 200, 'nothing is remembered of strangers')
})
