import { DuplicateKey } from '@modelwire/core'
import { type ModelType, type Row, type TakenKey, uniqueKeysOf } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { addSlot, removeSlot, slotsOf, type Bucket } from './bucket.ts'
import { columnKey, type ColumnKind, kindOf } from './column.ts'

/** The rows by the values of a unique index of the model. Built on first use and maintained from then on. */
export interface UniqueHash {
  readonly key: TakenKey
  readonly parts: readonly { readonly path: readonly string[]; readonly kind: ColumnKind }[]
  slots: Map<string, Bucket> | undefined
}

/** The unique indexes of a model. Unique properties are columns of their own. */
export function createUniqueHashes(model: ModelType): readonly UniqueHash[] {
  return uniqueKeysOf(model)
    .filter(({ index }) => index !== undefined)
    .map((key) => ({ key, parts: key.properties.map((name) => partOf(model, name)), slots: undefined }))
}

function partOf({ byName }: ModelType, name: string): UniqueHash['parts'][number] {
  const property = byName.get(name)
  return property === undefined ? { path: name.split('.'), kind: 'other' } : { path: [name], kind: kindOf(property) }
}

/** Updates the hash for the changed row in `slot`; undefined means no row. */
export function updateUnique(hash: UniqueHash, slot: number, before: Row | undefined, after: Row | undefined): void {
  const { slots } = hash
  if (slots === undefined) return
  const [old, key] = [before && keyOf(hash, before), after && keyOf(hash, after)]
  if (old === key) return
  const rest = old === undefined ? undefined : removeSlot(slots.get(old), slot)
  if (old !== undefined && rest === undefined) slots.delete(old)
  else if (old !== undefined && rest !== undefined) slots.set(old, rest)
  if (key !== undefined) slots.set(key, addSlot(slots.get(key), slot))
}

/**
 * Checks that `rows` collide neither with each other nor with the stored ones in slots other than `replaced`.
 * @throws {DuplicateKey}
 */
export function checkUnique(
  hash: UniqueHash,
  rows: readonly Row[],
  { model, stored, replaced }: { model: ModelType; stored: readonly (Row | undefined)[]; replaced: Replaced }
): void {
  const slots = hash.slots ?? build(hash, stored)
  const seen = new Set<string>()
  for (const row of rows) {
    const key = keyOf(hash, row)
    if (key === undefined) continue
    const isTaken = seen.has(key) || [...slotsOf(slots.get(key))].some((slot) => !replaced.has(slot))
    if (isTaken) throw DuplicateKey.of(model.name, hash.key, row)
    seen.add(key)
  }
}

/** The slots of the rows that make room. */
type Replaced = Pick<ReadonlySet<number>, 'has'>

function build(hash: UniqueHash, rows: readonly (Row | undefined)[]): Map<string, Bucket> {
  hash.slots = new Map()
  for (const [slot, row] of rows.entries()) updateUnique(hash, slot, undefined, row)
  return hash.slots
}

/** Undefined if a value is missing: such rows never collide, as in SQL. */
function keyOf({ parts }: UniqueHash, row: Row): string | undefined {
  const keys: string[] = []
  for (const { path, kind } of parts) {
    const key = columnKey(kind, valueAt(row, path))
    if (key === undefined) return undefined
    // Text keys tell -0 from 0, which are one number.
    keys.push(typeof key === 'number' ? String(key + 0) : key)
  }
  return JSON.stringify(keys)
}

function valueAt(row: Row, path: readonly string[]): unknown {
  let value: unknown = row
  for (const name of path) value = isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}
