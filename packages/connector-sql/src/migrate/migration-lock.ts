import { MigrationLocked, StatementTimeout } from '@modelwire/core/connector'
import { setTimeout as sleep } from 'node:timers/promises'
import { SchemaMissing } from '../errors.ts'
import type { Runner } from '../statement/run-statement.ts'
import type { RawRow, Sql } from '../sql.ts'
import type { Session } from '../connection/session.ts'
import type { MigrationLock } from '../dialect/schema-dialect.ts'

/** Default time in milliseconds that a migration waits for another one. */
export const defaultLockTimeout = 60_000

/** Milliseconds between two attempts to take the lock. */
const pause = 100

/** The sessions that hold the lock, and that do the work. */
export interface LockHolders {
  readonly lock: MigrationLock
  readonly session: Session
  /** Opens another session, for a lock held by its own transaction. */
  readonly openGuard: () => Session
}

type Work<Result> = () => Promise<Result>

/** The lock was not free. */
const busy: unique symbol = Symbol('another process is migrating')

/**
 * Runs `work` while no other process is migrating.
 * @throws {MigrationLocked} another process migrated all of the time
 */
export async function underLock<Result>(holders: LockHolders, work: Work<Result>, timeout: number): Promise<Result> {
  const end = Date.now() + timeout
  for (let attempt = 1; ; attempt++) {
    const outcome = await attempts[holders.lock.kind](holders, work)
    if (outcome !== busy) return outcome
    if (attempt > 1 && Date.now() >= end)
      throw new MigrationLocked('another process is migrating the database, or is using one of its tables')
    await sleep(pause)
  }
}

type Attempt = <Result>(holders: LockHolders, work: Work<Result>) => Promise<Result | typeof busy>

const attempts: Readonly<Record<MigrationLock['kind'], Attempt>> = {
  transaction: inTransaction,
  connection: onConnection,
  guard: underGuard
}

async function inTransaction<Result>(
  { lock, session }: LockHolders,
  work: Work<Result>
): Promise<Result | typeof busy> {
  const { take, limitWaits } = lock.kind === 'transaction' ? lock : {}
  const progress = { isBegun: false }
  try {
    return await session.transaction(async () => {
      progress.isBegun = true
      if (limitWaits !== undefined) await session.run(limitWaits, {})
      return take === undefined || (await isTaken(session, take)) ? work() : busy
    }, {})
  } catch (error) {
    // SQLite waits for another writer by itself, and then reports it.
    const isBusy = !progress.isBegun || limitWaits !== undefined
    if (isBusy && error instanceof StatementTimeout) return busy
    throw error
  }
}

async function onConnection<Result>({ lock, session }: LockHolders, work: Work<Result>): Promise<Result | typeof busy> {
  if (lock.kind !== 'connection') return busy
  return session.onOneConnection(async () => {
    if (!(await isTaken(session, lock.take))) return busy
    try {
      return await work()
    } finally {
      await session.run(lock.release, {})
    }
  })
}

async function underGuard<Result>(holders: LockHolders, work: Work<Result>): Promise<Result | typeof busy> {
  const { lock } = holders
  if (lock.kind !== 'guard') return busy
  const guard = holders.openGuard()
  const progress = { isBegun: false }
  try {
    return await guard.transaction(async () => {
      if (!(await isTaken(guard, lock.take))) return busy
      if (lock.settle !== undefined) await guard.run(lock.settle, {})
      progress.isBegun = true
      return work()
    }, {})
  } catch (error) {
    if (progress.isBegun || !(error instanceof SchemaMissing)) throw error
    // The first migration of a database.
    for (const statement of lock.prepare) await guard.run(statement, {})
    return busy
  } finally {
    await guard.close()
  }
}

async function isTaken(runner: Runner, take: Sql): Promise<boolean> {
  const { rows } = await runner.run(take, {})
  const [row]: readonly (RawRow | undefined)[] = rows
  return Boolean(Number(row?.['taken'] ?? 0))
}
