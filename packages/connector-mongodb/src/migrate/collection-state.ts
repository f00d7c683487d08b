import type { Db, Document } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'

/** What the database has of a collection. */
export interface CollectionState {
  readonly exists: boolean
  /** Its validator, and the level and action of that, as far as they are set. */
  readonly options: Readonly<Record<string, unknown>>
  /** Its indexes but the one of ids. */
  readonly indexes: readonly Document[]
}

/** Looks at a collection. */
export async function collectionState(session: MongoSession, name: string): Promise<CollectionState> {
  return session.perform({}, async () => readState(session.db, name))
}

async function readState(db: Db, name: string): Promise<CollectionState> {
  const [found] = await db.listCollections({ name }, { nameOnly: false }).toArray()
  if (found === undefined) return { exists: false, options: {}, indexes: [] }
  const indexes = await db.collection(name).listIndexes().toArray()
  return {
    exists: true,
    options: { ...Reflect.get(found, 'options') },
    indexes: indexes.filter(({ name: each }) => each !== '_id_')
  }
}
