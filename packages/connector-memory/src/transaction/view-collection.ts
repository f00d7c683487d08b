import { type Collection, TransactionConflict } from '@modelwire/core/connector'
import { shareCounters } from '../table/copy-table.ts'
import { currentLayout, type Table } from '../table/table.ts'
import { checkUnchanged } from './commit.ts'
import { makeOwn, noteWrites, type View } from './view.ts'
import type { FindDataFile } from '../memory-collection.ts'

/** The records of a model outside of transactions. */
export interface SharedTable {
  readonly table: Table
  readonly collection: Collection
  readonly dataFile: FindDataFile
  /** The number of changes so far. */
  version: number
}

/** Changes the table of a view. */
type Change = <Result>(work: (own: Collection) => Result) => Result

/**
 * The collection of a model within a transaction. Nothing is awaited. `fail` is called with a conflict, after which the
 * transaction cannot commit.
 */
export function createViewCollection(view: View, fail: (error: unknown) => void): Collection {
  return { ...createReads(view), ...createWrites(view, (work) => write(view, work, fail)) }
}

function createReads(view: View): Pick<Collection, 'find' | 'findById' | 'findRelated' | 'count' | 'aggregate'> {
  const search = (): Collection => {
    view.isSearched = true
    return view.records
  }
  return {
    find: (filter) => search().find(filter),
    findById(id) {
      ask(view, id)
      return view.records.findById(id)
    },
    findRelated: (query) => search().findRelated?.(query),
    count: (where) => search().count(where),
    aggregate: (query) => search().aggregate?.(query)
  }
}

function createWrites(
  view: View,
  change: Change
): Pick<Collection, 'insert' | 'update' | 'patch' | 'upsert' | 'replace' | 'delete'> {
  return {
    insert: (rows) => change((own) => own.insert(rows)),
    update(where, patch) {
      view.isSearched = true
      return change((own) => own.update(where, patch))
    },
    patch(where, patch) {
      view.isSearched = true
      return change((own) => own.patch?.(where, patch))
    },
    upsert(row, defaults) {
      ask(view, currentLayout(view.table).idOf(row))
      return change((own) => own.upsert(row, defaults))
    },
    replace(id, row, where) {
      ask(view, id)
      return change((own) => own.replace(id, row, where))
    },
    delete(where) {
      view.isSearched = true
      return change((own) => own.delete(where))
    }
  }
}

/** Notes which row an id stood for when it was first asked for; what the transaction wrote itself is compared anyway. */
function ask({ table, asked, writes }: View, id: unknown): void {
  const { id: property, makeKey } = currentLayout(table)
  if (property === undefined || id === undefined || id === null) return
  const key = makeKey(id)
  if (asked.has(key) || writes.has(key)) return
  const slot = table.slots.get(key)
  asked.set(key, slot === undefined ? undefined : table.rows[slot])
}

/** @throws {TransactionConflict} somebody else changed a row that is written, since the transaction began */
function write<Result>(view: View, work: (own: Collection) => Result, fail: (error: unknown) => void): Result {
  makeOwn(view)
  const { shared, table, records } = view
  shareCounters(table, shared.table)
  try {
    const result = work(records)
    const added = noteWrites(view)
    if (shared.version !== view.version) checkUnchanged(view, added)
    return result
  } catch (error) {
    if (error instanceof TransactionConflict) fail(error)
    // What was refused depends on rows that are not known.
    view.isSearched = true
    throw error
  } finally {
    shareCounters(table, shared.table)
  }
}
