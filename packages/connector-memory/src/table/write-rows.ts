import { randomUUID } from 'node:crypto'
import type { Row } from '@modelwire/core/connector'
import { checkChangedRows, checkNewRows } from './check-unique.ts'
import { setOwn } from './row-shape.ts'
import { appendRow, closeGaps, countOn, currentLayout, removeRow, replaceRow, slotOfId } from './table.ts'
import type { Table } from './table.ts'

/**
 * Stores all rows or none, with ids for those that have none.
 * @throws {DuplicateKey}
 */
export function insertRows(table: Table, rows: readonly Row[]): Row[] {
  currentLayout(table)
  const before = table.nextNumber
  const shaped = rows.map((row) => shapeNew(table, row))
  try {
    checkNewRows(table, shaped)
    for (const row of shaped) table.beforeStore?.(row)
  } catch (error) {
    table.nextNumber = before
    throw error
  }
  if (shaped.length > 0) table.beforeChange?.()
  for (const row of shaped) appendRow(table, row)
  return shaped
}

/**
 * Sets the properties of `patch` in the rows of `slots`, all or none. What is undefined in `patch` stays as it is, and
 * so do ids.
 * @throws {DuplicateKey}
 */
export function updateRows(table: Table, slots: readonly number[], patch: Row): void {
  const { id } = currentLayout(table)
  const entries = Object.entries(patch).filter(([name, value]) => value !== undefined && name !== id?.name)
  const changed = new Map<number, Row>()
  for (const slot of slots) changed.set(slot, patchRow(table, slot, entries))
  putRows(table, changed, (name) => patch[name] !== undefined)
}

/**
 * Patches the row with `row`'s id or inserts it.
 * @throws {DuplicateKey}
 */
export function upsertRow(table: Table, row: Row): { slot: number; created: boolean } {
  const { id } = currentLayout(table)
  const slot = id === undefined || lacksId(table, row[id.name]) ? undefined : slotOfId(table, row[id.name])
  if (slot !== undefined) updateRows(table, [slot], row)
  else insertRows(table, [row])
  return { slot: slot ?? table.rows.length - 1, created: slot === undefined }
}

/**
 * Puts `row` in place of the row in `slot`; it keeps that row's id.
 * @throws {DuplicateKey}
 */
export function replaceWhole(table: Table, slot: number, row: Row): void {
  const { id, shape } = currentLayout(table)
  const shaped = shape(row)
  if (id !== undefined) shaped[id.name] = table.rows[slot]?.[id.name]
  putRows(table, new Map([[slot, shaped]]), () => true)
}

/** Removes the rows of `slots`. */
export function deleteRows(table: Table, slots: readonly number[]): void {
  currentLayout(table)
  if (slots.length > 0) table.beforeChange?.()
  for (const slot of slots) removeRow(table, slot)
  closeGaps(table)
}

function shapeNew(table: Table, row: Row): Row {
  const { id, shape } = table.layout
  const shaped = shape(row)
  if (id === undefined) return shaped
  countAddition(table, shaped[id.name])
  if (lacksId(table, shaped[id.name])) shaped[id.name] = isText(id.type.kind) ? textId(table) : table.nextNumber
  countOn(table, shaped[id.name])
  return shaped
}

function countAddition(table: Table, id: unknown): void {
  const number = Math.floor(Number(id))
  const isFurther = Number.isSafeInteger(number) && number > table.additions
  table.additions = isFurther ? number : Math.max(table.additions, table.size) + 1
}

/** LB3: texts that are not declared to be generated are counted, pinned by relations/through-string-id. */
function textId(table: Table): string {
  const { model, layout, generateId } = table
  const generated = layout.id?.definition.generated
  if (generated === 'uuid') return randomUUID()
  if (!model.registry.rules.countsTextIds || (generated !== undefined && generated !== false)) return generateId()
  // A file does not keep the count.
  while (table.slots.has(layout.makeKey(String(table.additions)))) table.additions++
  return String(table.additions)
}

/** LB3: an id that is falsy is made; loopback-datasource-juggler, lib/connectors/memory.js, create */
function lacksId({ model }: Table, id: unknown): boolean {
  return id === undefined || id === null || (model.registry.rules.replacesFalsyIds && (id === 0 || id === ''))
}

function isText(kind: string): boolean {
  return kind === 'string' || kind === 'text' || kind === 'dateString'
}

function patchRow(table: Table, slot: number, entries: readonly (readonly [string, unknown])[]): Row {
  const row = table.layout.shape(table.rows[slot] ?? {})
  for (const [name, value] of entries) setOwn(row, name, value)
  return row
}

function putRows(table: Table, rows: ReadonlyMap<number, Row>, changed: (name: string) => boolean): void {
  checkChangedRows(table, rows, changed)
  for (const row of rows.values()) table.beforeStore?.(row)
  if (rows.size > 0) table.beforeChange?.()
  for (const [slot, row] of rows) replaceRow(table, slot, row)
}
