import type { Call } from '../caller/call.ts'
import type { Collection, Row } from '../connector/connector.ts'
import type { Condition } from '../filter/condition.ts'
import type { ModelType } from '../model/model-type.ts'

/** What has to be seen to when records of a model are deleted. `relations` adds it where a relation asks for it. */
export interface DeletionGuard {
  /** Changes nothing. @throws whatever forbids the deletion */
  readonly check: (rows: readonly Row[], call: Call) => Promise<void>
  /** Sees to what depends on the records, which are deleted afterwards. */
  readonly apply: (rows: readonly Row[], call: Call) => Promise<void>
}

/**
 * Deletes the matching records after everything that depends on them, in one transaction where the connector has them. All
 * guards are asked before anything changes.
 */
export async function deleteGuarded(
  model: ModelType,
  collection: Collection,
  where: Condition | undefined,
  call: Call
): Promise<number> {
  const { deletionGuards, dataSource } = model
  const work = async (): Promise<number> => {
    const rows = await collection.find({ where, order: [], skip: 0 })
    for (const guard of deletionGuards) await guard.check(rows, call)
    for (const guard of deletionGuards) await guard.apply(rows, call)
    return collection.delete(where)
  }
  const connector = dataSource?.connector
  return connector?.capabilities.transactions === true && connector.transaction !== undefined
    ? connector.transaction(work)
    : work()
}
