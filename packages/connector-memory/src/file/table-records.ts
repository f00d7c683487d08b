import { compareForOrder, type PropertyType, type Row, type ValueType } from '@modelwire/core/connector'
import { DataFileBroken } from '../errors.ts'
import { textKey } from '../table/id-key.ts'
import type { Layout } from '../table/row-shape.ts'
import { appendRow, currentLayout, type Table } from '../table/table.ts'
import type { FileRecord } from './file-data.ts'
import type { ModelSnapshot } from './write-snapshot.ts'

/** Converts a JSON value to the in-memory value of its type. */
type Revive = (value: unknown) => unknown

/** The key of the row in `slot` in a file. */
export function fileKey(table: Table, slot: number): string {
  return keyOf(table.layout, table.rows[slot], table.serials[slot])
}

/**
 * Stores the records of a file in an empty table, all or none. Returns those whose key in the file differs from their key
 * here: LoopBack 3 formats keys of dates, for instance, differently.
 * @throws {DataFileBroken} a record is not a JSON object
 */
export function fillTable(
  table: Table,
  records: ReadonlyMap<string, FileRecord>,
  nextId: number,
  file: string
): readonly MovedRecord[] {
  const { id, idOf, key: parts, shape, properties } = currentLayout(table)
  const revive = makeRowReviver(properties)
  const loaded: { readonly key: string; readonly row: Row }[] = []
  for (const [key, record] of records) {
    const row = shape(revive(readRecord(record, key, table, file)))
    if (id !== undefined && parts.length === 1 && row[id.name] === undefined)
      row[id.name] = id.type.kind === 'number' ? Number(key) : key
    loaded.push({ key, row })
  }
  // In the order of ids nothing has to be sorted later.
  if (id !== undefined) loaded.sort((a, b) => compareForOrder(idOf(a.row), idOf(b.row)))
  const moved: MovedRecord[] = []
  for (const { key, row } of loaded) {
    if (id === undefined) table.nextSerial = Math.max(table.nextSerial, Number(key) || 0)
    appendRow(table, row)
    const slot = table.rows.length - 1
    if (fileKey(table, slot) !== key) moved.push({ slot, oldKey: key })
  }
  table.nextNumber = Math.max(table.nextNumber, nextId)
  table.nextSerial = Math.max(table.nextSerial, nextId)
  return moved
}

/** A record whose key in the file differs from that of its row. */
export interface MovedRecord {
  readonly slot: number
  readonly oldKey: string
}

/** The number that LoopBack 3 stores under `ids`. */
export function nextIdOf(table: Table): number {
  return table.layout.id === undefined ? table.nextSerial : table.nextNumber
}

/** The table's current state, to be written later: rows are replaced, never changed. */
export function captureTable(table: Table): ModelSnapshot {
  const records = listRecords(currentLayout(table), [...table.rows], [...table.serials])
  return { model: table.model.name, nextId: nextIdOf(table), records }
}

function* listRecords(
  layout: Layout,
  rows: readonly (Row | undefined)[],
  serials: readonly number[]
): Iterable<readonly [string, Row]> {
  for (const [slot, row] of rows.entries()) if (row !== undefined) yield [keyOf(layout, row, serials[slot]), row]
}

function keyOf({ id, idOf }: Layout, row: Row | undefined, serial: number | undefined): string {
  return id === undefined ? String(serial) : textKey(row && idOf(row))
}

function readRecord(record: FileRecord, key: string, table: Table, file: string): Row {
  const value: unknown = typeof record === 'string' ? parseRecord(record, key, table, file) : record
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DataFileBroken(`record ${key} is not an object`, { file, model: table.model.name })
  }
  // JSON has no other objects.
  return value as Row
}

function parseRecord(record: string, key: string, table: Table, file: string): unknown {
  try {
    return JSON.parse(record)
  } catch (cause) {
    throw new DataFileBroken(`record ${key} is not valid JSON`, { file, model: table.model.name }, { cause })
  }
}

/** How rows of a model come back from JSON, which has neither dates nor binary data. */
function makeRowReviver(properties: readonly PropertyType[]): (row: Row) => Row {
  const revivers = revivable(properties)
  return (row) => {
    for (const [name, revive] of revivers) if (Object.hasOwn(row, name)) row[name] = revive(row[name])
    return row
  }
}

/** How values of one type come back; undefined where JSON has them already. */
function makeReviver(type: ValueType): Revive | undefined {
  if (type.kind === 'date') return reviveDate
  if (type.kind === 'buffer') return reviveBuffer
  if (type.kind === 'array') return type.items && reviveItems(makeReviver(type.items))
  return type.kind === 'nested' ? reviveNested(type.properties) : undefined
}

function revivable(properties: readonly PropertyType[]): readonly (readonly [string, Revive])[] {
  return properties.flatMap(({ name, type }) => {
    const revive = makeReviver(type)
    return revive === undefined ? [] : [[name, revive] as const]
  })
}

function reviveDate(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : date
}

/** As `JSON.stringify` writes a buffer, and LoopBack 3 with it. */
function reviveBuffer(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('data' in value)) return value
  return Array.isArray(value.data) ? Buffer.from(value.data) : value
}

function reviveItems(revive: Revive | undefined): Revive | undefined {
  if (revive === undefined) return undefined
  return (value) => (Array.isArray(value) ? value.map(revive) : value)
}

function reviveNested(properties: readonly PropertyType[]): Revive | undefined {
  const revivers = revivable(properties)
  if (revivers.length === 0) return undefined
  const reviveParts = makeRowReviver(properties)
  // Every object is a row of its parts.
  return (value) => (typeof value === 'object' && value !== null ? reviveParts(value as Row) : value)
}
