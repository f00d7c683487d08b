import { NotImplemented } from '@modelwire/core'
import type { Condition, Row } from '@modelwire/core/connector'
import { partOf } from '../juggler/driver.ts'
import { checkUniquePatch } from './check-unique.ts'
import { type CollectionContext, idNameOf } from './context.ts'
import { matchingRows } from './read-rows.ts'

// Records that a condition finds are looked at in this process, and then named one by one: a connector that does not heed a
// condition must never change, or remove, what it does not match.

/**
 * Patches every row that matches and counts them. `pushed` is the part of the condition that is sent to the connector.
 */
export async function updateById(
  context: CollectionContext,
  where: Condition | undefined,
  patch: Row,
  pushed = context.push(where)
): Promise<number> {
  const name = requireId(context)
  const rows = await matchingRows(context, where, pushed)
  if (context.family === 'other') await checkUniquePatch(context, rows, patch)
  const data = context.codec.encode(patch)
  delete data[name]
  if (Object.keys(data).length === 0) return rows.length
  for (const row of rows) await patchById(context, row, data)
  return rows.length
}

async function patchById(context: CollectionContext, row: Row, data: Record<string, unknown>): Promise<void> {
  const name = requireId(context)
  const id = row[name]
  if (context.hasMethod('updateAttributes')) await context.call('updateAttributes', id, { ...data })
  else if (context.hasMethod('update')) await context.call('update', { [name]: id }, { ...data })
  else await context.call('save', { ...context.codec.encode(row), ...data, [name]: id })
}

/** Removes every row that matches and counts them. */
export async function deleteById(
  context: CollectionContext,
  where: Condition | undefined,
  pushed = context.push(where)
): Promise<number> {
  const name = requireId(context)
  const rows = await matchingRows(context, where, pushed)
  for (const row of rows) await removeById(context, row[name])
  return rows.length
}

/** Removes the row with an id. */
export async function removeById(context: CollectionContext, id: unknown): Promise<void> {
  if (context.hasMethod('destroy')) await context.call('destroy', id)
  else await context.call('destroyAll', { [requireId(context)]: id })
}

/** Replaces the row with an id, which exists. */
export async function replaceById(context: CollectionContext, id: unknown, row: Row): Promise<void> {
  const name = requireId(context)
  const data = context.codec.encode(row)
  if (context.hasMethod('replaceById')) await context.call('replaceById', id, { ...data })
  else await context.call('save', { ...context.codec.encode(row, true), [name]: id })
}

/** The id property's name. @throws {NotImplemented} the model has none */
export function requireId(context: CollectionContext): string {
  const name = idNameOf(context)
  if (name !== undefined) return name
  throw new NotImplemented(`${context.model.name} has no id: its records cannot be addressed one by one`)
}

/** The count of a result such as `{ count: 1 }`; undefined where the connector does not report it. */
export function countOf(result: unknown): number | undefined {
  const count = partOf(result, 'count') ?? partOf(result, 'affectedRows')
  const number = typeof result === 'number' ? result : count
  return typeof number === 'number' ? number : undefined
}
