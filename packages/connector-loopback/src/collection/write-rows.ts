import { DuplicateKey, NotImplemented } from '@modelwire/core'
import { type Condition, type Id, isSameKey, type Row } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { ValueRefused } from '../errors.ts'
import { type Pushed, matchAll } from '../where/push-condition.ts'
import { checkUnique, checkUniquePatch, hasUniqueValue } from './check-unique.ts'
import { type CollectionContext, idNameOf } from './context.ts'
import { countRowsOf, findRow, isRefused, matchingRows } from './read-rows.ts'
import { partOf } from '../juggler/driver.ts'

/** Patches every row that matches and returns their number: in one call if the connector understands the whole condition. */
export async function updateRows(
  context: CollectionContext,
  where: Condition | undefined,
  patch: Row
): Promise<number> {
  const pushed = context.push(where)
  if (pushed.kind === 'nothing') return 0
  if (context.family === 'other' || !pushed.isExact)
    return context.together(async () => updateById(context, where, patch, matchAll))
  const data = context.codec.encode(patch)
  delete data[idNameOf(context) ?? '']
  // A statement that sets nothing is none.
  if (Object.keys(data).length === 0) return countRowsOf(context, where)
  return changeOr(context, pushed, 'update', [data], () => updateById(context, where, patch, matchAll))
}

/** One call, or where its condition has a value that the database does not take, the records one by one. */
async function changeOr(
  context: CollectionContext,
  pushed: Pushed,
  method: string,
  args: readonly unknown[],
  byId: () => Promise<number>
): Promise<number> {
  const where = pushed.kind === 'some' ? pushed.where : {}
  try {
    const [result] = await context.call(method, where, ...args)
    return countOf(result) ?? 0
  } catch (error) {
    if (!(error instanceof ValueRefused) || !(await isRefused(context, where))) throw error
  }
  return context.together(byId)
}

/** Removes every row that matches and returns their number. */
export async function deleteRows(context: CollectionContext, where: Condition | undefined): Promise<number> {
  const pushed = context.push(where)
  if (pushed.kind === 'nothing') return 0
  if (context.family === 'other' || !pushed.isExact) return context.together(async () => deleteById(context, where))
  return changeOr(context, pushed, 'destroyAll', [], () => deleteById(context, where, matchAll))
}

const withId = (context: CollectionContext, id: unknown): Condition => ({
  kind: 'test',
  path: [requireId(context)],
  type: context.model.idProperty?.type,
  test: 'equals',
  value: id
})

/** Patches the row with the id of `row`, or inserts the whole one. */
export async function upsertRow(
  context: CollectionContext,
  row: Row,
  whole: Row
): Promise<{ row: Row; created: boolean }> {
  if (context.family === 'other') return context.together(async () => upsertSerially(context, row, whole))
  const id = row[requireId(context)]
  if (id === undefined || id === null) return { row: await insertRow(context, whole), created: true }
  const patched = await patchedRow(context, id, row)
  if (patched !== undefined) return { row: patched, created: false }
  try {
    return { row: await insertRow(context, whole), created: true }
  } catch (error) {
    // Another writer was faster; a transaction ends with the refusal.
    const again = error instanceof DuplicateKey && !context.isInTransaction() && (await patchedRow(context, id, row))
    if (!again) throw error
    return { row: again, created: false }
  }
}

async function patchedRow(context: CollectionContext, id: unknown, row: Row): Promise<Row | undefined> {
  if ((await updateRows(context, withId(context, id), row)) === 0) return undefined
  return findRow(context, id as Id) // an id has the type of its property
}

async function upsertSerially(
  context: CollectionContext,
  row: Row,
  whole: Row
): Promise<{ row: Row; created: boolean }> {
  const id = row[requireId(context)]
  const isThere = id !== undefined && id !== null && (await findRow(context, id)) !== undefined
  if (!isThere) {
    await checkUnique(context, [whole])
    return { row: await insertRow(context, whole), created: true }
  }
  await updateById(context, withId(context, id), row)
  return { row: (await findRow(context, id)) ?? row, created: false }
}

