import type { PropertyType, Row, ValueType } from '@modelwire/core/connector'
import { addSlot, removeSlot, type Bucket } from './bucket.ts'
import { textKey } from './id-key.ts'
import { createSortedMap, type SortedMap } from './sorted-map.ts'

/** The key of a value in an index. */
export type ColumnKey = string | number

/** How values are compared: all of one kind, or of any kind if an index only enforces uniqueness. */
export type ColumnKind = 'number' | 'string' | 'boolean' | 'date' | 'other'

/** A property with an index. Both indexes are built on first use and maintained from then on. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly unique: boolean
  /** The rows by value, excluding those without a value. */
  hash: Map<ColumnKey, Bucket> | undefined
  sorted: SortedColumn | undefined
  /** The rows whose value is not of the declared kind. While there are any, the indexes are not used. */
  readonly mistypedSlots: Set<number>
  /** Whether `mistypedSlots` is maintained. */
  watched: boolean
}

/** The rows in the order of their values. Null counts as 0 among numbers, dates and booleans, as in `order`. */
export interface SortedColumn {
  readonly tree: SortedMap<ColumnKey, Bucket>
  absent: Bucket | undefined
  /** Rows with null, if values are strings. */
  nulls: Bucket | undefined
}

/** A column without its indexes. */
export function createColumn(property: PropertyType): Column {
  const { name, unique, id } = property
  return withoutIndexes({ name, kind: kindOf(property), unique: unique || id })
}

/** The same column without its indexes. */
export function withoutIndexes({ name, kind, unique }: Pick<Column, 'name' | 'kind' | 'unique'>): Column {
  return { name, kind, unique, hash: undefined, sorted: undefined, mistypedSlots: new Set(), watched: false }
}

/** How the values of a property are compared. */
export function kindOf({ type }: PropertyType): ColumnKind {
  return columnKinds[type.kind] ?? 'other'
}

/** The key of a value; undefined for null, for absent values and for those of another kind than the column's. */
export function columnKey(kind: ColumnKind, value: unknown): ColumnKey | undefined {
  if (value === null || value === undefined) return undefined
  return makeKey[kind](value)
}

/** Builds the index that finds rows by one value. */
export function buildHash(column: Column, rows: readonly (Row | undefined)[]): Map<ColumnKey, Bucket> {
  const hash = new Map<ColumnKey, Bucket>()
  for (const [slot, row] of rows.entries())
    if (row !== undefined) addToHash(hash, columnKey(column.kind, row[column.name]), slot)
  column.hash = hash
  watch(column, rows)
  return hash
}

/** Builds the index that finds rows by a range of values. */
export function buildSorted(column: Column, rows: readonly (Row | undefined)[]): SortedColumn {
  const hash = column.kind === 'other' ? new Map<ColumnKey, Bucket>() : bucketsByKey(column, rows)
  const entries = [...hash].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const sorted: SortedColumn = { tree: createSortedMap(entries), absent: undefined, nulls: undefined }
  for (const [slot, row] of rows.entries())
    if (row !== undefined) placeEmpty(sorted, column.kind, row[column.name], slot, addSlot)
  column.sorted = sorted
  watch(column, rows)
  return sorted
}

/** Updates the column's indexes for the changed row in `slot`; undefined means no row. */
export function updateColumn(column: Column, slot: number, before: Row | undefined, after: Row | undefined): void {
  const [old, value] = [before?.[column.name], after?.[column.name]]
  if (before !== undefined && after !== undefined && old === value) return
  if (before !== undefined) leave(column, slot, old)
  if (after !== undefined) enter(column, slot, value)
}

/** Drops the indexes, since their slots are invalid. */
export function forgetIndexes(column: Column): void {
  column.hash = undefined
  column.sorted = undefined
  column.watched = false
  column.mistypedSlots.clear()
}

/** Whether the column's indexes may be used to find rows. */
export function isUsable(column: Column): boolean {
  return column.mistypedSlots.size === 0
}

