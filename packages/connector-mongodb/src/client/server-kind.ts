import type { Db } from 'mongodb'

/** What a server is able to do. */
export interface ServerKind {
  /** A member of a replica set, or a router to several of them: it has transactions and change streams. */
  readonly isReplicated: boolean
  /** A router: its metadata do not count documents exactly. */
  readonly isSharded: boolean
  /** @see https://github.com/mongodb/specifications/blob/master/source/wireversion-featurelist/wireversion-featurelist.md */
  readonly wireVersion: number
}

/** Of MongoDB 5.0: windows of an aggregation. */
const version50 = 13

/** True where an aggregation numbers the documents of each key. */
export const hasWindows = ({ wireVersion }: ServerKind): boolean => wireVersion >= version50

/** Queries the kind of a server. */
export async function askServer(db: Db): Promise<ServerKind> {
  const { setName, msg, maxWireVersion } = await db.admin().command({ hello: 1 })
  const isSharded = msg === 'isdbgrid'
  return { isReplicated: isSharded || typeof setName === 'string', isSharded, wireVersion: Number(maxWireVersion ?? 0) }
}
