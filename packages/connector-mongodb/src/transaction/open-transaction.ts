import { abortedBy, type Transaction, TransactionOver, IsolationUnknown } from '@modelwire/core/connector'
import { type ClientSession, type MongoClient, MongoError, type TransactionOptions } from 'mongodb'

/** What a transaction of MongoDB reads. Two of them never change the same document; what they read may be changed by others. */
const levels: Readonly<Record<string, NonNullable<TransactionOptions['readConcern']>>> = {
  'read uncommitted': { level: 'local' },
  'read committed': { level: 'majority' },
  'repeatable read': { level: 'snapshot' },
  snapshot: { level: 'snapshot' }
}

/** An open transaction. */
export interface Current {
  readonly session: ClientSession
  readonly handle: Transaction
  /** Set when it ends: leftover work must not take effect outside of it. */
  end?: 'kept' | 'undone'
  /** The error of a command after which the server rolls the transaction back, even if the error is caught. */
  failure?: unknown
  /** Settles when the last command is done: a session executes one at a time. */
  last: Promise<void>
}

/** Starts a transaction on a separate session. `attempt`: the number of attempts so far, including this one. */
export function start(client: MongoClient, options: TransactionOptions, attempt: number): Current {
  const session = client.startSession()
  session.startTransaction(options)
  return { session, handle: { attempt }, last: Promise.resolve() }
}

/** @throws {TransactionOver} it was committed or rolled back */
export function checkOpen({ end }: Pick<Current, 'end'>): void {
  if (end !== undefined) throw new TransactionOver('the transaction is over: it was committed or rolled back')
}

/** Executes a command of a transaction once the previous ones are done. */
export async function performWithin<Result>(current: Current, work: () => Promise<Result>): Promise<Result> {
  const before = current.last
  const own = afterwards(before, current, work)
  current.last = settled(own)
  return own
}

async function afterwards<Result>(
  before: Promise<void>,
  current: Current,
  work: () => Promise<Result>
): Promise<Result> {
  await before
  checkOpen(current)
  if (current.failure !== undefined) throw abortedBy(current.failure)
  return work()
}

async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work])
}

/** Commits, and once more if the server's response got lost: it then reports the outcome of the transaction. */
export async function commit(session: ClientSession): Promise<void> {
  try {
    await session.commitTransaction()
  } catch (error) {
    if (!(error instanceof MongoError) || !error.hasErrorLabel('UnknownTransactionCommitResult')) throw error
    await session.commitTransaction()
  }
}

/** Rolls a transaction back. If that fails, the server does so itself before long. */
export async function abort(session: ClientSession): Promise<void> {
  if (session.inTransaction()) await Promise.allSettled([session.abortTransaction()])
}

/**
 * The options of a transaction, for any spelling of its isolation level: `READ COMMITTED`, `READ_COMMITTED`, `read
 * committed`. A snapshot by default.
 * @throws {IsolationUnknown} MongoDB has no such level: it has none that is serializable
 */
export function readIsolation(written: string | undefined): TransactionOptions {
  const level = (written ?? 'snapshot').toLowerCase().replaceAll('_', ' ').trim()
  const readConcern = levels[level]
  if (readConcern === undefined)
    throw new IsolationUnknown(`unknown isolation level "${level}": use one of ${Object.keys(levels).join(', ')}`)
  return { readConcern, writeConcern: { w: 'majority' }, readPreference: 'primary' }
}
