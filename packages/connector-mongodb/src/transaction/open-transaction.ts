import { abortedBy, type Transaction, TransactionOver } from '@modelwire/core/connector'
import { type ClientSession, type MongoClient, MongoError, type TransactionOptions } from 'mongodb'

/** A transaction on its way. */
export interface Current {
  readonly session: ClientSession
  readonly handle: Transaction
  /** Work that was left behind by a transaction must not take effect by itself. */
  end?: 'kept' | 'undone'
  /** The error of a command after which the server takes the transaction back, whatever becomes of the error. */
  failure?: unknown
  /** Settles when the last command is done: a session carries out one at a time. */
  last: Promise<void>
}

/** Starts a transaction on a session of its own. `attempt`: how often it was tried, with this time. */
export function start(client: MongoClient, options: TransactionOptions, attempt: number): Current {
  const session = client.startSession()
  session.startTransaction(options)
  return { session, handle: { attempt }, last: Promise.resolve() }
}

/** @throws {TransactionOver} it was committed or rolled back */
export function checkOpen({ end }: Pick<Current, 'end'>): void {
  if (end !== undefined) throw new TransactionOver('the transaction is over: it was committed or rolled back')
}

/** Carries out a command of a transaction when those before it are done. */
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

/** Commits, once more where the server's answer got lost: it then reports the outcome of the transaction. */
export async function commit(session: ClientSession): Promise<void> {
  try {
    await session.commitTransaction()
  } catch (error) {
    if (!(error instanceof MongoError) || !error.hasErrorLabel('UnknownTransactionCommitResult')) throw error
    await session.commitTransaction()
  }
}

/** Takes back what a transaction did. Where that fails, the server does so by itself before long. */
export async function abort(session: ClientSession): Promise<void> {
  if (session.inTransaction()) await Promise.allSettled([session.abortTransaction()])
}
