import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { explorer } from '@modelwire/explorer'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { users } from '@modelwire/users'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'

const register: Readonly<Record<string, (app: FastifyInstance) => PromiseLike<unknown>>> = {
  core: (app) => app.register(modelwire, { dataSources: { db: memory() }, models: [{ name: 'Book', public: true }] }),
  relations: (app) => app.register(relations),
  acl: (app) => app.register(acl),
  users: (app) => app.register(users),
  rest: (app) => app.register(rest),
  explorer: (app) => app.register(explorer)
}

const missing = 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED'
const cases: readonly (readonly [code: string, ...order: string[]])[] = [
  [missing, 'rest'],
  [missing, 'relations'],
  [missing, 'acl'],
  [missing, 'explorer'],
  [missing, 'core', 'users'],
  ['API_NOT_MOUNTED', 'core', 'explorer', 'rest'],
  ['REGISTRY_SEALED', 'core', 'rest', 'relations'],
  ['REGISTRY_SEALED', 'core', 'rest', 'acl'],
  ['REGISTRY_SEALED', 'core', 'acl', 'rest', 'users'],
  ['OPTION_INVALID', 'core', 'core']
]

for (const [code, ...order] of cases) {
  t.test(`${order.join(', then ')} is ${code}`, async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    await t.rejects(
      async () => {
        for (const name of order) await register[name]?.(app)
        await app.ready()
      },
      { code }
    )
  })
}
