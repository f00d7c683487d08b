import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuplicateKey } from '@modelwire/core'
import { MigrationLocked } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import { idField } from '../names/read-mapping.ts'

/** The collection that holds the lock during a migration. */
export const lockCollection = 'modelwire_locks'

/** Default time in milliseconds that a migration waits for another one. */
export const defaultLockTimeout = 60_000

const pause = 100
/** Milliseconds after which a lock counts as left behind whose process does not renew it. */
const lifetime = 30_000

/**
 * Runs `work` while no other process is migrating.
 * @throws {MigrationLocked} another process kept migrating while this one waited
 */
export async function underLock<Result>(
  session: MongoSession,
  timeout: number,
  work: () => Promise<Result>
): Promise<Result> {
  const owner = randomUUID()
  const end = Date.now() + timeout
  while (!(await take(session, owner))) {
    if (Date.now() >= end) throw new MigrationLocked('another process is migrating the database')
    await sleep(pause)
  }
  const renewing = setInterval(() => void take(session, owner), lifetime / 3)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await session.outside({}, () => session.collection(lockCollection).deleteOne({ owner }))
  }
}

const key: Document = { [idField]: 'migration' }

/** Takes the lock, or keeps it. The one document has either this owner, or one whose time is over. */
async function take(session: MongoSession, owner: string): Promise<boolean> {
  const until = new Date(Date.now() + lifetime)
  const free = { ...key, $or: [{ owner: { $eq: owner } }, { until: { $lt: new Date() } }] }
  try {
    await session.outside({}, () =>
      session.collection(lockCollection).updateOne(free, { $set: { owner, until } }, { upsert: true })
    )
    return true
  } catch (error) {
    if (error instanceof DuplicateKey) return false
    throw error
  }
}
