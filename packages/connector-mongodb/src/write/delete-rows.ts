import type { Condition } from '@modelwire/core/connector'
import type { CollectionContext } from '../find/find-rows.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { queryDocument } from '../where/query.ts'

/** Removes every row that matches, by one command, and counts them. */
export async function deleteRows({ map, session }: CollectionContext, where: Condition | undefined): Promise<number> {
  const query = compileCondition(map, where)
  if (query.kind === 'none') return 0
  const { deletedCount } = await session.perform({ map }, (options) =>
    session.collection(map.collection).deleteMany(queryDocument(query), { ...options })
  )
  return deletedCount
}
