import { type Collection, type Db, OrderedBulkOperation, UnorderedBulkOperation } from 'mongodb'
import { withThisDriver } from '../values/this-driver.ts'
import { acceptCallback, type AnyFunction, isFunction } from './accept-callback.ts'
import { isCursor, legacyCursor } from './legacy-cursor.ts'
import { legacyMethods } from './legacy-methods.ts'

/** Methods whose functions are not callbacks, or that give something else than a promise. */
const plain: ReadonlySet<string | symbol> = new Set(['on', 'once', 'off', 'emit', 'addListener', 'removeListener'])

/** A collection as scripts of LoopBack 3 use it: with callbacks or promises, and with the methods of older drivers. */
export function legacyCollection(collection: Collection): object {
  const own = legacyMethods(collection)
  return withLegacyMethods(collection, (name) => own[String(name)])
}

/** A database as scripts of LoopBack 3 use it. */
export function legacyDb(db: Db): object {
  const find: AnyFunction = (name) => legacyCollection(db.collection(String(name)))
  return withLegacyMethods(db, (name) => (name === 'collection' ? find : undefined))
}

function withLegacyMethods(target: object, ownMethod: (name: string | symbol) => AnyFunction | undefined): object {
  return new Proxy(target, {
    get(object, name) {
      const method: unknown = ownMethod(name) ?? Reflect.get(object, name, object)
      if (!isFunction(method)) return method
      const call: AnyFunction = (...args) => shown(method.apply(object, args.map(withThisDriver)))
      return plain.has(name) ? call : acceptCallback(call)
    }
  })
}

function shown(result: unknown): unknown {
  if (isCursor(result)) return legacyCursor(result)
  return isBulk(result) ? withLegacyMethods(result, () => undefined) : result
}

/** Several writes that are being collected, or the condition of the next one. */
const isBulk = (value: unknown): value is object =>
  value instanceof OrderedBulkOperation ||
  value instanceof UnorderedBulkOperation ||
  (typeof value === 'object' && value !== null && 'bulkOperation' in value)
