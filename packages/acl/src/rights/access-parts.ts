import type { IsOwner, OwnsRecord } from '../roles/is-owner.ts'
import type { OwnershipOf } from '../roles/owner-keys.ts'
import type { OwnedBy } from '../roles/owned-by.ts'
import type { RoleTable } from '../roles/role-table.ts'
import type { WhereOfRows } from '../rows/rows-of.ts'
import type { StoredRules } from '../rules/stored-rules.ts'
import type { Denials } from './denials.ts'

/** What all access control of an application shares. */
export interface AccessParts {
  readonly roles: RoleTable
  readonly isOwner: IsOwner
  readonly ownsRecord: OwnsRecord
  readonly ownershipOf: OwnershipOf
  readonly ownedBy: OwnedBy
  /** Finds the condition that the records of a rule meet. */
  readonly whereOfRows: WhereOfRows
  readonly stored: StoredRules
  readonly denials: Denials
  /** Whose rules decide on nested routes: those of the model in the path, or those of the related model as well. */
  readonly nested: 'parent' | 'target'
  /** Includes and filters by related records obey the rules of the related models. */
  readonly checkIncludes: boolean
  /** The answer to a write shows the record also to callers who may not read it. */
  readonly showWritten: boolean
  /** What is written stays with the owner, or among the records that a rule lets its callers see. */
  readonly recheckOwner: boolean
}
