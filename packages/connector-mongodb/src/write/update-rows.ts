import { DuplicateKey } from '@modelwire/core'
import { type Condition, type Row, type TakenKey, uniqueKeysOf } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { decodeRow } from '../document/document-map.ts'
import { countRows } from '../find/find-plan.ts'
import { type CollectionContext, findRows } from '../find/find-rows.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { idField } from '../names/read-mapping.ts'
import { updateDocument } from './update-document.ts'
import { allOf, type Query, queryDocument, some } from '../document/query.ts'

/**
 * Patches every row that matches, with one command, and returns their number.
 * @throws {DuplicateKey} a unique value exists already, or would be that of several rows
 */
export async function updateRows(
  context: CollectionContext,
  where: Condition | undefined,
  patch: Row
): Promise<number> {
  const { map } = context
  const query = compileCondition(map, where)
  const update = updateDocument(map, patch)
  if (query.kind === 'none') return 0
  if (update === undefined) return countRows(context, where)
  const change = { query, update, patch }
  const touched = uniqueKeysOf(map.model).filter(({ properties }) =>
    properties.some((name) => isSet(patch, name) || isSet(patch, name.split('.')[0] ?? name))
  )
  const whole = touched.find(({ properties }) => properties.every((name) => isSet(patch, name)))
  if (whole !== undefined) return updateOnly(context, change, whole)
  // The rest of the values differs from row to row, so that one of them may be refused.
  return touched.length === 0 ? updateAll(context, change) : context.session.together(() => updateAll(context, change))
}

const isSet = (patch: Row, name: string): boolean => (patch[name] ?? null) !== null

interface Change {
  readonly query: Query
  readonly update: Document
  readonly patch: Row
}

async function updateAll({ map, session }: CollectionContext, { query, update, patch }: Change): Promise<number> {
  const { matchedCount } = await session.perform({ map, row: patch }, (options) =>
    session.collection(map.collection).updateMany(queryDocument(query), update, { ...options })
  )
  return matchedCount
}

/** Several rows cannot have one unique value: they are found out before any of them has it, and the only one is changed at once. */
async function updateOnly(context: CollectionContext, change: Change, key: TakenKey): Promise<number> {
  const { map, session } = context
  const found = await session.perform({ map, isRead: true }, (options) =>
    session
      .collection(map.collection)
      .find(queryDocument(change.query), { ...options, limit: 2, projection: { [idField]: 1 } })
      .toArray()
  )
  const [only, another] = found
  if (another !== undefined) throw DuplicateKey.of(map.model.name, key, change.patch)
  if (only === undefined) return 0
  return updateAll(context, { ...change, query: allOf([some({ [idField]: { $eq: only[idField] } }), change.query]) })
}

/**
 * Patches the only row that matches, and returns the result; undefined if none matches.
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
