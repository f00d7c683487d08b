import type { HeldChanges, HoldingBus } from '../changes/held-changes.ts'
import { AmbiguousDataSource, NotImplemented } from '../errors.ts'
import type { Transaction } from '../contract/connector.ts'
import type { DataSource } from '../contract/data-source.ts'
import { withinTime } from './within-time.ts'

/** How a transaction runs. */
export interface TransactionOptions {
  /** `read committed`, `repeatable read`, `serializable`, …: the database's own default when absent. */
  readonly isolation?: string | undefined
  /** The data source; needed where several have transactions. */
  readonly dataSource?: string | undefined
  /** Milliseconds that it may take, with all attempts; as long as it likes when absent. */
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
