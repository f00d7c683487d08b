import type { MethodSpec } from '@modelwire/core'
import { type ConnectorMethod, type ConnectorMethods, type ModelType, nameOfRecords } from '@modelwire/core/connector'
import { keyValueMethods } from '@modelwire/key-value'
import { isDataAccess } from '../juggler/data-access.ts'
import { type AnyFunction, type Driver, functionsOf, isFunction, partOf } from '../juggler/driver.ts'
import { keyValueAccess } from '../juggler/key-value-access.ts'
import type { ModelFacade } from '../juggler/model-facade.ts'
import { callWithCallback, firstResult } from '../juggler/with-callback.ts'
import { KeyValueDriver } from './key-value-driver.ts'

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

/** The methods that a connector gives to a model; functions of the model have its facade as `this`. */
export function driverMethods(driver: Driver, model: ModelType, facade: ModelFacade): ConnectorMethods {
  const access = accessOf(driver)
  if (access === keyValueAccess) return keyValueMethods(new KeyValueDriver(driver), model)
  const methods = ownOf(access).map(([name, fn]) => [name, offer(fn, (...args) => fn.apply(facade, args))] as const)
  const ofRecords = ownOf(partOf(access, 'prototype')).map(
    ([name, fn]) => [nameOfRecords(name), offer(fn, fn)] as const
  )
  return Object.fromEntries([...methods, ...ofRecords])
}

const ownOf = (access: unknown): readonly (readonly [string, AnyFunction])[] =>
  functionsOf(access).filter(([, fn]) => !isDataAccess(fn))

/** LB3: a method that declares nothing about HTTP is a POST of its own name. */
function offer(fn: AnyFunction, run: AnyFunction): ConnectorMethod {
  if (partOf(fn, 'shared') !== true) return { run }
  const declared = ['http', 'description', 'notes']
    .map((part) => [part, partOf(fn, part)] as const)
    .filter(([, value]) => value !== undefined)
  const remote: MethodSpec = {
    accepts: partOf(fn, 'accepts') ?? [],
    returns: partOf(fn, 'returns') ?? [],
    ...Object.fromEntries(declared)
  }
  return { run: forClients(run), remote }
}

/** Many shared functions know callbacks alone: without one the caller gets a promise. */
const forClients = (run: AnyFunction): AnyFunction =>
  function (this: unknown, ...args) {
    return isFunction(args.at(-1)) ? run.apply(this, args) : firstResult(callWithCallback(run, this, args))
  }
