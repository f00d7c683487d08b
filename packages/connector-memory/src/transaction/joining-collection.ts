import type { Collection } from '@modelwire/core/connector'

/** A collection whose operations go to the one that `current` gives: that of the caller's transaction, or the shared one. */
export function createJoiningCollection(current: () => Collection): Collection {
  return {
    find: (filter) => current().find(filter),
    findById: (id) => current().findById(id),
    findRelated: (query) => current().findRelated?.(query),
    count: (where) => current().count(where),
    aggregate: (query) => current().aggregate?.(query),
    insert: (rows) => current().insert(rows),
    update: (where, patch) => current().update(where, patch),
    upsert: (row) => current().upsert(row),
    replace: (id, row, where) => current().replace(id, row, where),
    delete: (where) => current().delete(where)
  }
}
