import { memory } from '@modelwire/connector-memory'
import { type CoreOptions, type ModelDefinition, modelwire, type Principal } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { relations } from '@modelwire/relations'
import { rest, type RestOptions } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { acl, type AclOptions } from '#src/index.ts'

/** Rules in short: whom, what is permitted, which methods. */
export const rule = (principalId: string, permission: string, more: object = {}): object => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...more
})

/** Nobody may do what no other rule permits. */
export const deny: object = rule('$everyone', 'DENY')

/** How the server of a test differs. */
interface Setting {
  readonly connector?: Connector
  readonly compat?: boolean
  readonly users?: ModelDefinition
  readonly changeStreams?: CoreOptions['changeStreams']
  readonly idempotency?: boolean
  readonly streams?: RestOptions['streams']
  /** Runs before the routes are mounted. */
  readonly prepare?: (app: FastifyInstance) => unknown
}

const plainUsers: ModelDefinition = { name: 'User', properties: { name: 'string' } }

/** Shares the methods that change or delete many records at once, which are not public by themselves. */
function sharingMany(models: readonly ModelDefinition[]): Record<string, boolean> {
  const names = models.flatMap(({ relations: related }) => Object.keys(related ?? {}))
  return Object.fromEntries(
    ['updateAll', ...names.map((name) => `prototype.__delete__${name}`)].map((name) => [name, true])
  )
}

/** A server with these models, whose callers name themselves in the headers `user` and `client`; closed with the test. */
export async function makeApp(
  t: Test,
  models: readonly ModelDefinition[],
  options: AclOptions = {},
  {
    connector = memory(),
    compat = false,
    users = plainUsers,
    changeStreams,
    idempotency = false,
    streams = {},
    prepare
  }: Setting = {}
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: connector },
    models: [users, ...models.map((model) => ({ public: true, ...model }))],
    compat,
    ...(changeStreams && { changeStreams })
  })
  await app.register(acl, options)
  app.addHook('onRequest', async (request) => {
    const { user, scopes, client } = request.headers
    if (user === undefined && client === undefined) return
    const principal: Principal = {
      ...(user === undefined ? {} : { userId: Number(user) }),
      ...(client === undefined ? {} : { appId: client }),
      ...(scopes === undefined ? {} : { scopes: String(scopes).split(' ') })
    }
    request.principal = principal
    request.accessToken = principal
  })
  await app.register(relations)
  await prepare?.(app)
  await app.register(rest, { prefix: '/api', sharedMethods: sharingMany(models), batch: true, idempotency, streams })
  return app
}

/** The status of a request, of the user with this id or of nobody. */
export async function statusOf(
  app: FastifyInstance,
  request: string,
  user?: number,
  payload?: object
): Promise<number> {
  const [method, url] = request.split(' ')
  const { statusCode } = await app.inject({
    method: method as 'GET', // tests name verbs
    url: `/api${url ?? ''}`,
    headers: user === undefined ? {} : { user: String(user) },
    ...(payload === undefined ? {} : { payload })
  })
  return statusCode
}
