import { type MethodSpec, NotImplemented } from '@modelwire/core'
import { type ConnectorMethods, type ModelType, nameOfRecords } from '@modelwire/core/connector'
import { keyValueMethods, type KeyValueStore } from '@modelwire/key-value'
import {
  isDataAccess,
  type AnyFunction,
  type Driver,
  functionsOf,
  isFunction,
  partOf,
  keyValueAccess,
  methodOf
} from '../juggler/driver.ts'
import type { ModelFacade } from '../juggler/model-facade.ts'
import { callWithCallback, firstResult } from '../juggler/with-callback.ts'

/**
 * A key-value connector of LoopBack as a store.
 * @see LoopBack 3, loopback-datasource-juggler, lib/kvao and lib/connectors/kv-memory.js
 */
class KeyValueDriver implements KeyValueStore {
  readonly #driver: Driver

  constructor(driver: Driver) {
    this.#driver = driver
  }

  async get(model: string, key: string): Promise<unknown> {
    return (await this.#call('get', model, key, {})) ?? null
  }

  async set(model: string, key: string, value: unknown, ttl: number | undefined): Promise<void> {
    await this.#call('set', model, key, value, ttl === undefined ? {} : { ttl })
  }

  /** A connector refuses a key that it does not know by an error of its own. */
  async expire(model: string, key: string, ttl: number): Promise<boolean> {
    await this.#call('expire', model, key, ttl, {})
    return true
  }

  async ttl(model: string, key: string): Promise<number | undefined | null> {
    const left = await this.#call('ttl', model, key, {})
    return typeof left === 'number' ? left : undefined
  }

  async delete(model: string, key: string): Promise<void> {
    await this.#call('delete', model, key, {})
  }

  async deleteAll(model: string): Promise<void> {
    if (methodOf(this.#driver, 'deleteAll') !== undefined) await this.#call('deleteAll', model, {})
    else for await (const key of this.keys(model, undefined)) await this.delete(model, key)
  }

  async *keys(model: string, match: string | undefined): AsyncIterable<string> {
    const iterator = this.#method('iterateKeys').call(this.#driver, model, match === undefined ? {} : { match }, {})
    const next = methodOf(iterator, 'next')
    if (next === undefined) throw lacking('an iterator of keys')
    for (;;) {
      const [key] = await callWithCallback(next, iterator, [])
      if (typeof key !== 'string') return
      yield key
    }
  }

  async #call(name: string, ...args: readonly unknown[]): Promise<unknown> {
    const [result] = await callWithCallback(this.#method(name), this.#driver, args)
    return result
  }

  #method(name: string): NonNullable<ReturnType<typeof methodOf>> {
    const method = methodOf(this.#driver, name)
    if (method === undefined) throw lacking(name)
    return method
  }
}

const lacking = (what: string): NotImplemented => new NotImplemented(`the connector has no ${what}`)

/** What LoopBack calls `DataAccessObject`: the methods that a connector gives to its models; undefined where it has none. */
const accessOf = (driver: Driver): unknown => partOf(driver, 'DataAccessObject')

/**
 * Whether models of a connector have records. A connector that adds its own methods to models has none, unless they include
 * LoopBack's data access.
 */
export function hasDataAccess(driver: Driver): boolean {
  const access = accessOf(driver)
  return access === undefined || functionsOf(access).some(([, fn]) => isDataAccess(fn))
}

/** The methods that a connector adds to a model; functions of the model have its facade as `this`. */
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
function offer(fn: AnyFunction, run: AnyFunction): ConnectorMethods[string] {
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
