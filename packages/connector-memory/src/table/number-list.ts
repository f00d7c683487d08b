import type { PropertyType, Row } from '@modelwire/core/connector'
import { columnKey, kindOf } from './column.ts'

/**
 * The numbers of one property, side by side: a date is its time, a boolean 0 or 1. Rows lie apart in memory, and more than
 * some thousands of them do not fit into a processor's cache; their numbers do.
 */
export interface NumberList {
  readonly name: string
  readonly kind: 'number' | 'date' | 'boolean'
  /** By slot: NaN where the row's value is not of the kind. Made when it is first needed and kept up from then on. */
  values: Float64Array | undefined
}

/** The list of a property, still without its values; none for properties of other kinds. */
export function createNumberLists(property: PropertyType): NumberList[] {
  const kind = kindOf(property)
  return kind === 'number' || kind === 'date' || kind === 'boolean'
    ? [{ name: property.name, kind, values: undefined }]
    : []
}

/** The values of all rows. */
export function valuesOf(list: NumberList, rows: readonly (Row | undefined)[]): Float64Array {
  list.values ??= Float64Array.from(rows, (row) => readNumber(list, row))
  return list.values
}

/** Updates the list for the row that is now in `slot`. */
export function updateNumber(list: NumberList, slot: number, row: Row): void {
  if (list.values === undefined) return
  if (slot >= list.values.length) list.values = grow(list.values, slot)
  list.values[slot] = readNumber(list, row)
}

/** Drops the values: the slots of rows have changed. */
export function forgetNumbers(list: NumberList): void {
  list.values = undefined
}

/** NaN where the row has no value of the kind. */
export function readNumber({ name, kind }: NumberList, row: Row | undefined): number {
  const key = row && columnKey(kind, row[name])
  return typeof key === 'number' ? key : NaN
}

function grow(values: Float64Array, slot: number): Float64Array {
  const grown = new Float64Array(2 * (slot + 1))
  grown.set(values)
  return grown
}