const columnKinds: Readonly<Partial<Record<ValueType['kind'], ColumnKind>>> = {
  number: 'number',
  integer: 'number',
  string: 'string',
  dateString: 'string',
  boolean: 'boolean',
  date: 'date'
}

const makeKey: Readonly<Record<ColumnKind, (value: unknown) => ColumnKey | undefined>> = {
  number: (value) => (typeof value === 'number' ? numberKey(value) : undefined),
  string: (value) => (typeof value === 'string' ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? Number(value) : undefined),
  date: (value) => (value instanceof Date ? numberKey(value.getTime()) : undefined),
  other: (value) => `${typeof value} ${textKey(value)}`
}

function numberKey(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value
}

function isMistyped({ kind }: Column, value: unknown): boolean {
  return value !== null && value !== undefined && columnKey(kind, value) === undefined
}

function watch(column: Column, rows: readonly (Row | undefined)[]): void {
  if (column.watched) return
  column.watched = true
  for (const [slot, row] of rows.entries())
    if (row !== undefined && isMistyped(column, row[column.name])) column.mistypedSlots.add(slot)
}

function bucketsByKey(column: Column, rows: readonly (Row | undefined)[]): Map<ColumnKey, Bucket> {
  const buckets = new Map<ColumnKey, Bucket>()
  for (const [slot, row] of rows.entries())
    if (row !== undefined) addToHash(buckets, sortedKey(column.kind, row[column.name]), slot)
  return buckets
}

/** Null has a place among numbers, but texts have none for it. */
function sortedKey(kind: ColumnKind, value: unknown): ColumnKey | undefined {
  return value === null && kind !== 'string' ? 0 : columnKey(kind, value)
}

function addToHash(hash: Map<ColumnKey, Bucket>, key: ColumnKey | undefined, slot: number): void {
  if (key !== undefined) hash.set(key, addSlot(hash.get(key), slot))
}

function removeFrom(map: Map<ColumnKey, Bucket> | SortedMap<ColumnKey, Bucket>, key: ColumnKey, slot: number): void {
  const bucket = map.get(key)
  const rest = removeSlot(bucket, slot)
  if (rest === undefined) map.delete(key)
  else if (rest !== bucket) map.set(key, rest)
}

function enter(column: Column, slot: number, value: unknown): void {
  const { kind, hash, sorted } = column
  if (column.watched && isMistyped(column, value)) column.mistypedSlots.add(slot)
  if (hash !== undefined) addToHash(hash, columnKey(kind, value), slot)
  if (sorted === undefined) return
  const key = sortedKey(kind, value)
  if (key === undefined) placeEmpty(sorted, kind, value, slot, addSlot)
  else addToTree(sorted.tree, key, slot)
}

function addToTree(tree: SortedMap<ColumnKey, Bucket>, key: ColumnKey, slot: number): void {
  const bucket = tree.get(key)
  const more = addSlot(bucket, slot)
  if (more !== bucket) tree.set(key, more)
}

function leave(column: Column, slot: number, value: unknown): void {
  const { kind, hash, sorted } = column
  column.mistypedSlots.delete(slot)
  const hashKey = columnKey(kind, value)
  if (hash !== undefined && hashKey !== undefined) removeFrom(hash, hashKey, slot)
  if (sorted === undefined) return
  const key = sortedKey(kind, value)
  if (key === undefined) placeEmpty(sorted, kind, value, slot, removeSlot)
  else removeFrom(sorted.tree, key, slot)
}

type Place = (bucket: Bucket | undefined, slot: number) => Bucket | undefined

function placeEmpty(sorted: SortedColumn, kind: ColumnKind, value: unknown, slot: number, place: Place): void {
  if (value === undefined) sorted.absent = place(sorted.absent, slot)
  else if (value === null && kind === 'string') sorted.nulls = place(sorted.nulls, slot)
}
