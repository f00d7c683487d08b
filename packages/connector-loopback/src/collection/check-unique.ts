import { DuplicateKey } from '@modelwire/core'
import {
  type Condition,
  isSameKey,
  type ModelType,
  type PropertyType,
  type Row,
  type TakenKey,
  uniqueKeysOf
} from '@modelwire/core/connector'
import { type CollectionContext, idNameOf } from './context.ts'
import { findRow, matchingRows } from './read-rows.ts'

/** Over declared properties. */
const uniqueKeys = (model: ModelType): readonly TakenKey[] =>
  uniqueKeysOf(model).filter(({ properties }) => properties.every((name) => model.byName.has(name)))

/**
 * Throws for unique values that other records have, or that several of the rows share, for connectors whose databases may
 * not check them. Only effective within this process.
 * @throws {DuplicateKey} an id or a unique value exists already
 */
export async function checkUnique(context: CollectionContext, rows: readonly Row[]): Promise<void> {
  const { model } = context
  const id = model.idProperty
  if (id !== undefined) for (const [at, row] of rows.entries()) await checkId(context, id, row, rows.slice(0, at))
  for (const key of uniqueKeys(model)) await checkKey(context, key, rows, [])
}

/**
 * Throws for a patch that would give a record unique values of another.
 * @throws {DuplicateKey}
 */
export async function checkUniquePatch(context: CollectionContext, patched: readonly Row[], patch: Row): Promise<void> {
  const changed = patched.map((row) => ({ ...row, ...patch }))
  for (const key of uniqueKeys(context.model)) {
    if (!key.properties.some((name) => (patch[name] ?? null) !== null)) continue
    // Several rows with the same values: the first two say so.
    const isShared = key.properties.every((name) => patch[name] !== undefined)
    await checkKey(context, key, isShared ? changed.slice(0, 2) : changed, patched)
  }
}

/** Whether these rows have a value that must be unique. */
export function hasUniqueValue({ model }: CollectionContext, rows: readonly Row[]): boolean {
  const ids = model.properties.filter(({ id }) => id).map(({ name }) => ({ properties: [name] }))
  return rows.some((row) => [...ids, ...uniqueKeys(model)].some((key) => hasAll(row, key)))
}

const hasAll = (row: Row, { properties }: TakenKey): boolean => properties.every((name) => (row[name] ?? null) !== null)

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

/** @param own the stored rows that `rows` replace */
async function checkKey(
  context: CollectionContext,
  key: TakenKey,
  rows: readonly Row[],
  own: readonly Row[]
): Promise<void> {
  const { model } = context
  const id = idNameOf(context)
  for (const [at, row] of rows.entries()) {
    if (!hasAll(row, key)) continue
    const isSame = (each: Row): boolean => key.properties.every((name) => isSameKey(each[name], row[name]))
    const isOwn = (each: Row): boolean => id !== undefined && own.some((other) => isSameKey(each[id], other[id]))
    const others = (await matchingRows(context, valuesOf(model, key, row))).filter((each) => !isOwn(each))
    if (others.length > 0 || rows.slice(0, at).some(isSame)) throw DuplicateKey.of(model.name, key, row)
  }
}

function valuesOf({ byName }: ModelType, { properties }: TakenKey, row: Row): Condition {
  const tests = properties.flatMap((name): Condition[] => {
    const type = byName.get(name)?.type
    return type === undefined ? [] : [{ kind: 'test', path: [name], type, test: 'equals', value: row[name] }]
  })
  const [only, ...more] = tests
  return only !== undefined && more.length === 0 ? only : { kind: 'and', conditions: tests }
}
