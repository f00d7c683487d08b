import type { Collection, Row } from '@modelwire/core/connector'
import { createCollection } from '../memory-collection.ts'
import { copyTable } from '../table/copy-table.ts'
import type { IdKey } from '../table/id-key.ts'
import { currentLayout, type Table } from '../table/table.ts'
import type { SharedTable } from './view-collection.ts'

/**
 * A model as one transaction sees it: the shared table until that changes, then a copy from before, and its own copy from
 * the first write on.
 */
export interface View {
  readonly shared: SharedTable
  table: Table
  records: Collection
  isOwn: boolean
  /** The version of the shared table when the transaction began. */
  readonly version: number
  /** The transaction's changes of rows, by id, or by serial if the model has none. */
  readonly writes: Map<IdKey, Write>
  /** A condition was evaluated: any change of the model could change the result. */
  isSearched: boolean
  /** The rows that were read by id, in their state at that time. */
  readonly asked: Map<IdKey, Row | undefined>
  /** Rows that are locked, as they were then. */
  readonly locked: Map<IdKey, Row>
}

/** A row before its first and after its last change. Rows are replaced, never changed: another object is another row. */
export interface Write {
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** A copy read by transactions that began before the shared table changed. */
export type Snapshot = Pick<View, 'table' | 'records'>

/** A copy of a table, with its reader and writer. */
export function takeSnapshot(table: Table): Snapshot {
  const copy = copyTable(table)
  return { table: copy, records: createCollection(copy, noFile) }
}

const noFile = (): undefined => undefined

/** The view of a transaction that begins with the current shared table. */
export function createView(shared: SharedTable): View {
  const { table, collection: records, version } = shared
  return {
    shared,
    table,
    records,
    isOwn: false,
    version,
    writes: new Map(),
    isSearched: false,
    asked: new Map(),
    locked: new Map()
  }
}

/** Gives the view its own copy of the table. */
export function makeOwn(view: View): void {
  if (!view.isOwn) Object.assign(view, takeSnapshot(view.table), { isOwn: true })
}

/** Records the changes of the view's own table since the last call; returns the keys that are written for the first time. */
export function noteWrites({ table, writes }: View): readonly IdKey[] {
  const { changes = [], layout } = table
  table.changes = []
  const added: IdKey[] = []
  for (const { before, after, serial = 0 } of changes) {
    const { id, idOf, makeKey } = layout
    const key = id === undefined ? serial : makeKey(idOf(after ?? before ?? {}))
    const earlier = writes.get(key)
    if (earlier === undefined) added.push(key)
    writes.set(key, { before: earlier === undefined ? before : earlier.before, after })
  }
  return added
}

/** Notes rows as locked, and returns the keys of their locks. Rows without an id have none. */
export function lockRows({ table, locked }: View, rows: readonly Row[]): readonly string[] {
  const { id, idOf, makeKey } = currentLayout(table)
  if (id === undefined) return []
  return rows.map((row) => {
    const key = makeKey(idOf(row))
    const stored = table.rows[table.slots.get(key) ?? -1]
    if (stored !== undefined && !locked.has(key)) locked.set(key, stored)
    return `row ${table.model.name} ${JSON.stringify(key)}`
  })
}

/** Finds the slots of rows in a table by the keys of `writes`. */
export function slotFinder({ layout, slots, serials, rows }: Table): (key: IdKey) => number | undefined {
  if (layout.id !== undefined) return (key) => slots.get(key)
  const bySerial = new Map<IdKey, number>()
  for (const [slot, serial] of serials.entries()) if (rows[slot] !== undefined) bySerial.set(serial, slot)
  return (key) => bySerial.get(key)
}
