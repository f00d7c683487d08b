import { Model, type ModelRegistry, ValidationError } from '@modelwire/core'
import { dataAccessMethods, registryOf, typeOfClass } from '@modelwire/core/plugin'
import { acceptCallback, isFunction, type ScriptFunction, splitCallback } from '../../callback-bridge.ts'
import { installMembers, memberOf, type MemberRow, rowsFor } from '../../script-members.ts'
import { joiningTransaction } from '../data-source/script-transaction.ts'
import { keepErrors } from './validations-view.ts'

type Method = (...args: unknown[]) => Promise<unknown>

/** Calls back with several values; every other method has one. */
const severalResults: Readonly<Record<string, (value: unknown) => readonly unknown[]>> = {
  // core gives the record and whether it was created
  findOrCreate: (value) => [value].flat()
}

/** Names under which scripts know a method of records besides those that core has. */
const instanceAliases: Readonly<Record<string, string>> = { patch: 'patchAttributes' }

/** Where the filter or condition of a read is among its arguments. */
const conditionOfReads: Readonly<Record<string, number>> = { find: 0, findOne: 0, count: 0, findById: 1 }

/** Lets all data access of a class and its records accept a callback as the last argument. */
export function addCallbackStyle(target: typeof Model): void {
  installMembers(
    target,
    rowsFor(dataAccessMethods.ofModels, (name) => [name, 'value', bridged(Model, name)])
  )
  const ofRecords = dataAccessMethods.ofRecords.map((name) => [name, 'value', bridged(Model.prototype, name)] as const)
  const aliases = Object.entries(instanceAliases).map(([alias, name]): MemberRow<Model> => {
    return [alias, 'method', (record, ...args) => readMethod(record, name).apply(record, args)]
  })
  installMembers(target.prototype, [...ofRecords, ...aliases])
  const create = readMethod(target, 'create')
  installMembers<typeof Model>(target, [
    ['findOrCreate', 'value', findOrCreateByData(readMethod(target, 'findOrCreate'))],
    ['create', 'method', (model, ...args) => createReturning(model, create, args)]
  ])
}

/** Lets a method of a record leave in `errors` what it was refused with. */
function keepingErrors(method: Method): Method {
  return async function (this: Model, ...args) {
    try {
      const written = await method.apply(this, args)
      keepErrors(this, undefined)
      return written
    } catch (error) {
      if (error instanceof ValidationError) keepErrors(this, error)
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
  const core = readMethod(owner, name)
  const asked: Method = async function (this: unknown, ...args) {
    return core.apply(this, args)
  }
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
  const type = typeOfClass(typeof self === 'function' ? self : memberOf(self, 'constructor'))
  if (type !== undefined) return registryOf(type)
  throw new TypeError('data access must be called on a model or a record')
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

/** @throws {TypeError} neither core nor the script has a method of this name */
function readMethod(owner: unknown, name: string): ScriptFunction {
  const method = memberOf(owner, name)
  if (isFunction(method)) return method
  throw new TypeError(`${name} is not a function`)
}
