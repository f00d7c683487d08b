import type { Condition, Id, Row } from '@modelwire/core/connector'
import { encodeRow } from '../document/document-map.ts'
import { idQuery } from '../find/find-by-id.ts'
import type { CollectionContext } from '../find/find-rows.ts'
import { idField } from '../names/field-name.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { allOf, queryDocument, some } from '../where/query.ts'

/**
 * Replaces the row with an id as a whole, by one command; false when there is none, or it does not match.
 * @throws {DuplicateKey} a unique value exists already
 */
export async function replaceRow(
  { map, session }: CollectionContext,
  id: Id,
  row: Row,
  where: Condition | undefined
): Promise<boolean> {
  const byId = idQuery(map, id)
  const { [idField]: _id, ...fields } = encodeRow(map, row)
  if (byId === undefined) return false
  const query = allOf([some(byId), compileCondition(map, where)])
  if (query.kind === 'none') return false
  const { matchedCount } = await session.perform({ map, row }, (options) =>
    session.collection(map.collection).replaceOne(queryDocument(query), fields, { ...options })
  )
  return matchedCount > 0
}
