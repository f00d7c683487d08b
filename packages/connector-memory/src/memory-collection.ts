import type { Collection, Id, Row } from '@modelwire/core'
import type { DataFile } from './file/open-data-file.ts'
import { fileKey } from './file/table-records.ts'
import { createFinder } from './find/finder.ts'
import type { Finder } from './find/finder.ts'
import { slotOfId } from './table/table.ts'
import type { Table } from './table/table.ts'
import { deleteRows, insertRows, replaceWhole, updateRows, upsertRow } from './table/write-rows.ts'

/** The file that keeps the records, once it is open. */
type FindDataFile = () => DataFile | undefined

/** The records of one model. What is done to them is done at once; only the file, where there is one, is waited for. */
export function createCollection(table: Table, dataFile: FindDataFile): Collection {
  const finder = createFinder(table)
  return {
    ...createReads(table, finder),
    ...createAdditions(table, dataFile),
    ...createChanges(table, finder, dataFile)
  }
}

function createReads(table: Table, finder: Finder): Pick<Collection, 'find' | 'findById' | 'count'> {
  return {
    find: async (filter) => finder.find(filter),
    findById: async (id) => rowOf(table, id),
    count: async (where) => finder.count(where)
  }
}

function createAdditions(table: Table, dataFile: FindDataFile): Pick<Collection, 'insert' | 'upsert'> {
  return {
    async insert(rows) {
      const inserted = insertRows(table, rows)
      const first = table.rows.length - inserted.length
      if (inserted.length > 0)
        await dataFile()?.record(
          table,
          [...inserted.keys()].map((at) => first + at),
          []
        )
      return inserted
    },
    async upsert(row) {
      const { slot, created } = upsertRow(table, row)
      const result = { row: table.rows[slot] ?? {}, created }
      await dataFile()?.record(table, [slot], [])
      return result
    }
  }
}

function createChanges(
  table: Table,
  finder: Finder,
  dataFile: FindDataFile
): Pick<Collection, 'update' | 'replace' | 'delete'> {
  return {
    async update(where, patch) {
      const slots = finder.slots(where)
      updateRows(table, slots, patch)
      if (slots.length > 0) await dataFile()?.record(table, slots, [])
      return slots.length
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

function rowOf(table: Table, id: Id): Row | undefined {
  const slot = slotOfId(table, id)
  return slot === undefined ? undefined : table.rows[slot]
}
