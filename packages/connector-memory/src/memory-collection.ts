import type { Collection, Row } from '@modelwire/core'
import type { DataFile } from './file/open-data-file.ts'
import { fileKey } from './file/table-records.ts'
import { createFinder } from './find/finder.ts'
import type { Table } from './table/table.ts'
import { slotOfId } from './table/table.ts'
import { deleteRows, insertRows, replaceWhole, updateRows, upsertRow } from './table/write-rows.ts'

/** The records of one model. What is done to them is done at once; only the file, where there is one, is waited for. */
export function createCollection(table: Table, dataFile: () => DataFile | undefined): Collection {
  const finder = createFinder(table)
  const stored = (slot: number): Row => table.rows[slot] ?? {}
  return {
    async find(filter) {
      return finder.find(filter)
    },
    async findById(id) {
      const slot = slotOfId(table, id)
      return slot === undefined ? undefined : table.rows[slot]
    },
    async count(where) {
      return finder.count(where)
    },
    async insert(rows) {
      const inserted = insertRows(table, rows)
      const first = table.rows.length - inserted.length
      await dataFile()?.record(table, inserted.map((_, at) => first + at), [])
      return inserted
    },
    async update(where, patch) {
      const slots = finder.slots(where)
      updateRows(table, slots, patch)
      if (slots.length > 0) await dataFile()?.record(table, slots, [])
      return slots.length
    },
    async upsert(row) {
      const { slot, created } = upsertRow(table, row)
      const result = { row: stored(slot), created }
      await dataFile()?.record(table, [slot], [])
      return result
    },
    async replace(id, row) {
      const slot = slotOfId(table, id)
      if (slot === undefined) return false
      replaceWhole(table, slot, row)
      await dataFile()?.record(table, [slot], [])
      return true
    },
    async delete(where) {
      const slots = finder.slots(where)
      const file = dataFile()
      const keys = file === undefined ? [] : slots.map((slot) => fileKey(table, slot))
      deleteRows(table, slots)
      if (slots.length > 0) await file?.record(table, [], keys)
      return slots.length
    }
  }
}
