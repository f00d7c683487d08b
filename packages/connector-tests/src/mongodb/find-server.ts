import { MongoClient } from 'mongodb'
import { startOwnServer } from './own-server.ts'

/** A MongoDB server. */
export interface FoundServer {
  readonly url: string
  /** True where it was started for this process, and is not MongoDB's own. */
  readonly isOwn: boolean
  /** Ends the server where it was started here, with everything in it. */
  readonly stop: () => Promise<void>
}

/** The server of MODELWIRE_MONGODB_URL, else one that is started on a free port. */
export async function findServer(): Promise<FoundServer> {
  const named = process.env['MODELWIRE_MONGODB_URL']
  if (named !== undefined) return { url: named, isOwn: false, stop: async () => {} }
  const { url, stop } = await startOwnServer({ keepsCommands: false })
  return { url, isOwn: true, stop }
}

/** Why tests of what only a replica set of MongoDB's does cannot run here; false where they can. */
export async function whyNoReplicaSet(): Promise<string | false> {
  const url = process.env['MODELWIRE_MONGODB_URL']
  if (url === undefined) return whyNoRealServer()
  const client = new MongoClient(url)
  try {
    const { setName, msg } = await client.db().admin().command({ hello: 1 })
    const isReplicated = typeof setName === 'string' || msg === 'isdbgrid'
    return isReplicated ? false : 'needs a replica set of MongoDB: MODELWIRE_MONGODB_URL is a single server'
  } finally {
    await client.close()
  }
}

/** Why tests of what only MongoDB itself does cannot run here; false where they can. */
export function whyNoRealServer(): string | false {
  return process.env['MODELWIRE_MONGODB_URL'] === undefined ? 'needs MongoDB itself: at MODELWIRE_MONGODB_URL' : false
}
