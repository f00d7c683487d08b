import type { Awaitable, Collection } from '@modelwire/core/connector'
import type { CollectionContext } from './context.ts'
import { insertRows } from './insert-rows.ts'
import { countRowsOf, findRow, findRows } from './read-rows.ts'
import { deleteRows, replaceRow, updateRows, upsertRow } from './write-rows.ts'

/** The records of one model behind a LoopBack connector. `context` resolves when the connector is connected. */
export function createCollection(context: () => Awaitable<CollectionContext>): Collection {
  return {
    find: async (filter) => findRows(await context(), filter),
    findById: async (id) => findRow(await context(), id),
    count: async (where) => countRowsOf(await context(), where),
    insert: async (rows) => insertRows(await context(), rows),
    update: async (where, patch) => updateRows(await context(), where, patch),
    upsert: async (row) => upsertRow(await context(), row),
    replace: async (id, row, where) => replaceRow(await context(), id, row, where),
    delete: async (where) => deleteRows(await context(), where)
  }
}
