import type { Condition, Row } from '@modelwire/core'
import { decodeRow } from '../document/document-map.ts'
import { countRows } from '../find/count-rows.ts'
import { type CollectionContext, findRows } from '../find/find-rows.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { queryDocument } from '../where/query.ts'
import { updateDocument } from './update-document.ts'

/**
 * Patches every row that matches, by one command, and counts them. Each document is changed at once; where the change could be
 * refused halfway, since a value is to be unique, all of them are changed in a transaction, if the server has any.
 * @throws {DuplicateKey} a unique value exists already
 */
export async function updateRows(
  context: CollectionContext,
  where: Condition | undefined,
  patch: Row
): Promise<number> {
  const { map, session } = context
  const query = compileCondition(map, where)
  const update = updateDocument(map, patch)
  if (query.kind === 'none') return 0
  if (update === undefined) return countRows(context, where)
  const perform = async (): Promise<number> => {
    const result = await session.perform({ map, row: patch }, (options) =>
      session.collection(map.collection).updateMany(queryDocument(query), update, { ...options })
    )
    return result.matchedCount
  }
  return setsUnique(context, patch) ? session.together(perform) : perform()
}

const setsUnique = ({ map }: CollectionContext, patch: Row): boolean =>
  map.fields.some(({ property }) => property.unique && (patch[property.name] ?? null) !== null)

/**
 * Patches the only row that matches, and gives it as it is then; undefined where none matches.
 * @throws {DuplicateKey} a unique value exists already
 */
export async function patchRow(context: CollectionContext, where: Condition, patch: Row): Promise<Row | undefined> {
  const { map, session } = context
  const query = compileCondition(map, where)
  const update = updateDocument(map, patch)
  if (query.kind === 'none') return undefined
  if (update === undefined) return (await findRows(context, { where, order: [], skip: 0, limit: 1 }))[0]
  const document = await session.perform({ map, row: patch }, (options) =>
    session
      .collection(map.collection)
      .findOneAndUpdate(queryDocument(query), update, { ...options, returnDocument: 'after' })
  )
  return document === null ? undefined : decodeRow(map, document)
}
