import { DuplicateKey } from '@modelwire/core'
import { type Row, TransactionConflict } from '@modelwire/core/connector'
import type { TableChange } from '../file/change-lines.ts'
import { fileKey } from '../file/table-records.ts'
import { checkRows } from '../table/write-rows.ts'
import type { IdKey } from '../table/id-key.ts'
import { appendRow, closeGaps, currentLayout, removeRow, replaceRow, type Table } from '../table/table.ts'
import { slotFinder, type View } from './view.ts'

/**
 * Applies the changes of a transaction to the shared tables atomically; resolves when the file has them.
 * @throws {TransactionConflict} somebody else changed the same rows or locked ones, took a unique value, or, where the transaction is
 *   serializable, changed what it read
 */
export async function commitViews(views: readonly View[], isSerializable: boolean): Promise<void> {
  const written = views.filter(({ writes }) => writes.size > 0)
  for (const view of views) checkLocked(view)
  if (isSerializable && written.length > 0) for (const view of views) checkReads(view)
  for (const view of written) checkWrites(view)
  const changes = written.map(apply)
  const [first] = written
  // All tables of a connector have the same file.
  const kept = first?.shared.dataFile()?.recordAll(changes)
  for (const { table } of changes) closeGaps(table)
  await kept
}

/** @throws {TransactionConflict} somebody else changed one of the rows since the transaction began */
export function checkUnchanged({ shared, writes }: View, keys: Iterable<IdKey>): void {
  const { table } = shared
  const findSlot = slotFinder(table)
  for (const key of keys) if (rowIn(table, findSlot(key)) !== writes.get(key)?.before) throw conflictIn(table)
}

/** What the transaction wrote itself is compared as it was before. */
function checkLocked({ shared, version, locked, writes }: View): void {
  const { table } = shared
  if (shared.version === version) return
  const findSlot = slotFinder(table)
  for (const [key, row] of locked) if (!writes.has(key) && rowIn(table, findSlot(key)) !== row) throw conflictIn(table)
}

function checkReads({ shared, version, isSearched, asked }: View): void {
  const { table } = shared
  if (shared.version === version) return
  const findSlot = slotFinder(table)
  const isStale = [...asked].some(([key, row]) => rowIn(table, findSlot(key)) !== row)
  if (isSearched || isStale) throw conflictIn(table)
}

function checkWrites(view: View): void {
  const { shared, writes, version } = view
  const { table } = shared
  if (shared.version === version) return
  currentLayout(table)
  checkUnchanged(view, writes.keys())
  const findSlot = slotFinder(table)
  const replaced = new Set([...writes.keys()].map(findSlot).filter((slot) => slot !== undefined))
  const rows = [...writes.values()].map(({ after }) => after).filter((row) => row !== undefined)
  try {
    checkRows(table, rows, replaced)
  } catch (cause) {
    // Done again, the work finds the value taken, and can answer to that.
    throw cause instanceof DuplicateKey ? conflictIn(table, cause) : cause
  }
}

function apply({ shared, writes }: View): TableChange {
  const { table } = shared
  const findSlot = slotFinder(table)
  const slots: number[] = []
  const deletes: string[] = []
  currentLayout(table)
  table.beforeChange?.()
  for (const [key, { after }] of writes) {
    const slot = findSlot(key)
    if (after !== undefined) slots.push(put(table, slot, after))
    else if (slot !== undefined) {
      deletes.push(fileKey(table, slot))
      removeRow(table, slot)
    }
  }
  return { table, slots, deletes }
}

function put(table: Table, slot: number | undefined, row: Row): number {
  if (slot === undefined) appendRow(table, row)
  else replaceRow(table, slot, row)
  return slot ?? table.rows.length - 1
}

function rowIn(table: Table, slot: number | undefined): Row | undefined {
  return slot === undefined ? undefined : table.rows[slot]
}

function conflictIn({ model }: Table, cause?: unknown): TransactionConflict {
  return new TransactionConflict(`records of ${model.name} have changed since the transaction began`, {
    cause
  })
}
