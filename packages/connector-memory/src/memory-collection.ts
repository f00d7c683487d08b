import type { Collection, Id, Row } from '@modelwire/core/connector'
import type { DataFile } from './file/open-data-file.ts'
import { fileKey } from './file/table-records.ts'
import { createFinder, type Finder } from './find/find-rows.ts'
import { slotOfId, type Table } from './table/table.ts'
import { deleteRows, insertRows, replaceWhole, updateRows, upsertRow } from './table/write-rows.ts'

/** Returns the file that stores the records, once it is open. */
export type FindDataFile = () => DataFile | undefined

/** The collection of one model. Changes in memory are immediate; only the file, if there is one, is awaited. */
export function createCollection(table: Table, dataFile: FindDataFile): Collection {
  const finder = createFinder(table)
  return {
    find: finder.find,
    findById: (id) => rowOf(table, id),
    findRelated: finder.related,
    count: finder.count,
    aggregate: finder.aggregate,
    ...createAdditions(table, dataFile),
    ...createChanges(table, finder, dataFile)
  }
}

function createAdditions(table: Table, dataFile: FindDataFile): Pick<Collection, 'insert' | 'upsert'> {
  return {
    insert(rows) {
      const inserted = insertRows(table, rows)
      const first = table.rows.length - inserted.length
      const file = inserted.length === 0 ? undefined : dataFile()
      return whenKept(
        file?.record(
          table,
          [...inserted.keys()].map((at) => first + at),
          []
        ),
        inserted
      )
    },
    upsert(row, defaults) {
      const { slot, created } = upsertRow(table, row, defaults)
      const result = { row: table.rows[slot] ?? {}, created }
      return whenKept(dataFile()?.record(table, [slot], []), result)
    }
  }
}

function createChanges(
  table: Table,
  finder: Finder,
  dataFile: FindDataFile
): Pick<Collection, 'update' | 'patch' | 'replace' | 'delete'> {
  return {
    update(where, patch) {
      const slots = finder.slots(where)
      updateRows(table, slots, patch)
      return slots.length === 0 ? 0 : whenKept(dataFile()?.record(table, slots, []), slots.length)
    },
    async patch(where, patch) {
      const [slot] = finder.slots(where)
      if (slot === undefined) return undefined
      updateRows(table, [slot], patch)
      return whenKept(dataFile()?.record(table, [slot], []), table.rows[slot])
    },
    replace(id, row, where) {
      const slot = slotOfId(table, id)
      if (slot === undefined || (where !== undefined && !finder.slots(where).includes(slot))) return false
      replaceWhole(table, slot, row)
      return whenKept(dataFile()?.record(table, [slot], []), true)
    },
    delete(where) {
      const slots = finder.slots(where)
      const file = dataFile()
      const keys = file === undefined ? [] : slots.map((slot) => fileKey(table, slot))
      deleteRows(table, slots)
      return slots.length === 0 ? 0 : whenKept(file?.record(table, [], keys), slots.length)
    }
  }
}

/** The result of a write, once the file has it. */
async function whenKept<T>(kept: Promise<void> | undefined, result: T): Promise<T> {
  await kept
  return result
}

function rowOf(table: Table, id: Id): Row | undefined {
  const slot = slotOfId(table, id)
  return slot === undefined ? undefined : table.rows[slot]
}
