import type { OwnedBy } from '../roles/owned-by.ts'
import type { IsOwner } from '../roles/is-owner.ts'
import type { RoleTable } from '../roles/role-table.ts'
import type { StoredRules } from '../rules/stored-rules.ts'

/** What all guards of an application share. */
export interface AccessParts {
  readonly roles: RoleTable
  readonly isOwner: IsOwner
  /** The condition that a caller's own records meet; undefined where nobody can own any. */
  readonly ownedBy: OwnedBy
  readonly stored: StoredRules
  /** Status for known callers who are denied. */
  readonly errorStatus: 401 | 403 | 404
  /** Whose rules decide on nested routes: those of the model in the path, or those of the related model as well. */
  readonly nested: 'parent' | 'target'
  /** Owners cannot give records away. */
  readonly recheckOwner: boolean
}
