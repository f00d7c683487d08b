import { compareForOrder } from '@modelwire/core/connector'
import type { ModelType, Row } from '@modelwire/core/connector'
import { createIdGenerator } from '../generate-id.ts'
import type { GenerateId } from '../generate-id.ts'
import { forgetIndexes, updateColumn } from './column.ts'
import type { IdKey } from './id-key.ts'
import { createLayout } from './layout.ts'
import type { Layout } from './layout.ts'
import { forgetNumbers, updateNumber } from './number-list.ts'

/** The records of one model. A row stays in its slot while it lives; it is replaced, never changed. */
export interface Table {
  /** Of several models that share the records the one that was attached last. */
  model: ModelType
  layout: Layout
  /** By slot; undefined where a row was removed. */
  rows: (Row | undefined)[]
  /** Slots by id; empty for models without one. */
  slots: Map<IdKey, number>
  /** What stands in a file for the row of each slot of a model without an id. */
  serials: number[]
  nextSerial: number
  size: number
  /** The rows lie in the order of their ids, as they do when ids are made here. */
  ascending: boolean
  lastId: unknown
  /** The number id that is made next: above every one ever seen. */
  nextNumber: number
  /** The number of attempted inserts, whether or not they succeeded; a greater number as an id counts on. */
  additions: number
  /** Makes text ids. */
  readonly generateId: GenerateId
  /** Called before rows change, with nothing changed yet. */
  beforeChange: (() => void) | undefined
  /** Looks at each row before anything of the operation is stored; it may throw. */
  beforeStore: ((row: Row) => void) | undefined
  /** What the operation has done until now, where it may have to be undone. */
  changes: RowChange[] | undefined
}

/** What happened to one row; `serial` where the model has no id. */
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

/** Removes all rows and forgets which ids there were. */
export function emptyTable(table: Table): void {
  const { model, layout, beforeChange } = table
  beforeChange?.()
  forgetSlots(layout)
  Object.assign(table, { ...createTable(model), layout, beforeChange })
}

/** The layout of the model as it is now: other packages add properties until the application is built. */
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
  const { id, makeKey, columns, numbers } = table.layout
  const slot = table.rows.push(row) - 1
  table.size++
  for (const column of columns.values()) updateColumn(column, slot, undefined, row)
  for (const list of numbers) updateNumber(list, slot, row)
  if (id === undefined) {
    table.serials[slot] = table.nextSerial++
    noteChange(table, slot, undefined, row)
    return
  }
  noteChange(table, slot, undefined, row)
  const value = row[id.name]
  table.slots.set(makeKey(value), slot)
  if (table.ascending && compareForOrder(table.lastId, value) >= 0) table.ascending = false
  table.lastId = value
  countOn(table, value)
}

/** Puts another row, with the same id, in place of one. */
export function replaceRow(table: Table, slot: number, row: Row): void {
  const before = table.rows[slot]
  table.rows[slot] = row
  noteChange(table, slot, before, row)
  for (const column of table.layout.columns.values()) updateColumn(column, slot, before, row)
  for (const list of table.layout.numbers) updateNumber(list, slot, row)
}

/** Removes the row in `slot`. */
export function removeRow(table: Table, slot: number): void {
  const { id, makeKey, columns } = table.layout
  const row = table.rows[slot]
  if (row === undefined) return
  table.rows[slot] = undefined
  noteChange(table, slot, row, undefined)
  table.size--
  for (const column of columns.values()) updateColumn(column, slot, row, undefined)
  if (id !== undefined) table.slots.delete(makeKey(row[id.name]))
}

function noteChange(table: Table, slot: number, before: Row | undefined, after: Row | undefined): void {
  table.changes?.push({ before, after, serial: table.serials[slot] })
}

/** Makes the next generated id larger than `id`. */
export function countOn(table: Table, id: unknown): void {
  if (typeof id !== 'number' || id < table.nextNumber) return
  const next = Math.floor(id) + 1
  if (Number.isSafeInteger(next)) table.nextNumber = next
}

const fewHoles = 1024

/** Closes the gaps that removed rows left when they are more than the rows; slots known from before are void. */
export function closeGaps(table: Table): void {
  if (table.rows.length <= 2 * table.size + fewHoles) return
  const slots = [...table.rows.keys()].filter((slot) => table.rows[slot] !== undefined)
  table.serials = table.layout.id === undefined ? slots.map((slot) => table.serials[slot] ?? 0) : []
  table.rows = table.rows.filter((row) => row !== undefined)
  table.slots = new Map([...table.slots.keys()].map((key, at) => [key, at]))
  forgetSlots(table.layout)
}

function forgetSlots({ columns, numbers }: Layout): void {
  for (const column of columns.values()) forgetIndexes(column)
  for (const list of numbers) forgetNumbers(list)
}
