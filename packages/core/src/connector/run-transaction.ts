import type { HeldChanges, HoldingBus } from '../changes/held-changes.ts'
import { AmbiguousDataSource, NotImplemented, DataSourceUnavailable } from '../errors.ts'
import type { Transaction, OpenTransaction } from '../contract/connector.ts'
import type { DataSource } from '../contract/data-source.ts'
import {
  TransactionTimeout,
  IsolationUnknown,
  TransactionConflict,
  DatabaseFull,
  StatementTimeout,
  TransactionAborted
} from './errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** Maximum number of attempts, including the first one. */
export const attempts = 6

/** Milliseconds before the second attempt, about; each further one waits about twice as long. */
const firstPause = 8

const isConflict = (error: unknown): boolean => error instanceof TransactionConflict

/** The isolation levels of SQL, the strictest one first. */
export const isolationLevels = ['serializable', 'repeatable read', 'read committed', 'read uncommitted'] as const

/** An isolation level of a transaction. */
export type Isolation = (typeof isolationLevels)[number]

/**
 * How a transaction runs.
 */
export interface TransactionOptions {
  /** `read committed`, `repeatable read`, `serializable`, …: the database's own default when absent. */
  readonly isolation?: string | undefined
  /** The data source; required if several have transactions. */
  readonly dataSource?: string | undefined
  /** Milliseconds that it may take, including all attempts; unlimited when absent. */
  readonly timeout?: number | undefined
}

/**
 * Runs `work` in one transaction of a data source. Its changes are reported to listeners once they are committed.
 * @throws {NotImplemented} the data source has no transactions
 * @throws {TransactionTimeout} it took longer than `timeout`: what its work does afterwards fails
 * @throws {AmbiguousDataSource} several data sources have transactions and none is named
 */
export async function runTransaction<Result>(
  { dataSources, changes }: { dataSources: ReadonlyMap<string, DataSource>; changes: HoldingBus },
  work: (transaction: Transaction) => Promise<Result>,
  { dataSource, isolation, timeout }: TransactionOptions
): Promise<Result> {
  const { connector } = findDataSource(dataSources, dataSource)
  if (connector.transaction === undefined)
    throw new NotImplemented(`the connector ${connector.name} has no transactions`)
  const end = Date.now() + (timeout ?? 0)
  let held: HeldChanges = { changes: [], isOver: false }
  const attempt = (transaction: Transaction): Promise<Result> => {
    // What an attempt that failed has changed did not happen.
    held = { changes: [], isOver: false }
    const perform = (): Promise<Result> => changes.hold(held, () => work(transaction))
    return timeout === undefined ? perform() : withinTime(perform, end - Date.now())
  }
  try {
    const result = await connector.transaction(attempt, isolation === undefined ? {} : { isolation })
    for (const change of held.changes) changes.publish(change)
    return result
  } finally {
    held.isOver = true
  }
}

function findDataSource(dataSources: ReadonlyMap<string, DataSource>, name: string | undefined): DataSource {
  const named = name === undefined ? undefined : dataSources.get(name)
  if (named !== undefined) return named
  if (name !== undefined) throw new NotImplemented(`the data source "${name}" is not configured`)
  const able = [...dataSources.values()].filter(({ connector }) => connector.capabilities.transactions)
  const [only] = able
  if (only === undefined) throw new NotImplemented('no data source has transactions')
  if (able.length === 1) return only
  const names = able.map((each) => each.name).join(', ')
  throw new AmbiguousDataSource(`several data sources have transactions: name one of ${names}`)
}

/**
 * Calls `work`, and rejects if it takes longer than the given milliseconds. The work itself continues.
 * @throws {TransactionTimeout}
 */
export async function withinTime<Result>(work: () => Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const error = new TransactionTimeout('the transaction exceeded its timeout and is rolled back')
    timer = setTimeout(reject, Math.max(0, milliseconds), error)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Begins a transaction of a data source that stays open until its caller commits it or rolls it back. Its changes are
 * reported to listeners once they are committed.
 * @throws {NotImplemented} the connector has no transactions
 */
export async function beginTransaction(
  { changes }: { readonly changes: HoldingBus },
  { connector }: DataSource,
  options: { readonly isolation?: string | undefined } = {}
): Promise<OpenTransaction> {
  if (connector.beginTransaction === undefined)
    throw new NotImplemented(`the connector ${connector.name} has no transactions`)
  const { isolation } = options
  const open = await connector.beginTransaction(isolation === undefined ? {} : { isolation })
  const held: HeldChanges = { changes: [], isOver: false }
  return {
    run: async (work) => open.run(() => changes.hold(held, work)),
    async commit() {
      await open.commit()
      held.isOver = true
      for (const change of held.changes) changes.publish(change)
    },
    async rollback() {
      held.isOver = true
      await open.rollback()
    }
  }
}

/**
 * Parses an isolation level in any spelling: `READ COMMITTED`, `READ_COMMITTED`, `read committed`.
 * @throws {IsolationUnknown} there is no such level
 */
export function readIsolation(written: string): Isolation {
  const wanted = written.toLowerCase().replaceAll('_', ' ').trim()
  const level = isolationLevels.find((each) => each === wanted)
  if (level !== undefined) return level
  throw new IsolationUnknown(`Unknown isolation level "${written}": use one of ${isolationLevels.join(', ')}`)
}

/**
 * Calls `work` with the number of the attempt, from 1, until it resolves or fails with an error that `shouldRetry` does
 * not accept; by default conflicts are retried.
 */
export async function tryAgain<Result>(
  work: (attempt: number) => Promise<Result>,
  shouldRetry: (error: unknown, attempt: number) => boolean = isConflict,
  attempt = 1
): Promise<Result> {
  try {
    return await work(attempt)
  } catch (error) {
    if (attempt >= attempts || !shouldRetry(error, attempt)) throw error
  }
  // Those that met wait for times as different as possible, so that they do not meet again.
  await sleep(firstPause * 2 ** attempt * Math.random())
  return tryAgain(work, shouldRetry, attempt + 1)
}

/** True for errors after which the transaction cannot continue, on some or all databases. */
export function isFatal(error: unknown): boolean {
  return [TransactionConflict, DataSourceUnavailable, StatementTimeout, DatabaseFull].some(
    (kind) => error instanceof kind
  )
}

/** The error of a transaction whose work ignored a failed statement. */
export function abortedBy(failure: unknown): unknown {
  if (isFatal(failure)) return failure
  return new TransactionAborted('a statement failed, and the database rolled back the whole transaction', {
    cause: failure
  })
}