/** Replaces the whole row with an id; false if there is none, or it does not match. */
export async function replaceRow(
  context: CollectionContext,
  id: Id,
  row: Row,
  where: Condition | undefined
): Promise<boolean> {
  const only = withId(context, id)
  const both: Condition = where === undefined ? only : { kind: 'and', conditions: [only, where] }
  const pushed = context.push(both)
  if (pushed.kind === 'nothing') return false
  if (context.family === 'relational' && pushed.isExact && pushed.kind === 'some')
    return (await updateRows(context, both, wholeRow(context, row))) > 0
  return context.together(async () => replaceSerially(context, id, row, both))
}

/** A row with null for what it does not have. */
function wholeRow({ model }: CollectionContext, row: Row): Row {
  const absent = model.properties.filter(({ name, id }) => !id && row[name] === undefined)
  return { ...row, ...Object.fromEntries(absent.map(({ name }) => [name, null])) }
}

async function replaceSerially(context: CollectionContext, id: Id, row: Row, where: Condition): Promise<boolean> {
  const name = requireId(context)
  const [found] = (await matchingRows(context, where)).filter((each) => isSameKey(each[name], id))
  if (found === undefined) return false
  if (context.family === 'other') await checkUniquePatch(context, [found], row)
  await replaceById(context, id, { ...row, [name]: id })
  return true
}

/** Stores one row, and gives it as it is stored: with the id that the connector made. */
async function insertRow(context: CollectionContext, row: Row): Promise<Row> {
  const name = idNameOf(context)
  const data = context.codec.encode(row)
  // One that is null would be stored as it is.
  if (name !== undefined && (data[name] ?? null) === null) delete data[name]
  const [made] = await context.call('create', data)
  if (name === undefined) return context.codec.decode(context.codec.encode(row))
  // LB3: some connectors call back with 0 for an id that the caller chose.
  const id = row[name] ?? (isPlainObject(made) ? made[name] : made)
  return context.codec.decode({ ...context.codec.encode(row), [name]: id })
}

/** Stores all rows or none. Without transactions, those already stored are removed if one is refused. */
export async function insertRows(context: CollectionContext, rows: readonly Row[]): Promise<Row[]> {
  const [only, ...more] = rows
  if (only === undefined) return []
  const isChecked = context.family === 'other' && hasUniqueValue(context, rows)
  if (more.length === 0 && !isChecked) return [await insertRow(context, only)]
  return context.together(async () => {
    if (isChecked) await checkUnique(context, rows)
    const stored: Row[] = []
    try {
      for (const row of rows) stored.push(await insertRow(context, row))
      return stored
    } catch (error) {
      // A transaction takes back what was done in it.
      if (!context.isInTransaction()) await removeStored(context, stored)
      throw error
    }
  })
}

async function removeStored(context: CollectionContext, stored: readonly Row[]): Promise<void> {
  const name = idNameOf(context)
  if (name === undefined) return
  await Promise.allSettled(stored.map((row) => removeById(context, row[name])))
}

// Records that a condition finds are looked at in this process, and then named one by one: a connector that does not heed a
// condition must never change, or remove, what it does not match.

/**
 * Patches every row that matches and counts them. `pushed` is the part of the condition that is sent to the connector.
 */
async function updateById(
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

/** Removes every row that matches and returns their number. */
async function deleteById(
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
async function removeById(context: CollectionContext, id: unknown): Promise<void> {
  if (context.hasMethod('destroy')) await context.call('destroy', id)
  else await context.call('destroyAll', { [requireId(context)]: id })
}

/** Replaces the row with an id, which exists. */
async function replaceById(context: CollectionContext, id: unknown, row: Row): Promise<void> {
  const name = requireId(context)
  const data = context.codec.encode(row)
  if (context.hasMethod('replaceById')) await context.call('replaceById', id, { ...data })
  else await context.call('save', { ...context.codec.encode(row, true), [name]: id })
}

/** The id property's name. @throws {NotImplemented} the model has none */
function requireId(context: CollectionContext): string {
  const name = idNameOf(context)
  if (name !== undefined) return name
  throw new NotImplemented(`${context.model.name} has no id: its records cannot be addressed individually`)
}

/** The count of a result such as `{ count: 1 }`; undefined where the connector does not report it. */
function countOf(result: unknown): number | undefined {
  const count = partOf(result, 'count') ?? partOf(result, 'affectedRows')
  const number = typeof result === 'number' ? result : count
  return typeof number === 'number' ? number : undefined
}
