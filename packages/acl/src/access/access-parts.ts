import type { IsOwner } from '../roles/is-owner.ts'
import type { RoleTable } from '../roles/role-table.ts'
import type { RowSet } from '../rows/row-set.ts'
import type { RowsOf } from '../rules/rule.ts'
import type { StoredRules } from '../rules/stored-rules.ts'

/** What all guards of an application share. */
export interface AccessParts {
  readonly roles: RoleTable
  readonly isOwner: IsOwner
  /** Finds the records that a rule is about. */
  readonly rowsOf: (rows: RowsOf) => RowSet
  readonly stored: StoredRules
  /** Status for known callers who are denied. */
  readonly errorStatus: 401 | 403 | 404
  /** Whose rules decide on nested routes: those of the model in the path, or those of the related model as well. */
  readonly nested: 'parent' | 'target'
  /** What is written stays with the owner, or among the records that a rule lets its callers see. */
  readonly recheckOwner: boolean
}
