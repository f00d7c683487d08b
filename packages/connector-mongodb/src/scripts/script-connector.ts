import type { ModelType } from '@modelwire/core/connector'
import { ObjectId, type Collection, type Db, OrderedBulkOperation, UnorderedBulkOperation } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import type { DocumentMap } from '../document/document-map.ts'
import { isObjectIdText, withThisDriver } from '../values/object-ids.ts'
import { acceptCallback, isFunction, type AnyFunction, legacyMethods } from './legacy-methods.ts'

/** The part of the driver's cursor that is used here. */
interface Cursor {
  forEach(iterator: AnyFunction): Promise<unknown>
  [Symbol.asyncIterator](): AsyncIterator<unknown>
}

/** Methods of cursors that take a callback. Others take functions of other kinds, or none. */
const answering: ReadonlySet<string | symbol> = new Set([
  'toArray',
  'next',
  'hasNext',
  'tryNext',
  'count',
  'close',
  'explain'
])

/** True for a cursor of the driver. */
const isCursor = (value: unknown): value is Cursor =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'toArray' in value

/** Methods whose functions are not callbacks, or that give something else than a promise. */
const plain: ReadonlySet<string | symbol> = new Set(['on', 'once', 'off', 'emit', 'addListener', 'removeListener'])

/** Several writes that are being collected, or the condition of the next one. */
const isBulk = (value: unknown): value is object =>
  value instanceof OrderedBulkOperation ||
  value instanceof UnorderedBulkOperation ||
  (typeof value === 'object' && value !== null && 'bulkOperation' in value)

/** The parts of the connector that its view for scripts uses. */
export interface ScriptView {
  readonly session: MongoSession
  readonly settings: Readonly<Record<string, unknown>>
  readonly models: ReadonlyMap<string, ModelType>
  readonly mapOf: (model: ModelType) => DocumentMap
}

/**
 * An ObjectId of a text of 24 hexadecimal digits; anything else as it is.
 * @see loopback-connector-mongodb, lib/mongodb.js: ObjectID
 */
function objectID(id?: unknown): unknown {
  if (id === undefined) return new ObjectId()
  return typeof id === 'string' && isObjectIdText(id) ? new ObjectId(id) : id
}

/**
 * The value of `dataSource.connector` in scripts of an application folder: the driver's database and collections, by the
 * names of models.
 * @see loopback-connector-mongodb, lib/mongodb.js
 */
export function scriptConnector({ session, settings, models, mapOf }: ScriptView): object {
  const collectionName = (name: unknown): string => {
    const model = models.get(String(name))
    return model === undefined ? String(name) : mapOf(model).collection
  }
  const collection = (name: unknown): object => legacyCollection(session.collection(collectionName(name)))
  return {
    name: 'mongodb',
    settings,
    collection,
    collectionName,
    ObjectID: objectID,
    getDefaultIdType: () => objectID,
    getTypes: () => ['db', 'nosql', 'mongodb'],
    get client() {
      return session.client
    },
    get db() {
      return legacyDb(session.db)
    },
    connect: acceptCallback(async () => {
      await session.server()
      return legacyDb(session.db)
    }),
    disconnect: acceptCallback(async () => session.close()),
    ping: acceptCallback(async () => session.db.command({ ping: 1 })),
    execute: acceptCallback(async (model, command, ...args) => execute(collection(model), command, args))
  }
}

/** Calls a method of a collection by its name. */
async function execute(collection: object, command: unknown, args: readonly unknown[]): Promise<unknown> {
  const method: unknown = Reflect.get(collection, String(command))
  if (isFunction(method)) return method(...args)
  throw new TypeError(`a collection has no method ${String(command)}`)
}

/** Additional members of a data source of this connector in scripts: the class for creating ids. */
export const scriptMembers: Readonly<Record<string, unknown>> = { ObjectID: makeObjectID() }

/** Called as a function or with `new`, as the class of older drivers. */
function makeObjectID(): unknown {
  return new Proxy(ObjectId, {
    apply: (_target, _self, [id]: readonly unknown[]) => new ObjectId(id === undefined ? undefined : String(id))
  })
}

/** A collection as scripts of LoopBack 3 use it: with callbacks or promises, and with the methods of older drivers. */
function legacyCollection(collection: Collection): object {
  const own = legacyMethods(collection)
  return withLegacyMethods(collection, (name) => own[String(name)])
}

/** A database as scripts of LoopBack 3 use it. */
function legacyDb(db: Db): object {
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

/** A cursor that takes callbacks, and has `each`, as drivers before version 5 had them. */
function legacyCursor(cursor: Cursor): object {
  const own: Readonly<Record<string | symbol, AnyFunction>> = {
    each: (callback) => (isFunction(callback) ? void each(cursor, callback) : undefined),
    // With one argument only it is what is called for each document.
    forEach: (iterator, ...rest) =>
      acceptCallback(async () => (isFunction(iterator) ? cursor.forEach(iterator) : undefined))(...rest)
  }
  const proxy: object = new Proxy(cursor, {
    get(target, name) {
      const ownMethod = own[name]
      if (ownMethod !== undefined) return ownMethod
      const method: unknown = Reflect.get(target, name, target)
      if (!isFunction(method)) return method
      const bound: AnyFunction = (...args) => {
        const result = method.apply(target, [...args])
        return result === target ? proxy : result
      }
      return answering.has(name) ? acceptCallback(bound) : bound
    }
  })
  return proxy
}

/** Calls back with each document, and in the end with null. */
async function each(cursor: Cursor, callback: AnyFunction): Promise<void> {
  const documents = cursor[Symbol.asyncIterator]()
  for (;;) {
    const [next] = await Promise.allSettled([documents.next()])
    if (next.status === 'rejected') return void callback(next.reason)
    const isOver = next.value.done === true
    callback(null, isOver ? null : next.value.value)
    if (isOver) return
  }
}
