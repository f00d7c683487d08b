import type { Db, Document } from 'mongodb'
import type { MongoSession } from './mongo-session.ts'
import type { ServerKind } from './server-address.ts'

/** The state of a collection in the database. */
export interface CollectionState {
  readonly exists: boolean
  /** Its validator, with validation level and action, if set. */
  readonly options: Readonly<Record<string, unknown>>
  /** Its indexes, except the one on `_id`. */
  readonly indexes: readonly Document[]
}

/** Reads the state of a collection. */
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

/** Of MongoDB 6.0: the server keeps records as they were before their changes. */
const version60 = 17

/** True if the server supports pre-images and post-images of changes. */
export const hasImages = ({ isReplicated, wireVersion }: ServerKind): boolean =>
  isReplicated && wireVersion >= version60

/** The option of a collection whose changes are logged. */
export const imagesOption = { changeStreamPreAndPostImages: { enabled: true } } as const

/** Whether the options of a collection enable it. */
export function keepsImages(options: Readonly<Record<string, unknown>>): boolean {
  return Reflect.get(Object(options['changeStreamPreAndPostImages']), 'enabled') === true
}
