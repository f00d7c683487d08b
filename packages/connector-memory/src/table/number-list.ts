import type { PropertyType, Row } from '@modelwire/core/connector'
import { columnKey, kindOf } from './column.ts'

/**
 * The numbers of one property in one array: a date is its time, a boolean 0 or 1. Rows are scattered in memory, and more
 * than some thousands of them do not fit into a processor's cache; their numbers do.
 */
export interface NumberList {
  readonly name: string
  readonly kind: 'number' | 'date' | 'boolean'
  /** By slot: NaN if the row's value is not of the kind. Built on first use and maintained from then on. */
  values: Float64Array | undefined
}

/** The list of a property, without its values yet; empty for properties of other kinds. */
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

/** Updates the list for the current row in `slot`. */
export function updateNumber(list: NumberList, slot: number, row: Row): void {
  if (list.values === undefined) return
  if (slot >= list.values.length) list.values = grow(list.values, slot)
  list.values[slot] = readNumber(list, row)
}

/** Drops the values, since the slots of rows have changed. */
export function forgetNumbers(list: NumberList): void {
  list.values = undefined
}

/** NaN if the row has no value of the kind. */
export function readNumber({ name, kind }: NumberList, row: Row | undefined): number {
  const key = row && columnKey(kind, row[name])
  return typeof key === 'number' ? key : NaN
}

function grow(values: Float64Array, slot: number): Float64Array {
  const grown = new Float64Array(2 * (slot + 1))
  grown.set(values)
  return grown
}
