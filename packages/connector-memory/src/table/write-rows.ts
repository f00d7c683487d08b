import { randomUUID } from 'node:crypto'
import { checkViolated, ConstraintViolated, passesCheck, type Row } from '@modelwire/core/connector'
import { setOwn } from './row-shape.ts'
import { appendRow, closeGaps, countOn, currentLayout, removeRow, replaceRow, slotOfId, type Table } from './table.ts'
import { DuplicateKey } from '@modelwire/core'
import { slotsOf } from './bucket.ts'
import { buildHash, columnKey, type Column, type ColumnKey } from './column.ts'
import type { IdKey } from './id-key.ts'
import { checkUnique } from './unique-hash.ts'

/** Slots, with or without further knowledge of them. */
type Slots = Pick<ReadonlySet<number>, 'has'>

const none: Slots = new Set()

/**
 * Stores all rows or none, generating missing ids.
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
 * Sets the properties of `patch` in the rows of `slots`, all or none. Undefined properties of `patch`, and ids, stay
 * unchanged.
 * @throws {DuplicateKey}
 */
export function updateRows(table: Table, slots: readonly number[], patch: Row): void {
  currentLayout(table)
  const { keyNames } = table.model
  const entries = Object.entries(patch).filter(([name, value]) => value !== undefined && !keyNames.includes(name))
  const changed = new Map<number, Row>()
  for (const slot of slots) changed.set(slot, patchRow(table, slot, entries))
  putRows(table, changed, (name) => patch[name] !== undefined)
}

/**
 * Patches the row with `row`'s id, or inserts it with `defaults`.
 * @throws {DuplicateKey}
 */
export function upsertRow(table: Table, row: Row, defaults?: Readonly<Row>): { slot: number; created: boolean } {
  const { id, idOf } = currentLayout(table)
  const slot = id === undefined || lacksId(table, idOf(row)) ? undefined : slotOfId(table, idOf(row))
  if (slot !== undefined) updateRows(table, [slot], row)
  else insertRows(table, [{ ...row, ...defaults }])
  return { slot: slot ?? table.rows.length - 1, created: slot === undefined }
}

/**
 * Replaces the row in `slot` by `row`, keeping its id.
 * @throws {DuplicateKey}
 */
export function replaceWhole(table: Table, slot: number, row: Row): void {
  const { shape } = currentLayout(table)
  const shaped = shape(row)
  for (const name of table.model.keyNames) shaped[name] = table.rows[slot]?.[name]
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
  const { id, idOf, key, shape } = table.layout
  const shaped = shape(row)
  if (id === undefined) return shaped
  if (key.length > 1) {
    if (idOf(shaped) === undefined) throw new ConstraintViolated(`the id of a ${table.model.name} lacks a part`)
    return shaped
  }
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

/**
 * Checks that new rows collide neither with stored ones nor with each other.
 * @throws {DuplicateKey}
 */
function checkNewRows(table: Table, rows: readonly Row[]): void {
  checkIds(table, rows)
  checkRows(table, rows, none)
}

/** @throws {ValidationError} a row violates a check of the model */
function checkModel({ model }: Table, rows: readonly Row[]): void {
  for (const check of model.checks) if (!rows.every((row) => passesCheck(check, row))) throw checkViolated(model, check)
}

/**
 * Checks what rows are going to be, by the slots they have now, in all unique columns that `changed` names.
 * @throws {DuplicateKey}
 */
function checkChangedRows(table: Table, rows: ReadonlyMap<number, Row>, changed: (name: string) => boolean): void {
  const { uniques, uniqueIndexes } = table.layout
  const after = [...rows.values()]
  checkModel(table, after)
  for (const column of uniques) if (changed(column.name)) checkColumn(table, column, after, rows)
  for (const hash of uniqueIndexes)
    if (hash.parts.some(({ path: [name = ''] }) => changed(name)))
      checkUnique(hash, after, { model: table.model, stored: table.rows, replaced: rows })
}

/**
 * Checks that `rows` violate no unique column or index, neither among themselves nor with rows in slots other than `replaced`.
 * @throws {DuplicateKey}
 */
export function checkRows(table: Table, rows: readonly Row[], replaced: Slots): void {
  checkModel(table, rows)
  const { model, layout, rows: stored } = table
  for (const column of layout.uniques) checkColumn(table, column, rows, replaced)
  for (const hash of layout.uniqueIndexes) checkUnique(hash, rows, { model, stored, replaced })
}

function checkIds(table: Table, rows: readonly Row[]): void {
  const { id, idOf, makeKey } = table.layout
  if (id === undefined) return
  const { name, keyNames: properties } = table.model
  const seen = new Set<IdKey>()
  for (const row of rows) {
    const key = makeKey(idOf(row))
    if (table.slots.has(key) || seen.has(key))
      throw new DuplicateKey(name, { index: undefined, properties }, properties.length === 1 ? idOf(row) : undefined)
    if (rows.length > 1) seen.add(key)
  }
}

/** `replaced` are the rows that make room: what stands in their slots now does not count. */
function checkColumn(table: Table, column: Column, rows: readonly Row[], replaced: Slots): void {
  const hash = column.hash ?? buildHash(column, table.rows)
  const seen = new Set<ColumnKey>()
  for (const row of rows) {
    const value = row[column.name]
    const key = columnKey(column.kind, value)
    if (key === undefined) continue
    const isTaken = seen.has(key) || [...slotsOf(hash.get(key))].some((slot) => !replaced.has(slot))
    if (isTaken) throw new DuplicateKey(table.model.name, column.name, value)
    seen.add(key)
  }
}
