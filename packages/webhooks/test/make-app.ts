import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, modelwire, type Principal } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { webhooks, type WebhooksOptions } from '#src/index.ts'
import { keepLog, type MemoryLog } from './memory-log.ts'

export const rule = (principalId: string, permission: 'ALLOW' | 'DENY', more: object = {}) => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...more
})

/** Notes of users: each reads its own, and neither the secret nor the price. */
export const noteModel: ModelDefinition = {
  name: 'Note',
  public: true,
  properties: {
    id: { type: 'number', id: true, generated: false },
    text: 'string',
    secret: 'string',
    price: 'number',
    userId: 'number'
  },
  hidden: ['secret'],
  acls: [
    rule('$everyone', 'DENY'),
    rule('$authenticated', 'ALLOW', { rows: '$owner', fields: { except: ['price'] } }),
    rule('admin', 'ALLOW')
  ]
}

/** How the server of a test differs. */
export interface Setting {
  readonly models?: readonly ModelDefinition[]
  readonly connector?: Connector
  readonly logs?: (text: string) => void
  readonly withAcl?: boolean
  readonly idempotency?: boolean
  /** Names of the models with a log; all when absent. */
  readonly logged?: readonly string[]
}

/** Short times, and a receiver at an address of this machine. */
export const quick: WebhooksOptions = {
  secret: 'a secret of tests alone, 32 characters or more',
  allowedHosts: ['127.0.0.1'],
  retries: [0.02, 0.02, 0.02],
  interval: 0.05,
  lease: 1
}

/** A server with notes, and with users 1 and 2, whose callers name themselves in the header `user`; `boss` is an administrator. */
export interface App {
  readonly app: FastifyInstance
  readonly log: MemoryLog
}

const streamTo = (logs: Setting['logs']) => logs && { logger: { level: 'trace', stream: { write: logs } } }

/** Makes the server, which is closed with the test. */
export async function makeApp(t: Test, options: WebhooksOptions = {}, setting: Setting = {}): Promise<App> {
  const {
    models = [noteModel],
    connector = memory({ transactions: true }),
    logs,
    withAcl = true,
    idempotency = false,
    logged
  } = setting
  const app = Fastify(streamTo(logs) ?? {})
  t.teardown(async () => app.close())
  const users = { name: 'User', properties: { id: { type: 'number', id: true, generated: false } } }
  await app.register(modelwire, { dataSources: { db: connector }, models: [users, ...models], purgeInterval: 0.1 })
  const log = keepLog(app.models, logged ?? models.map(({ name }) => name))
  if (withAcl) {
    await app.register(acl, {})
    for (const name of ['ACL', 'Role', 'RoleMapping']) app.models.attach(name, 'db')
    app.access.registerRole('admin', ({ principal }) => principal?.userId === 9)
  }
  app.addHook('onRequest', async (request) => {
    const { user, client, model } = request.headers
    if (user === undefined && client === undefined) return
    const principal: Principal =
      user === undefined ? { appId: client } : { userId: Number(user), ...(model && { userModel: String(model) }) }
    request.principal = principal
    request.accessToken = principal
  })
  await app.register(relations)
  await app.register(webhooks, { ...quick, ...options })
  await app.register(rest, { prefix: '/api', idempotency })
  await app.ready()
  await app.models.get('User').create([{ id: 1 }, { id: 2 }, { id: 9 }])
  return { app, log }
}

/** The states of all deliveries, in the order of the log. */
export async function statesOf({ app }: App): Promise<readonly string[]> {
  const found = await app.models.get('WebhookDelivery').find({ order: 'sequence ASC' })
  return found.map(({ state }) => String(state))
}
