import { Model, type ModelRegistry, ValidationError } from '@modelwire/core'
import { dataAccessMethods, registryOf } from '@modelwire/core/plugin'
import { acceptCallback, type ScriptFunction, splitCallback } from '../../callback-bridge.ts'
import { joiningTransaction } from '../data-source/script-transaction.ts'
import { keepErrors } from './validity.ts'

type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>

/** Calls back with several values; every other method has one. */
const severalResults: Readonly<Record<string, (value: unknown) => readonly unknown[]>> = {
  // core gives the record and whether it was created
  findOrCreate: (value) => value as readonly unknown[]
}

/** Names under which scripts know a method of records besides those that core has. */
const instanceAliases: Readonly<Record<string, string>> = { patch: 'patchAttributes' }

/** Where the filter or condition of a read is among its arguments. */
const conditionOfReads: Readonly<Record<string, number>> = { find: 0, findOne: 0, count: 0, findById: 1 }

/** Lets all data access of a class and its records take a callback as last argument. */
export function addCallbackStyle(target: typeof Model): void {
  for (const name of dataAccessMethods.ofModels) setMethod(target, name, bridged(Model, name))
  for (const name of dataAccessMethods.ofRecords) setMethod(target.prototype, name, bridged(Model.prototype, name))
  for (const [alias, name] of Object.entries(instanceAliases)) {
    setMethod(target.prototype, alias, function (this: unknown, ...args: unknown[]) {
      return readMethod(this, name).apply(this, args)
    })
  }
  setMethod(target, 'findOrCreate', findOrCreateByData(readMethod(target, 'findOrCreate')))
  const create = readMethod(target, 'create')
  setMethod(target, 'create', function (this: unknown, ...args: unknown[]) {
    return createReturning(this as typeof Model, create, args) // the class that the script called it on
  })
}

/** Lets a method of a record leave in `errors` what it was refused with. */
function keepingErrors(method: Method): Method {
  return async function (this: unknown, ...args) {
    const record = this as Model // called on a record
    try {
      const written = await method.apply(record, args)
      keepErrors(record, undefined)
      return written
    } catch (error) {
      if (error instanceof ValidationError) keepErrors(record, error)
      throw error
    }
  }
}

/** LB3: `count('')` counts all records, as `count()` does; lib/dao.js, `where = where || {}` */
function withoutCondition(method: Method, place: number | undefined): Method {
  if (place === undefined) return method
  return function (this: unknown, ...args) {
    return method.apply(
      this,
      args.map((arg, index) => (index === place && !arg ? undefined : arg))
    )
  }
}

function bridged(owner: object, name: string): ScriptFunction {
  const asked = readMethod(owner, name) as Method // core's data access is all promises
  const written = withoutCondition(asked, owner === Model ? conditionOfReads[name] : undefined)
  const method = joiningTransaction(owner === Model.prototype ? keepingErrors(written) : written)
  return acceptCallback(onceOpen(method), severalResults[name])
}

/** LB3: one object is both what is looked for and what is created; lib/dao.js, findOrCreate */
function findOrCreateByData(method: ScriptFunction): ScriptFunction {
  return function (this: unknown, ...values: unknown[]): unknown {
    const { args, callback } = splitCallback(values)
    const [data] = args
    if (args.length !== 1) return method.apply(this, values)
    const found = [{ where: data }, data]
    return method.apply(this, callback === undefined ? found : [...found, callback])
  }
}

/** Scripts go on while the data sources are opened: their calls wait meanwhile. */
function onceOpen(method: Method): Method {
  return async function (this: unknown, ...args) {
    const { opening } = modelRegistryOf(this)
    if (opening !== undefined) await opening
    return method.apply(this, args)
  }
}

function modelRegistryOf(self: unknown): ModelRegistry {
  const owner: unknown = typeof self === 'function' ? self : Reflect.get(Object(self), 'constructor')
  return registryOf((owner as typeof Model).modelType) // data access is called on models and their records
}

/** LB3: in version 2 `create` with a callback returns the record, or the records, at once. */
function createReturning(model: typeof Model, create: ScriptFunction, args: readonly unknown[]): unknown {
  const { callback } = splitCallback(args)
  if (callback === undefined || !model.modelType.registry.rules.createReturnsInstance)
    return create.apply(model, [...args])
  const [data, ...others] = args.length === 1 ? [undefined, ...args] : args
  const made = Array.isArray(data) ? data.map((item: unknown) => build(model, item)) : build(model, data)
  create.apply(model, [made, ...others])
  return made
}

function build(model: typeof Model, data: unknown): Model {
  return data instanceof model ? data : new model((data ?? {}) as Record<string, unknown>) // core refuses data that is not an object
}

function readMethod(owner: unknown, name: string): ScriptFunction {
  return (owner as Record<string, ScriptFunction>)[name] as ScriptFunction // names of core's own methods
}

function setMethod(owner: object, name: string, value: ScriptFunction): void {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true })
}
