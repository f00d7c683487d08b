import { DuplicateKey } from '@modelwire/core'
import { type Condition, type Id, isSameKey, type Row } from '@modelwire/core/connector'
import { ValueRefused } from '../errors.ts'
import { type Pushed, unsaid } from '../where/pushed.ts'
import { checkUnique, checkUniquePatch } from './check-unique.ts'
import { type CollectionContext, idNameOf } from './context.ts'
import { insertRow } from './insert-rows.ts'
import { countRowsOf, findRow, isRefused, matchingRows } from './read-rows.ts'
import { countOf, deleteById, replaceById, requireId, updateById } from './write-by-id.ts'

/** Patches every row that matches and counts them: in one call where the connector understands the whole condition. */
export async function updateRows(
  context: CollectionContext,
  where: Condition | undefined,
  patch: Row
): Promise<number> {
  const pushed = context.push(where)
  if (pushed.kind === 'nothing') return 0
  if (context.family === 'other' || !pushed.isExact)
    return context.together(async () => updateById(context, where, patch, unsaid))
  const data = context.codec.encode(patch)
  delete data[idNameOf(context) ?? '']
  // A statement that sets nothing is none.
  if (Object.keys(data).length === 0) return countRowsOf(context, where)
  return changeOr(context, pushed, 'update', [data], () => updateById(context, where, patch, unsaid))
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

/** Removes every row that matches and counts them. */
export async function deleteRows(context: CollectionContext, where: Condition | undefined): Promise<number> {
  const pushed = context.push(where)
  if (pushed.kind === 'nothing') return 0
  if (context.family === 'other' || !pushed.isExact) return context.together(async () => deleteById(context, where))
  return changeOr(context, pushed, 'destroyAll', [], () => deleteById(context, where, unsaid))
}

const withId = (context: CollectionContext, id: unknown): Condition => ({
  kind: 'test',
  path: [requireId(context)],
  type: context.model.idProperty?.type,
  test: 'equals',
  value: id
})

/** Patches the row with the id of `row`, or inserts it. */
export async function upsertRow(context: CollectionContext, row: Row): Promise<{ row: Row; created: boolean }> {
  if (context.family === 'other') return context.together(async () => upsertSerially(context, row))
  const id = row[requireId(context)]
  if (id === undefined || id === null) return { row: await insertRow(context, row), created: true }
  const patched = await patchedRow(context, id, row)
  if (patched !== undefined) return { row: patched, created: false }
  try {
    return { row: await insertRow(context, row), created: true }
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

async function upsertSerially(context: CollectionContext, row: Row): Promise<{ row: Row; created: boolean }> {
  const id = row[requireId(context)]
  const isThere = id !== undefined && id !== null && (await findRow(context, id)) !== undefined
  if (!isThere) {
    await checkUnique(context, [row])
    return { row: await insertRow(context, row), created: true }
  }
  await updateById(context, withId(context, id), row)
  return { row: (await findRow(context, id)) ?? row, created: false }
}

/** Replaces the row with an id as a whole; false when there is none, or it does not match. */
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
