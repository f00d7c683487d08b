import type { ModelType } from '@modelwire/core/connector'
import { ObjectId } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import type { DocumentMap } from '../document/document-map.ts'
import { isObjectIdText } from '../values/object-ids.ts'
import { acceptCallback, isFunction } from './accept-callback.ts'
import { legacyCollection, legacyDb } from './legacy-collection.ts'

/** The parts of the connector for its view for scripts. */
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
 * What scripts of an application folder find as `dataSource.connector`: the driver's database and collections, by the names of models.
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

/** What scripts find on a data source of this connector, beside its usual members: a class with which ids are made. */
export const scriptMembers: Readonly<Record<string, unknown>> = { ObjectID: makeObjectID() }

/** Called as a function or with `new`, as the class of older drivers. */
function makeObjectID(): unknown {
  return new Proxy(ObjectId, {
    apply: (_target, _self, [id]: readonly unknown[]) => new ObjectId(id === undefined ? undefined : String(id))
  })
}
