import { randomUUID } from 'node:crypto'
import type { AccessRule, ModelDefinition, ModelRegistry } from '@modelwire/core'
import { attachModels, modelByType } from '@modelwire/core/plugin'
import { InvalidOption } from '@modelwire/server'
import { InvalidDefinition } from '@modelwire/core/connector'

/** Type of the ids of users. */
export type UserIdType = 'string' | 'number'

/** The facts that definitions of these models depend on. */
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
    models: { type: ['string'], description: 'names of models; all that have a log by default' },
    kinds: { type: ['string'], description: 'created, updated, deleted; all by default' },
    condition: { type: 'object', description: 'a `where` that records must match' },
    headers: { type: 'object', description: 'sent with each message; not shown' },
    enabled: { type: 'boolean', default: true },
    ordered: { type: 'boolean', default: false, description: 'messages about a record are sent one after the other' },
    secret: { type: 'string', length: 512 },
    previousSecret: { type: 'string', length: 512, readOnly: true },
    previousSecretUntil: readOnlyDate,
    userId: { type: userId, fromCaller: 'userId', index: true, description: 'user whose rights decide what is sent' },
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
    orderKey: { type: 'string', length: 64, description: 'identifies the record, if its deliveries are ordered' },
    type: { type: 'string', length: 255 },
    payload: { type: 'string', postgresql: { dataType: 'text' }, mysql: { dataType: 'longtext' } },
    state: { type: 'string', length: 16, description: 'pending, delivered or dead' },
    attempts: { type: 'number', default: 0 },
    firstAttempt: { type: 'number', default: 0, description: 'attempts before it was resent manually' },
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

/** How ids of users are stored beside endpoints: as the user model has them. */
function userIdType(registry: ModelRegistry): UserIdType {
  const model = modelByType(registry, 'User')
  const { type, generated } = model?.idProperty ?? {}
  const isNumber = type?.kind === 'number' || type?.kind === 'integer'
  const makesNumbers = generated === true && model?.dataSource?.connector.capabilities.generatedIdType === 'number'
  return isNumber || (type?.kind === 'any' && makesNumbers) ? 'number' : 'string'
}

/**
 * Defines the models that the application does not define itself, and attaches those without a data source.
 * @throws {InvalidOption} there are several data sources, and none is named
 * @throws {InvalidDefinition} one of the models logs its changes
 */
export function installModels(registry: ModelRegistry, dataSource: string | undefined): void {
  const facts = { userId: userIdType(registry), isPublic: registry.accessControl !== undefined }
  const definitions = webhookModels(facts)
  for (const definition of definitions) if (registry.find(definition.name) === undefined) registry.define(definition)
  // An application that has no administrators yet starts; until then no client may use the routes.
  registry.laterRoles.add(administrators)
  const names = definitions.map(({ name }) => name)
  attachModels(registry, names, dataSource)
  for (const model of names.map((name) => registry.typeOf(name)))
    if (model.logsChanges)
      throw new InvalidDefinition('models of webhooks cannot log their changes: each message would cause another one', {
        model: model.name,
        key: 'changeLog'
      })
  // An endpoint receives what its user may read, for as long as it is there: whoever may create one needs that right.
  registry.accessModels.add(endpointModelName)
  if (names.some((name) => registry.typeOf(name).dataSource === undefined))
    throw new InvalidOption('set the data source of the webhook models', { key: 'webhooks.dataSource' })
}
