import { NotImplemented } from '@modelwire/core'
import { InvalidKeyValueArgument } from '../errors.ts'
import { type AnyFunction, isFunction, isObject, methodOf, partOf } from './driver.ts'
import { answer, callWithCallback, type Results } from './with-callback.ts'

// LB3: the methods of key-value stores, which their connectors take from loopback-datasource-juggler, lib/kvao.

type Work = (model: KeyValueModel, args: readonly unknown[]) => Promise<Results>

interface KeyValueModel {
  readonly name: string
  readonly connector: unknown
}

/** Has a function of `this` model that takes a callback as its last argument, or else returns a promise of the first result. */
function keyValueMethod(work: Work): AnyFunction {
  return function (this: unknown, ...given) {
    const last = given.at(-1)
    const model = modelOf(this)
    if (!isFunction(last)) return firstOf(work(model, given))
    void answer(last, work(model, given.slice(0, -1)))
    return undefined
  }
}

const firstOf = async (work: Promise<Results>): Promise<unknown> => (await work)[0]

function modelOf(model: unknown): KeyValueModel {
  return { name: String(partOf(model, 'modelName')), connector: methodOf(model, 'getConnector')?.call(model) }
}

async function call({ connector, name }: KeyValueModel, method: string, args: readonly unknown[]): Promise<Results> {
  const fn = methodOf(connector, method)
  if (fn === undefined) throw new NotImplemented(`the connector of ${name} has no ${method}`)
  return callWithCallback(fn, connector, [name, ...args])
}

function checkKey(key: unknown): string {
  if (typeof key === 'string' && key !== '') return key
  throw new InvalidKeyValueArgument('the key must be a non-empty string')
}

function checkTtl(ttl: unknown): number {
  if (typeof ttl === 'number' && ttl > 0) return ttl
  throw new InvalidKeyValueArgument('the ttl must be a number of milliseconds above 0')
}

const optionsOf = (options: unknown): object => (isObject(options) ? options : {})

/** The third argument of `set` is a number of milliseconds, or `{ ttl }`. */
function setOptions(options: unknown): object {
  const given = typeof options === 'number' ? { ttl: options } : optionsOf(options)
  const ttl = partOf(given, 'ttl')
  return ttl === undefined || ttl === null ? given : { ...given, ttl: checkTtl(ttl) }
}

/** An iterator with LoopBack's `next`: it calls back with the next key, and with undefined at the end. */
function iterateKeys(model: KeyValueModel, filter: unknown, options: unknown): { next: AnyFunction } {
  const start = methodOf(model.connector, 'iterateKeys')
  if (start === undefined) throw new NotImplemented(`the connector of ${model.name} has no iterateKeys`)
  const iterator = start.call(model.connector, model.name, optionsOf(filter), optionsOf(options))
  const next = methodOf(iterator, 'next')
  if (next === undefined) throw new NotImplemented(`the connector of ${model.name} has no iterator of keys`)
  const step = (): Promise<Results> => callWithCallback(next, iterator, [])
  return {
    next: (callback) => (isFunction(callback) ? void answer(callback, step()) : firstOf(step()))
  }
}

async function listKeys(model: KeyValueModel, [filter, options]: readonly unknown[]): Promise<Results> {
  const { next } = iterateKeys(model, filter, options)
  const keys: unknown[] = []
  for (;;) {
    const key = await next()
    if (key === undefined) return [keys]
    keys.push(key)
  }
}

async function deleteAll(model: KeyValueModel, [options]: readonly unknown[]): Promise<Results> {
  if (methodOf(model.connector, 'deleteAll') !== undefined) return call(model, 'deleteAll', [optionsOf(options)])
  const [keys] = await listKeys(model, [])
  for (const key of Array.isArray(keys) ? keys : []) await call(model, 'delete', [key, optionsOf(options)])
  return []
}

const key = { arg: 'key', type: 'string', required: true, http: { source: 'path' } }

/** The remote methods of LoopBack's KeyValueModel. @see LoopBack 3, common/models/key-value-model.js */
const remoteMethods: Readonly<Record<string, object>> = {
  get: { accepts: [key], returns: { arg: 'value', type: 'any', root: true }, http: { path: '/:key', verb: 'get' } },
  set: {
    accepts: [
      key,
      { arg: 'value', type: 'any', required: true, http: { source: 'body' } },
      { arg: 'ttl', type: 'number', http: { source: 'query' }, description: 'time to live in milliseconds' }
    ],
    http: { path: '/:key', verb: 'put' }
  },
  expire: {
    accepts: [key, { arg: 'ttl', type: 'number', required: true, http: { source: 'form' } }],
    http: { path: '/:key/expire', verb: 'put' }
  },
  ttl: { accepts: [key], returns: { arg: 'value', type: 'any', root: true }, http: { path: '/:key/ttl', verb: 'get' } },
  keys: {
    accepts: [{ arg: 'filter', type: 'object', http: { source: 'query' } }],
    returns: { arg: 'keys', type: ['string'], root: true },
    http: { path: '/keys', verb: 'get' }
  }
}

const methods: Readonly<Record<string, AnyFunction>> = {
  // Before `get`: the path /keys is no key.
  keys: keyValueMethod(listKeys),
  get: keyValueMethod((model, [name, options]) => call(model, 'get', [checkKey(name), optionsOf(options)])),
  set: keyValueMethod((model, [name, value, options]) =>
    call(model, 'set', [checkKey(name), value, setOptions(options)])
  ),
  expire: keyValueMethod((model, [name, ttl, options]) =>
    call(model, 'expire', [checkKey(name), checkTtl(ttl), optionsOf(options)])
  ),
  ttl: keyValueMethod((model, [name, options]) => call(model, 'ttl', [checkKey(name), optionsOf(options)])),
  delete: keyValueMethod((model, [name, options]) => call(model, 'delete', [checkKey(name), optionsOf(options)])),
  deleteAll: keyValueMethod(deleteAll),
  iterateKeys(this: unknown, filter, options) {
    return iterateKeys(modelOf(this), filter, options)
  }
}

/** What `juggler.KeyValueAccessObject` holds: data access of models whose connector is a key-value store. */
export const keyValueAccess: AnyFunction = Object.assign(function KeyValueAccessObject() {}, methods)

for (const [name, spec] of Object.entries(remoteMethods)) Object.assign(methods[name] ?? {}, { shared: true, ...spec })
