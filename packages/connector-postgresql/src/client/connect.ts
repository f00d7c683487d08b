import type { Pool, PoolClient } from 'pg'
import type { TargetSession } from '@modelwire/connector-sql'
import { applySession, type SessionSettings } from './apply-session.ts'
import { checkTarget } from './check-target.ts'
import { checkLimit, isRefused, type StatementLimit } from './statement-limit.ts'

/** Gives a connection back to its pool, which closes it where there is a failure. */
export type Release = (failure: Error | undefined) => void

/** What takes a connection. */
export interface Taker {
  readonly take: (client: PoolClient, release: Release) => void
  /** None could be had. */
  readonly fail: (error: Error) => void
}

/** Takes a connection from the pool, as soon as there is one. */
export type Connect = (taker: Taker) => void

/** What each connection of a pool begins with. */
export interface Beginning {
  readonly limit: StatementLimit
  readonly session: SessionSettings
  /** What the host has to be. */
  readonly wanted: TargetSession | undefined
}

/** Makes the function that takes connections from a pool whose statements have a limit of time, also behind a pooler. */
export function createConnect(pool: Pool, { limit, session, wanted }: Beginning): Connect {
  const checked = new WeakSet<PoolClient>()
  const check = async (client: PoolClient): Promise<Error | undefined> => {
    try {
      await checkLimit(limit, pool, client)
      await applySession(session, pool, client)
      await checkTarget(wanted, pool, client)
      checked.add(client)
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
  const open = async (client: PoolClient, release: Release, { take, fail }: Taker): Promise<void> => {
    const failure = await check(client)
    if (failure === undefined) return take(client, release)
    release(failure)
    fail(failure)
  }
  const connect: Connect = (taker) => {
    const startsWithLimit = Boolean(pool.options.statement_timeout)
    pool.connect((error, client, release) => {
      if (client === undefined) {
        // Another start is made without what was refused.
        if (startsWithLimit && isRefused(limit, pool, error)) connect(taker)
        else taker.fail(error ?? new Error('the pool gives no connection'))
      } else if (checked.has(client)) taker.take(client, release)
      else void open(client, release, taker)
    })
  }
  return connect
}
