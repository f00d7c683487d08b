import { BusyConnection, type CancelPolicy, StatementCancelled, whenAborted } from '@modelwire/core/connector'
import type { ClientSession, MongoClient, MongoClientOptions } from 'mongodb'
import { makeClient } from './open-client.ts'

/** How reads whose callers have left are stopped. */
export interface Kills {
  readonly policy: CancelPolicy
  /** Has the server stop what it does for a session. */
  readonly kill: (session: ClientSession) => Promise<void>
}

/** A read in a session, whose caller may leave. */
interface KillableRead extends Kills {
  readonly session: ClientSession
  readonly signal: AbortSignal | undefined
}

/**
 * Returns what a read in a session returns. It is killed when it has run for long and its caller has left; the session can be
 * used again afterwards.
 * @throws {StatementCancelled} it was killed
 */
export async function untilKilled<Result>(
  { policy, kill, session, signal }: KillableRead,
  read: (options: { readonly session: ClientSession }) => Promise<Result>
): Promise<Result> {
  if (signal === undefined) return read({ session })
  // The driver closes the connection by its own limits of time.
  const busy = new BusyConnection({ cancel: () => kill(session), end: () => {} }, policy)
  const sent = busy.add()
  const forget = whenAborted(signal, () => busy.leave(sent))
  try {
    return await read({ session })
  } catch (error) {
    throw sent.isCancelled ? new StatementCancelled() : error
  } finally {
    forget()
    busy.remove(sent)
    await busy.settling
  }
}

/** Returns what a read returns that may be killed, in a session of its own. */
export async function inOwnSession<Result>(
  client: MongoClient,
  killable: Omit<KillableRead, 'session'>,
  read: (options: { readonly session: ClientSession }) => Promise<Result>
): Promise<Result> {
  const session = client.startSession({ causalConsistency: false })
  try {
    return await untilKilled({ ...killable, session }, read)
  } finally {
    await session.endSession()
  }
}

/** Milliseconds that each step of killing a session may take. */
const killTimeoutMs = 2500

/**
 * Has the server stop what it does for a session, by a client that is closed afterwards: all connections of the other one may be
 * busy. Every user may do that to sessions of their own.
 * @see https://www.mongodb.com/docs/manual/reference/command/killSessions/
 */
export async function killSession(address: string, options: MongoClientOptions, { id }: ClientSession): Promise<void> {
  const client = makeClient(address, {
    ...options,
    minPoolSize: 0,
    serverSelectionTimeoutMS: killTimeoutMs,
    connectTimeoutMS: killTimeoutMs,
    socketTimeoutMS: killTimeoutMs
  })
  try {
    await client.db('admin').command({ killSessions: [id] })
  } finally {
    await client.close()
  }
}
