import { compareForOrder, type ModelType, type Row, InvalidValue } from '@modelwire/core/connector'
import { createIdGenerator, type GenerateId } from '../generate-id.ts'
import { forgetIndexes, updateColumn } from './column.ts'
import type { IdKey } from './id-key.ts'
import { createLayout, type Layout } from './row-shape.ts'
import { forgetNumbers, updateNumber } from './number-list.ts'
import { updateUnique } from './unique-hash.ts'

/** The records of one model. A row stays in its slot for its lifetime; it is replaced, never changed. */
export interface Table {
  /** If several models share the records, the one attached last. */
  model: ModelType
  layout: Layout
  /** By slot; undefined if a row was removed. */
  rows: (Row | undefined)[]
  /** Slots by id; empty for models without one. */
  slots: Map<IdKey, number>
  /** The file key of the row in each slot, for a model without an id. */
  serials: number[]
  nextSerial: number
  size: number
  /** The rows are in the order of their ids, as when ids are generated here. */
  ascending: boolean
  lastId: unknown
  /** The next generated number id: greater than every id so far. */
  nextNumber: number
  /** The number of attempted inserts, successful or not; continues from a greater number used as an id. */
  additions: number
  /** Generates string ids. */
  readonly generateId: GenerateId
  /** Called before rows change. */
  beforeChange: (() => void) | undefined
  /** Inspects each row before any row of the operation is stored; it may throw. */
  beforeStore: ((row: Row) => void) | undefined
  /** The changes of the operation so far, if it may be undone. */
  changes: RowChange[] | undefined
}

/** A change of one row; `serial` if the model has no id. */
export interface RowChange {
  readonly before: Row | undefined
  readonly after: Row | undefined
  readonly serial: number | undefined
}

/** An empty table for `model`. */
export function createTable(model: ModelType): Table {
  return {
    model,
    layout: createLayout(model),
    rows: [],
    slots: new Map(),
    serials: [],
    nextSerial: 1,
    size: 0,
    ascending: true,
    lastId: undefined,
    nextNumber: 1,
    additions: 0,
    generateId: createIdGenerator(),
    beforeChange: undefined,
    beforeStore: undefined,
    changes: undefined
  }
}

/** Removes all rows and all memory of their ids. */
export function emptyTable(table: Table): void {
  const { model, layout, beforeChange } = table
  beforeChange?.()
  forgetSlots(layout)
  Object.assign(table, { ...createTable(model), layout, beforeChange })
}

/** The current layout of the model: other packages add properties until the application is built. */
export function currentLayout(table: Table): Layout {
  if (table.layout.properties !== table.model.properties) table.layout = createLayout(table.model, table.layout)
  return table.layout
}

/** The slot of the row with this id. */
export function slotOfId(table: Table, id: unknown): number | undefined {
  return table.slots.get(currentLayout(table).makeKey(id))
}

/** Adds a row whose id and unique values are free. */
export function appendRow(table: Table, row: Row): void {
  const { id, idOf, makeKey, numbers } = table.layout
  const slot = table.rows.push(row) - 1
  table.size++
  updateIndexes(table.layout, slot, undefined, row)
  for (const list of numbers) updateNumber(list, slot, row)
  if (id === undefined) {
    table.serials[slot] = table.nextSerial++
    noteChange(table, slot, undefined, row)
    return
  }
  noteChange(table, slot, undefined, row)
  const value = idOf(row)
  table.slots.set(makeKey(value), slot)
  if (table.ascending && compareForOrder(table.lastId, value) >= 0) table.ascending = false
  table.lastId = value
  countOn(table, value)
}

/** Replaces a row by another one with the same id. */
export function replaceRow(table: Table, slot: number, row: Row): void {
  const before = table.rows[slot]
  table.rows[slot] = row
  noteChange(table, slot, before, row)
  updateIndexes(table.layout, slot, before, row)
  for (const list of table.layout.numbers) updateNumber(list, slot, row)
}

/** Removes the row in `slot`. */
export function removeRow(table: Table, slot: number): void {
  const { id, idOf, makeKey } = table.layout
  const row = table.rows[slot]
  if (row === undefined) return
  table.rows[slot] = undefined
  noteChange(table, slot, row, undefined)
  table.size--
  updateIndexes(table.layout, slot, row, undefined)
  if (id !== undefined) table.slots.delete(makeKey(idOf(row)))
}

function updateIndexes(layout: Layout, slot: number, before: Row | undefined, after: Row | undefined): void {
  for (const column of layout.columns.values()) updateColumn(column, slot, before, after)
  for (const hash of layout.uniqueIndexes) updateUnique(hash, slot, before, after)
}

function noteChange(table: Table, slot: number, before: Row | undefined, after: Row | undefined): void {
  table.changes?.push({ before, after, serial: table.serials[slot] })
}

/** Makes the next generated id greater than `id`. */
export function countOn(table: Table, id: unknown): void {
  if (typeof id !== 'number' || id < table.nextNumber) return
  const next = Math.floor(id) + 1
  if (Number.isSafeInteger(next)) table.nextNumber = next
}

const fewHoles = 1024

/** Compacts the rows if there are more gaps from removed rows than rows; earlier slots become invalid. */
export function closeGaps(table: Table): void {
  if (table.rows.length <= 2 * table.size + fewHoles) return
  const slots = [...table.rows.keys()].filter((slot) => table.rows[slot] !== undefined)
  table.serials = table.layout.id === undefined ? slots.map((slot) => table.serials[slot] ?? 0) : []
  table.rows = table.rows.filter((row) => row !== undefined)
  table.slots = new Map([...table.slots.keys()].map((key, at) => [key, at]))
  forgetSlots(table.layout)
}

function forgetSlots({ columns, uniqueIndexes, numbers }: Layout): void {
  for (const hash of uniqueIndexes) hash.slots = undefined
  for (const column of columns.values()) forgetIndexes(column)
  for (const list of numbers) forgetNumbers(list)
}

/** The text of a row. @throws {InvalidValue} it holds what JSON cannot hold */
export function toJson(row: Row): string {
  try {
    return JSON.stringify(row)
  } catch (cause) {
    throw new InvalidValue('records in a file can only contain JSON values', { cause })
  }
}
