import type { RowsFunction } from '@modelwire/core'
import type { IsOwner } from '../roles/is-owner.ts'
import type { OwnedBy } from '../roles/owned-by.ts'
import type { RowsOf } from '../rules/rule.ts'
import { functionRows } from './function-rows.ts'
import { ownerRows } from './owner-rows.ts'
import type { RowSet } from './row-set.ts'

/** Makes the function that finds the records that a rule is about, one set for each thing that rules say. */
export function rowsTable(isOwner: IsOwner, ownedBy: OwnedBy): (rows: RowsOf) => RowSet {
  const own = ownerRows(isOwner, ownedBy)
  const known = new WeakMap<RowsFunction, RowSet>()
  return (rows) => {
    if (rows === '$owner') return own
    const set = known.get(rows) ?? functionRows(rows)
    known.set(rows, set)
    return set
  }
}
