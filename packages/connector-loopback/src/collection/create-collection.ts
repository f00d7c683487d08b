import { type Awaitable, type Collection, throwIfLeft, untilLeft } from '@modelwire/core/connector'
import type { CollectionContext } from './context.ts'
import { insertRows } from './insert-rows.ts'
import { countRowsOf, findRow, findRows } from './read-rows.ts'
import { deleteRows, replaceRow, updateRows, upsertRow } from './write-rows.ts'

type ReadOptions = NonNullable<Parameters<Collection['find']>[1]>

/**
 * Makes the function that carries out a read. A caller who leaves is refused at once: connectors cannot be told, so their call
 * goes on, but nothing is made of what it gives. A read that belongs to a transaction goes on.
 */
function reader(context: () => Awaitable<CollectionContext>) {
  return async <Result>(
    { signal }: ReadOptions,
    read: (context: CollectionContext) => Promise<Result>
  ): Promise<Result> => {
    const own = await context()
    if (signal === undefined || own.isInTransaction()) return read(own)
    const call: CollectionContext['call'] = async (...args) => {
      throwIfLeft(signal)
      const results = await own.call(...args)
      throwIfLeft(signal)
      return results
    }
    return untilLeft(signal, () => read({ ...own, call }))
  }
}

/** The records of one model behind a LoopBack connector. `context` resolves when the connector is connected. */
export function createCollection(context: () => Awaitable<CollectionContext>): Collection {
  const perform = reader(context)
  return {
    find: async (filter, options = {}) => perform(options, (own) => findRows(own, filter)),
    findById: async (id, options = {}) => perform(options, (own) => findRow(own, id)),
    count: async (where, options = {}) => perform(options, (own) => countRowsOf(own, where)),
    insert: async (rows) => insertRows(await context(), rows),
    update: async (where, patch) => updateRows(await context(), where, patch),
    upsert: async (row) => upsertRow(await context(), row),
    replace: async (id, row, where) => replaceRow(await context(), id, row, where),
    delete: async (where) => deleteRows(await context(), where)
  }
}
