import type { Collection } from '@modelwire/core/connector'

/**
 * A wrapper of the collection whose operations first await `open`. Scripts of an application use models before the
 * server is ready, when the file is not read yet.
 */
export function openFirst(collection: Collection, open: () => Promise<void> | undefined): Collection {
  return {
    find: async (filter) => (await open(), collection.find(filter)),
    findById: async (id) => (await open(), collection.findById(id)),
    findRelated: async (query) => (await open(), collection.findRelated?.(query)),
    count: async (where) => (await open(), collection.count(where)),
    aggregate: async (query) => (await open(), collection.aggregate?.(query)),
    insert: async (rows) => (await open(), collection.insert(rows)),
    update: async (where, patch) => (await open(), collection.update(where, patch)),
    upsert: async (row) => (await open(), collection.upsert(row)),
    replace: async (id, row, where) => (await open(), collection.replace(id, row, where)),
    delete: async (where) => (await open(), collection.delete(where))
  }
}
