import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { relations } from '@modelwire/relations'
import { rest, type RestOptions } from '@modelwire/rest'
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { users, type UsersOptions } from '#src/index.ts'

/** What an application of these tests is made of. */
export interface AppParts {
  readonly customer?: Partial<ModelDefinition>
  readonly models?: readonly ModelDefinition[]
  readonly users?: UsersOptions
  readonly server?: FastifyInstance
  readonly compat?: boolean
  readonly idempotency?: boolean
  readonly connector?: Connector
  readonly streams?: RestOptions['streams']
}

const everyone = { principalType: 'ROLE', principalId: '$everyone' }
const owner = { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW' } as const

const order: ModelDefinition = {
  name: 'Order',
  public: true,
  properties: { item: 'string' },
  relations: { customer: { type: 'belongsTo', model: 'Customer', foreignKey: 'customerId' } },
  acls: [{ ...everyone, permission: 'DENY' }, owner]
}

/** An application with customers, who are users, and their orders; closed with the test. */
export async function makeApp(t: Test, parts: AppParts = {}): Promise<FastifyInstance> {
  const app = parts.server ?? Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: parts.connector ?? memory() }, compat: parts.compat ?? false })
  await app.register(acl)
  await app.register(users, parts.users ?? {})
  const relation = { type: 'belongsTo', model: 'Customer', foreignKey: 'userId' }
  Object.assign(app.models.typeOf('AccessToken').definition.relations ?? {}, { user: relation })
  for (const name of ['AccessToken', 'Role', 'RoleMapping', 'ACL']) app.models.attach(name, 'db')
  const customer: ModelDefinition = {
    name: 'Customer',
    base: 'User',
    public: true,
    saltWorkFactor: 4,
    properties: { nick: 'string' },
    relations: { orders: { type: 'hasMany', model: 'Order', foreignKey: 'customerId' } },
    ...parts.customer
  }
  for (const definition of [customer, order, ...(parts.models ?? [])]) {
    app.models.define({ dataSource: 'db', ...definition })
    app.models.attach(definition.name, 'db')
  }
  await app.register(relations)
  const sharedMethods = { updateAll: true, 'prototype.__delete__orders': true }
  await app.register(rest, {
    prefix: '/api',
    sharedMethods,
    idempotency: parts.idempotency ?? false,
    streams: parts.streams ?? {}
  })
  return app
}

/** Somebody who is logged in. */
export interface Session {
  readonly id: number
  readonly token: string
  /** A request of this person. */
  readonly ask: (method: InjectOptions['method'], url: string, payload?: object) => Promise<LightMyRequestResponse>
}

const requestOf = (method: InjectOptions['method'], url: string, token?: string, payload?: object): InjectOptions => ({
  method: method ?? 'GET',
  url: `/api${url}`,
  ...(token === undefined ? {} : { headers: { authorization: token } }),
  ...(payload === undefined ? {} : { payload })
})

/** A request of nobody. */
export async function ask(
  app: FastifyInstance,
  method: InjectOptions['method'],
  url: string,
  payload?: object
): Promise<LightMyRequestResponse> {
  return app.inject(requestOf(method, url, undefined, payload))
}

/** Signs a customer up and logs in. */
export async function enter(app: FastifyInstance, email: string, more: object = {}): Promise<Session> {
  const made = await ask(app, 'POST', '/Customers', { email, password: 'secret', ...more })
  const login = await ask(app, 'POST', '/Customers/login', { email, password: 'secret' })
  const { id } = made.json<{ id: number }>()
  const token = login.json<{ id: string }>().id
  return { id, token, ask: async (method, url, payload) => app.inject(requestOf(method, url, token, payload)) }
}

/** The code of an error that was answered. */
export function codeOf(response: LightMyRequestResponse): unknown {
  return response.json<{ error?: { code?: unknown } }>().error?.code
}
