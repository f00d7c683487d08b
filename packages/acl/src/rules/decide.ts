import type { Principal } from '@modelwire/core'
import { sameId } from '../identity/same-id.ts'
import type { RoleContext } from '../roles/role-context.ts'
import type { RoleTable } from '../roles/role-table.ts'
import type { Rule } from './rule.ts'
import { allows, type Decision } from './decision.ts'

/** Whether a call is allowed, and the rule that decided it. */
export interface Verdict {
  readonly allowed: boolean
  readonly rule: Rule | undefined
}

/** Resolves roles. */
type Roles = Pick<RoleTable, 'isIn'>

/** Evaluates the rules, the most specific first, until one matches the caller. */
export async function decide({ rules, otherwise }: Decision, context: RoleContext, roles: Roles): Promise<Verdict> {
  for (const { rule } of rules) if (await isAbout(rule, context, roles)) return { allowed: allows(rule), rule }
  return { allowed: otherwise, rule: undefined }
}

function isAbout({ principalType, principalId }: Rule, context: RoleContext, roles: Roles): boolean | Promise<boolean> {
  if (principalId === undefined) return false
  if (principalType === 'ROLE') return roles.isIn(principalId, context)
  return isPrincipal(principalType, principalId, context.principal)
}

/** Where tokens belong to users of several models, a rule names the model instead of USER. */
function isPrincipal(type: string | undefined, id: string, principal: Principal | undefined): boolean {
  if (principal === undefined) return false
  if (type === 'APP') return sameId(principal.appId, id)
  if (type === 'SCOPE') return principal.scopes?.includes(id) === true
  return type === (principal.userModel ?? 'USER') && sameId(principal.userId, id)
}
