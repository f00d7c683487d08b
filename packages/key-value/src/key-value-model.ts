import type { MethodSpec, ModelDefinition, ModelRegistry, OperationContext } from '@modelwire/core'
import { compileMethod, isOfModel, type ModelType, lineageOf, type Operation } from '@modelwire/core/plugin'
import { KeyNotFound } from './errors.ts'

const name = 'KeyValueModel'

/** The base of models whose records are values under keys. Attach those that extend it to a key-value store. */
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
    description: 'Set the time that a key has left',
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
    description: 'Get the milliseconds that a key has left',
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

/** Defines the base model, unless there is one, and gives its routes to all models that extend it. Call it before these are defined. */
export function defineKeyValueModel(registry: ModelRegistry): void {
  if (registry.find(name) === undefined) registry.define(keyValueModel)
  registry.addOperationSource((model) => (isOfModel(model, name) ? operationsOf(model) : []))
}
