import { randomBytes } from 'node:crypto'
import { DuplicateKey } from '@modelwire/core'
import type { Document } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import { idField } from '../names/field-name.ts'

/** The collection of what all processes have in common that read a log. */
export const logCollection = 'modelwire_change_log'

const key: Document = { [idField]: 'positions' }

/** The secret of positions, 32 bytes: the first process makes it. */
export async function sharedSecret(session: MongoSession): Promise<Buffer> {
  const made = { $setOnInsert: { secret: randomBytes(32).toString('hex') } }
  try {
    const found = await session.outside({}, () =>
      session
        .collection(logCollection)
        .findOneAndUpdate(key, made, { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' } })
    )
    return Buffer.from(String(found?.['secret']), 'hex')
  } catch (error) {
    // Another process made it at the same time.
    if (error instanceof DuplicateKey) return sharedSecret(session)
    throw error
  }
}
