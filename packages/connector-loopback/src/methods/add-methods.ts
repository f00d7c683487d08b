import { KeyNotFound } from '../errors.ts'
import { type ModelType, nameOfRecords } from '@modelwire/core'
import { isDataAccess } from '../juggler/data-access.ts'
import { type AnyFunction, type Driver, functionsOf, partOf } from '../juggler/driver.ts'
import { keyValueAccess } from '../juggler/key-value-access.ts'
import type { ModelFacade } from '../juggler/model-facade.ts'

/** What LoopBack calls `DataAccessObject`: the methods that a connector gives to its models; undefined where it has none. */
const accessOf = (driver: Driver): unknown => partOf(driver, 'DataAccessObject')

/**
 * Whether models of a connector have records. One that gives models methods of its own has none, unless LoopBack's data access is among
 * them.
 */
export function hasDataAccess(driver: Driver): boolean {
  const access = accessOf(driver)
  return access === undefined || functionsOf(access).some(([, fn]) => isDataAccess(fn))
}

/** Gives a model the methods of its connector, and shares those that say so. What it has already is kept from the first time. */
export function addMethods(driver: Driver, model: ModelType, facade: ModelFacade): void {
  const access = accessOf(driver)
  for (const [name, fn] of functionsOf(access)) addStatic(model, facade, name, fn)
  for (const [name, fn] of functionsOf(partOf(access, 'prototype'))) addToRecords(model, name, fn)
  if (access === keyValueAccess) refuseUnknownKeys(model)
}

function addStatic(model: ModelType, facade: ModelFacade, name: string, fn: AnyFunction): void {
  if (isDataAccess(fn)) return
  const method: AnyFunction = function (...args) {
    return fn.apply(facade, args)
  }
  define(model.modelClass, name, method)
  share(model, name, fn)
}

function addToRecords(model: ModelType, name: string, fn: AnyFunction): void {
  if (isDataAccess(fn)) return
  define(model.modelClass.prototype, name, fn)
  share(model, nameOfRecords(name), fn)
}

function define(owner: object, name: string, value: AnyFunction): void {
  Object.defineProperty(owner, name, { value, configurable: true, writable: true })
}

/** LB3: a method that declares nothing about HTTP is a POST of its own name. */
function share(model: ModelType, name: string, fn: AnyFunction): void {
  if (partOf(fn, 'shared') !== true || model.methods.specs.has(name)) return
  const spec: Record<string, unknown> = { accepts: partOf(fn, 'accepts') ?? [], returns: partOf(fn, 'returns') ?? [] }
  for (const part of ['http', 'description', 'notes']) {
    const value = partOf(fn, part)
    if (value !== undefined) spec[part] = value
  }
  model.methods.declare(name, spec)
}

const guarded = new WeakSet<ModelType>()

/** LB3: over HTTP a key that does not exist is a 404; common/models/key-value-model.js, convertNullToNotFoundError. */
function refuseUnknownKeys(model: ModelType): void {
  const { remoteHooks, sealed } = model.registry
  if (guarded.has(model) || sealed) return
  guarded.add(model)
  remoteHooks.add('after', `${model.name}.get`, ({ result, args }) => {
    if (result === null) throw new KeyNotFound(`Unknown "${model.name}" key "${String(args['key'])}".`)
  })
}
