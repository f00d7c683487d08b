import { randomUUID } from 'node:crypto'
import type { AccessRule, ModelDefinition } from '@modelwire/core'

/** Type of the ids of users. */
export type UserIdType = 'string' | 'number'

/** What definitions of these models depend on. */
export interface ModelFacts {
  readonly userId: UserIdType
  /** Access control protects them: they may have routes. */
  readonly isPublic: boolean
}

/** Name of the model of endpoints. */
export const endpointModelName = 'WebhookEndpoint'
/** Name of the model of deliveries. */
export const deliveryModelName = 'WebhookDelivery'
/** Name of the model of cursors. */
export const cursorModelName = 'WebhookCursor'

/** The role that may use endpoints and deliveries. */
export const administrators = 'admin'

/** Clients may do nothing, but for administrators. */
const rules: readonly AccessRule[] = [
  { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
  { principalType: 'ROLE', principalId: administrators, permission: 'ALLOW' }
]

const share = (...names: readonly string[]) => ({
  sharedMethods: { '*': false, ...Object.fromEntries(names.map((name) => [name, true])) }
})

const key = { type: 'string', id: true, generated: false, length: 64 } as const
const readOnlyDate = { type: 'date', readOnly: true } as const

const endpointModel = ({ userId, isPublic }: ModelFacts): ModelDefinition => ({
  name: endpointModelName,
  public: isPublic,
  holdsSecrets: true,
  forceId: false,
  strict: true,
  properties: {
    id: { ...key, defaultFn: () => `ep_${randomUUID().replaceAll('-', '')}` },
    url: { type: 'string', required: true, length: 2048 },
    description: { type: 'string', length: 1024 },
    models: { type: ['string'], description: 'names of models; all that have a log when absent' },
    kinds: { type: ['string'], description: 'created, updated, deleted; all when absent' },
    condition: { type: 'object', description: 'a `where` that records have to match' },
    headers: { type: 'object', description: 'sent with each message; not shown' },
    enabled: { type: 'boolean', default: true },
    ordered: { type: 'boolean', default: false, description: 'messages about a record come one after the other' },
    secret: { type: 'string', length: 512 },
    previousSecret: { type: 'string', length: 512, readOnly: true },
    previousSecretUntil: readOnlyDate,
    userId: { type: userId, fromCaller: 'userId', index: true, description: 'whose rights decide what is sent' },
    userModel: { type: 'string', length: 128, fromCaller: 'userModel' },
    failingSince: readOnlyDate,
    disabledReason: { type: 'string', length: 512, readOnly: true },
    createdAt: { ...readOnlyDate, defaultFn: 'now' }
  },
  hidden: ['secret', 'previousSecret', 'headers'],
  acls: [...rules],
  remoting: share(
    'create',
    'find',
    'findById',
    'count',
    'prototype.patchAttributes',
    'deleteById',
    'prototype.test',
    'prototype.rotateSecret'
  )
})

const deliveryModel = ({ userId, isPublic }: ModelFacts): ModelDefinition => ({
  name: deliveryModelName,
  plural: 'WebhookDeliveries',
  public: isPublic,
  forceId: false,
  strict: true,
  properties: {
    id: { ...key, description: 'the `webhook-id` of the message' },
    endpointId: { type: 'string', length: 64, index: true },
    userId: { type: userId, index: true, description: 'of the endpoint' },
    sequence: { type: 'number', description: 'grows in the order of the log' },
    orderKey: { type: 'string', length: 64, description: 'stands for the record, where its deliveries are ordered' },
    type: { type: 'string', length: 255 },
    payload: { type: 'string', postgresql: { dataType: 'text' }, mysql: { dataType: 'longtext' } },
    state: { type: 'string', length: 16, description: 'pending, delivered or dead' },
    attempts: { type: 'number', default: 0 },
    firstAttempt: { type: 'number', default: 0, description: 'attempts before it was sent again by hand' },
    nextAttemptAt: { type: 'date' },
    status: { type: 'number', description: 'of the last answer' },
    error: { type: 'string', length: 512 },
    createdAt: { type: 'date', defaultFn: 'now' },
    finishedAt: { type: 'date', index: true }
  },
  indexes: {
    webhook_delivery_due: { keys: { state: 1, nextAttemptAt: 1 } },
    webhook_delivery_order: { keys: { orderKey: 1, state: 1, sequence: 1 } }
  },
  acls: [...rules],
  remoting: share('find', 'findById', 'count', 'prototype.retry')
})

const cursorModel: ModelDefinition = {
  name: cursorModelName,
  public: false,
  forceId: false,
  properties: {
    id: { type: 'string', id: true, generated: false, length: 128, description: 'data source' },
    position: { type: 'string', length: 1024 },
    count: { type: 'number', description: 'deliveries so far' },
    holder: { type: 'string', length: 64, description: 'process that reads the log' },
    leaseUntil: { type: 'date' }
  }
}

/** The models of webhooks, in an order in which they can be defined. */
export function webhookModels(facts: ModelFacts): readonly ModelDefinition[] {
  return [endpointModel(facts), deliveryModel(facts), cursorModel]
}
