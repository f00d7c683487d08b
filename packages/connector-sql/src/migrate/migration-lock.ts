import { MigrationLocked, StatementTimeout } from '@modelwire/core/connector'
import { setTimeout as sleep } from 'node:timers/promises'
import { SchemaMissing } from '../errors.ts'
import type { Runner } from '../statement/run-statement.ts'
import type { RawRow } from '../statement/statement-result.ts'
import type { Session } from '../connection/session.ts'
import type { Sql } from '../sql.ts'

/**
 * How a database keeps two processes from migrating at once. `take` gives one row with a true `taken` when it worked.
 *
 * `transaction`: all of the migration is one transaction, which takes the lock or, without `take`, is one by itself.
 * `limitWaits` has it give up where it waits for a table that others use: all others would wait behind it.
 * `connection`: the connection that migrates has the lock; each step is committed by itself. `guard`: a transaction of
 * another connection has the lock; each step is committed by itself. `settle` has that transaction look at no records
 * any more.
 */
export type MigrationLock =
  | { readonly kind: 'transaction'; readonly take: Sql | undefined; readonly limitWaits?: Sql }
  | { readonly kind: 'connection'; readonly take: Sql; readonly release: Sql }
  | { readonly kind: 'guard'; readonly prepare: readonly Sql[]; readonly take: Sql; readonly settle?: Sql }

/** Milliseconds that a migration waits for another one, by default. */
export const defaultLockTimeout = 60_000

/** Milliseconds between two attempts to take the lock. */
const pause = 100

/** Who holds the lock, and who works meanwhile. */
export interface LockHolders {
  readonly lock: MigrationLock
  readonly session: Session
  /** Another session, for a lock that its own transaction holds. */
  readonly openGuard: () => Session
}

type Work<Result> = () => Promise<Result>

/** The lock was not free. */
const busy: unique symbol = Symbol('another process is migrating')

/**
 * Runs `work` while no other process migrates.
 * @throws {MigrationLocked} another process migrated all of the time
 */
export async function underLock<Result>(holders: LockHolders, work: Work<Result>, timeout: number): Promise<Result> {
  const end = Date.now() + timeout
  for (let attempt = 1; ; attempt++) {
    const outcome = await attempts[holders.lock.kind](holders, work)
    if (outcome !== busy) return outcome
    if (attempt > 1 && Date.now() >= end)
      throw new MigrationLocked('another process migrates the database, or uses one of its tables')
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
