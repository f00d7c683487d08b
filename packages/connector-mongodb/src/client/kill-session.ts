import { BusyConnection, type CancelPolicy, StatementCancelled, whenAborted } from '@modelwire/core/connector'
import type { ClientSession, MongoClient, MongoClientOptions } from 'mongodb'
import { makeClient } from './server-address.ts'

/** How reads of disconnected callers are stopped. */
export interface Kills {
  readonly policy: CancelPolicy
  /** Lets the server stop the operations of a session. */
  readonly kill: (session: ClientSession) => Promise<void>
}

/** A read in a session, whose caller may disconnect. */
interface KillableRead extends Kills {
  readonly session: ClientSession
  readonly signal: AbortSignal | undefined
}

/**
 * Runs a read in a session and returns its result. It is killed if it runs for long and its caller has disconnected; the
 * session can be used again afterwards.
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

/** Runs a killable read in a separate session and returns its result. */
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
 * Lets the server stop the operations of a session, using a client that is closed afterwards, since all connections of the
 * other one may be busy. Every user may kill their own sessions.
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
