import type { Principal } from '@modelwire/core'
import { andThen, type Awaitable } from '@modelwire/core/plugin'
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

/**
 * Evaluates the rules, the most specific first, until one matches the caller. Synchronous for roles that need no
 * lookup.
 */
export function decide(decision: Decision, context: RoleContext, roles: Roles): Awaitable<Verdict> {
  return decideFrom(0, decision, context, roles)
}

function decideFrom(first: number, decision: Decision, context: RoleContext, roles: Roles): Awaitable<Verdict> {
  const { rules, otherwise } = decision
  for (const [index, { rule }] of rules.entries()) {
    if (index < first) continue
    const applying = isAbout(rule, context, roles)
    if (typeof applying !== 'boolean')
      return andThen(applying, (applies) =>
        applies ? verdictOf(rule) : decideFrom(index + 1, decision, context, roles)
      )
    if (applying) return verdictOf(rule)
  }
  return { allowed: otherwise, rule: undefined }
}

const verdictOf = (rule: Rule): Verdict => ({ allowed: allows(rule), rule })

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
