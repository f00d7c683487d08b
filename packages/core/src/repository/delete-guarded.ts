import type { Call } from '../contract/call.ts'
import type { Collection } from '../contract/connector.ts'
import type { Condition } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'

/**
 * Deletes the matching records after everything that depends on them, in one transaction where the connector has them.
 * All guards run before anything changes.
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
