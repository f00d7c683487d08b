import type { MethodSpec, ModelDefinition, ModelRegistry, OperationContext } from '@modelwire/core'
import { compileMethod, isOfModel, lineageOf, type Operation } from '@modelwire/core/plugin'
import { type ModelType, type Connector, type ConnectorMethods, noRecords } from '@modelwire/core/connector'
import { KeyNotFound } from './errors.ts'
import { keyValueMethods } from './key-value-methods.ts'

/** A data source of keys and values: models that are attached to it have the methods of a key-value model, and no records. */
export abstract class KeyValueConnector implements Connector {
  abstract readonly name: string
  readonly capabilities = noRecords.capabilities
  readonly #store: KeyValueStore

  constructor(store: KeyValueStore) {
    this.#store = store
  }

  abstract connect(): Promise<void>
  abstract disconnect(): Promise<void>
  abstract ping(): Promise<void>

  readonly collection = noRecords.collection

  methods(model: ModelType): ConnectorMethods {
    return keyValueMethods(this.#store, model)
  }
}

/** The store of models' keys and values. */
export interface KeyValueStore {
  /** null if the key has no value. */
  get(model: string, key: string): Promise<unknown>
  /** `ttl` is in milliseconds; undefined keeps the value until it is deleted. */
  set(model: string, key: string, value: unknown, ttl: number | undefined): Promise<void>
  /** False if the key has no value. */
  expire(model: string, key: string, ttl: number): Promise<boolean>
  /** Milliseconds; undefined if the value does not expire, null if there is none. */
  ttl(model: string, key: string): Promise<number | undefined | null>
  delete(model: string, key: string): Promise<void>
  deleteAll(model: string): Promise<void>
  /** The keys of a model that match a pattern: `*`, `?`, `[ab]`, `[^ab]`, `[a-z]`, and `\` before a literal character. */
  keys(model: string, match: string | undefined): AsyncIterable<string>
}

const name = 'KeyValueModel'

/** The base of models whose records are values by key. Attach those that extend it to a key-value store. */
export const keyValueModel: ModelDefinition = { name, base: 'Model', public: false, dataSource: null }

const key = { arg: 'key', type: 'string', required: true, http: { source: 'path' } }
const root = (arg: string, type: unknown): object => ({ arg, type, root: true })

/** @see LoopBack 3: loopback, common/models/key-value-model.js */
const remote: Readonly<Record<string, MethodSpec>> = {
  get: {
    description: 'Get the value of a key',
    accepts: key,
    returns: root('value', 'any'),
    http: { path: '/:key', verb: 'get' }
  },
  set: {
    description: 'Set the value of a key',
    accepts: [
      key,
      { arg: 'value', type: 'any', required: true, http: { source: 'body' } },
      { arg: 'ttl', type: 'number', http: { source: 'query' }, description: 'time to live in milliseconds' }
    ],
    http: { path: '/:key', verb: 'put' }
  },
  expire: {
    description: 'Set the remaining time to live of a key',
    accepts: [
      key,
      {
        arg: 'ttl',
        type: 'number',
        required: true,
        http: { source: 'form' },
        description: 'time to live in milliseconds'
      }
    ],
    http: { path: '/:key/expire', verb: 'put' }
  },
  ttl: {
    description: 'Get the remaining time to live of a key in milliseconds',
    accepts: key,
    returns: root('value', 'any'),
    http: { path: '/:key/ttl', verb: 'get' }
  },
  keys: {
    description: 'List the keys',
    accepts: { arg: 'filter', type: 'object', required: false, http: { source: 'query' } },
    returns: root('keys', ['string']),
    http: { path: '/keys', verb: 'get' }
  }
}

/** Clients get a 404 for a key without a value; code gets null. */
function refusingNothing(operation: Operation): Operation {
  const invoke = async (context: OperationContext): Promise<unknown> => {
    const value: unknown = await operation.invoke(context)
    if (value !== null) return value
    throw new KeyNotFound(`Unknown "${operation.model.name}" key ${JSON.stringify(context.args['key'])}.`)
  }
  return { ...operation, invoke }
}

/** The operations of a model, without those that its scripts declare anew. */
function operationsOf(model: ModelType): readonly Operation[] {
  const own = new Set(lineageOf(model).flatMap(({ methods }) => [...methods.specs.keys()]))
  return Object.entries(remote)
    .filter(([method]) => !own.has(method))
    .map(([method, spec]) => compileMethod(model, method, { ...spec, predefined: true }))
    .map((operation) => (operation.name === 'get' ? refusingNothing(operation) : operation))
}

/**
 * Defines the base model, unless it already exists, and adds its routes to all models that extend it. Call it before these
 * are defined.
 */
export function defineKeyValueModel(registry: ModelRegistry): void {
  if (registry.find(name) === undefined) registry.define(keyValueModel)
  registry.addOperationSource((model) => (isOfModel(model, name) ? operationsOf(model) : []))
}
