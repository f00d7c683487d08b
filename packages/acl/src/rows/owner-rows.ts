import { sameId } from '../identity/same-id.ts'
import type { IsOwner } from '../roles/is-owner.ts'
import type { OwnedBy } from '../roles/owned-by.ts'
import { keysIn } from './parts-of-where.ts'
import type { RowSet } from './row-set.ts'

/** The records that belong to the caller. */
export function ownerRows(isOwner: IsOwner, ownedBy: OwnedBy): RowSet {
  return {
    where: ({ model, principal }) => ownedBy(model, principal),
    among: ({ model, principal }, records) =>
      Promise.all(records.map((record) => isOwner({ model, ...record }, principal))),
    fits: ({ model, principal }, record) => isOwner({ model, ...record }, principal),
    outlasts: ({ model, principal }, data) => {
      const own = ownedBy(model, principal) ?? {}
      return keysIn(own).every((name) => data[name] === undefined || sameId(data[name], principal?.userId))
    }
  }
}
