import { compareForOrder } from '@modelwire/core/connector'
import type { PropertyType, Row } from '@modelwire/core/connector'
import { DataFileBroken } from '../errors.ts'
import { textKey } from '../table/id-key.ts'
import { appendRow, currentLayout } from '../table/table.ts'
import type { Table } from '../table/table.ts'
import type { FileRecord } from './file-data.ts'
import { makeRowReviver } from './revive-row.ts'
import type { ModelSnapshot } from './write-snapshot.ts'

/** The text under which the row in `slot` stands in a file. */
export function fileKey(table: Table, slot: number): string {
  return keyOf(table.layout.id, table.rows[slot], table.serials[slot])
}

/**
 * Puts the records of a file into an empty table, all or none. Returns those that stood under another key than they have
 * here: LoopBack 3 makes keys of dates, for instance, in its own way.
 * @throws {DataFileBroken} a record is not a JSON object
 */
export function fillTable(
  table: Table,
  records: ReadonlyMap<string, FileRecord>,
  nextId: number,
  file: string
): readonly MovedRecord[] {
  const { id, shape, properties } = currentLayout(table)
  const revive = makeRowReviver(properties)
  const loaded = [...records].map(([key, record]) => {
    const row = shape(revive(readRecord(record, key, table, file)))
    if (id !== undefined && row[id.name] === undefined) row[id.name] = id.type.kind === 'number' ? Number(key) : key
    return { key, row }
  })
  // In the order of ids nothing has to be sorted later.
  if (id !== undefined) loaded.sort((a, b) => compareForOrder(a.row[id.name], b.row[id.name]))
  const moved = loaded.flatMap(({ key, row }) => appendLoaded(table, key, row))
  table.nextNumber = Math.max(table.nextNumber, nextId)
  table.nextSerial = Math.max(table.nextSerial, nextId)
  return moved
}

/** A record whose key in the file is not the one of its row. */
export interface MovedRecord {
  readonly slot: number
  readonly oldKey: string
}

function appendLoaded(table: Table, key: string, row: Row): readonly MovedRecord[] {
  const slot = table.rows.length
  if (table.layout.id === undefined) table.nextSerial = Math.max(table.nextSerial, Number(key) || 0)
  appendRow(table, row)
  return fileKey(table, slot) === key ? [] : [{ slot, oldKey: key }]
}

/** The number that LoopBack 3 keeps under `ids`. */
export function nextIdOf(table: Table): number {
  return table.layout.id === undefined ? table.nextSerial : table.nextNumber
}

/** The table's state at this moment, to be written down later: rows are replaced, never changed. */
export function captureTable(table: Table): ModelSnapshot {
  const { id } = currentLayout(table)
  const records = listRecords(id, [...table.rows], [...table.serials])
  return { model: table.model.name, nextId: nextIdOf(table), records }
}

function* listRecords(
  id: PropertyType | undefined,
  rows: readonly (Row | undefined)[],
  serials: readonly number[]
): Iterable<readonly [string, Row]> {
  for (const [slot, row] of rows.entries()) if (row !== undefined) yield [keyOf(id, row, serials[slot]), row]
}

function keyOf(id: PropertyType | undefined, row: Row | undefined, serial: number | undefined): string {
  return id === undefined ? String(serial) : textKey(row?.[id.name])
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
    throw new DataFileBroken(`record ${key} is not JSON`, { file, model: table.model.name }, { cause })
  }
}
