import type { ChangeStream, ChangeStreamOptions, Document } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import type { ServerKind } from '../client/server-address.ts'
import { changeKinds } from '../client/own-writes.ts'
import { hasImages } from '../client/collection-state.ts'

/** Where a change stream starts; now, if none of them is set. */
export type StreamStart = Pick<ChangeStreamOptions, 'startAfter' | 'startAtOperationTime'>

/** Milliseconds that the server waits for changes before it says that there are none; a router has to ask others. */
const waits = { single: 10, sharded: 250 } as const

/** Opens a change stream of collections, with majority read concern. */
export function watchCollections(
  { db }: Pick<MongoSession, 'db'>,
  server: ServerKind,
  collections: readonly string[],
  start: StreamStart
): ChangeStream {
  return db.watch(pipelineOf(collections), {
    ...start,
    ...(hasImages(server)
      ? { fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable' }
      : { fullDocument: 'updateLookup' }),
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    maxAwaitTimeMS: server.isSharded ? waits.sharded : waits.single
  })
}

/** Opens a change stream that only reports that something has changed. */
export function watchForAny({ db }: Pick<MongoSession, 'db'>, collections: readonly string[]): ChangeStream {
  const options: ChangeStreamOptions = { readPreference: 'primary', readConcern: { level: 'majority' } }
  return db.watch([changesOf(collections), { $project: { operationType: 1 } }], options)
}

const before = 'fullDocumentBeforeChange'

/** Of two states of a record the one that an entry has, so that an event is not larger than it needs to be. */
function pipelineOf(collections: readonly string[]): Document[] {
  const ofRemovals = { $cond: [{ $eq: ['$operationType', 'delete'] }, `$${before}`, '$$REMOVE'] }
  return [changesOf(collections), { $unset: 'updateDescription' }, { $set: { [before]: ofRemovals } }]
}

/** A stream ends with `invalidate`, when its database is dropped, and the next one begins there. */
const changesOf = (collections: readonly string[]): Document => ({
  $match: {
    $or: [
      { operationType: { $in: Object.keys(changeKinds) }, 'ns.coll': { $in: collections } },
      { operationType: 'invalidate' }
    ]
  }
})
