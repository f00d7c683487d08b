import { DuplicateKey } from '@modelwire/core'
import { type Condition, isSameKey, type PropertyType, type Row } from '@modelwire/core/connector'
import { type CollectionContext, idNameOf } from './context.ts'
import { findRow, matchingRows } from './read-rows.ts'

/**
 * Throws for unique values that other records have, or that several of the rows share, for connectors whose databases may
 * not check them. Only effective within this process.
 * @throws {DuplicateKey} an id or a unique value exists already
 */
export async function checkUnique(context: CollectionContext, rows: readonly Row[]): Promise<void> {
  const { model } = context
  const id = model.idProperty
  if (id !== undefined) for (const [at, row] of rows.entries()) await checkId(context, id, row, rows.slice(0, at))
  for (const property of model.properties) {
    if (!property.unique || property.id) continue
    for (const [at, row] of rows.entries()) await checkValue(context, property, row, rows.slice(0, at), undefined)
  }
}

/**
 * Throws for a patch that would give one record a unique value of another.
 * @throws {DuplicateKey}
 */
export async function checkUniquePatch(context: CollectionContext, patched: readonly Row[], patch: Row): Promise<void> {
  const [only, ...more] = patched
  if (only === undefined) return
  for (const property of context.model.properties) {
    const value = patch[property.name]
    if (!property.unique || property.id || (value ?? null) === null) continue
    if (more.length > 0) throw new DuplicateKey(context.model.name, property.name, value)
    await checkValue(context, property, patch, [], only)
  }
}

/** Whether these rows have a value that must be unique. */
export function hasUniqueValue({ model }: CollectionContext, rows: readonly Row[]): boolean {
  const unique = model.properties.filter((property) => property.unique || property.id)
  return rows.some((row) => unique.some(({ name }) => (row[name] ?? null) !== null))
}

async function checkId(
  context: CollectionContext,
  { name }: PropertyType,
  row: Row,
  before: readonly Row[]
): Promise<void> {
  const id = row[name]
  if (id === undefined || id === null) return
  const isTaken = before.some((each) => isSameKey(each[name], id)) || (await findRow(context, id)) !== undefined
  if (isTaken) throw new DuplicateKey(context.model.name, name, id)
}

async function checkValue(
  context: CollectionContext,
  { name, type }: PropertyType,
  row: Row,
  before: readonly Row[],
  own: Row | undefined
): Promise<void> {
  const value = row[name]
  if (value === undefined || value === null) return
  const where: Condition = { kind: 'test', path: [name], type, test: 'equals', value }
  const id = idNameOf(context)
  const others = (await matchingRows(context, where)).filter(
    (each) => own === undefined || id === undefined || !isSameKey(each[id], own[id])
  )
  if (others.length > 0 || before.some((each) => isSameKey(each[name], value)))
    throw new DuplicateKey(context.model.name, name, value)
}
