import { IsolationUnknown } from '@modelwire/core/connector'
import type { TransactionOptions } from 'mongodb'

/** What a transaction of MongoDB reads. Two of them never change the same document; what they read may be changed by others. */
const levels: Readonly<Record<string, NonNullable<TransactionOptions['readConcern']>>> = {
  'read uncommitted': { level: 'local' },
  'read committed': { level: 'majority' },
  'repeatable read': { level: 'snapshot' },
  snapshot: { level: 'snapshot' }
}

/**
 * The options of a transaction, for any way of writing its level: `READ COMMITTED`, `READ_COMMITTED`, `read committed`. A snapshot
 * where none is named.
 * @throws {IsolationUnknown} MongoDB has no such level: it has none that is serializable
 */
export function readIsolation(written: string | undefined): TransactionOptions {
  const level = (written ?? 'snapshot').toLowerCase().replaceAll('_', ' ').trim()
  const readConcern = levels[level]
  if (readConcern === undefined)
    throw new IsolationUnknown(`"${level}" is none of the isolation levels ${Object.keys(levels).join(', ')}`)
  return { readConcern, writeConcern: { w: 'majority' }, readPreference: 'primary' }
}
