import type { Rule } from '../rules/rule.ts'
import { allows, type Decision } from '../rules/decision.ts'
import type { Verdict } from '../rules/decide.ts'
import type { RoleTable } from '../roles/role-table.ts'
import { type AskRules, roleDependsOnRecord, type VerdictQuestion } from './verdicts.ts'

/** The context of evaluating rules that may depend on the record. */
export interface RuleWalk {
  readonly roles: RoleTable
  readonly ask: AskRules
  /** Whether a rule whose role depends on the record is taken for one about the client. */
  readonly applies: (rule: Rule) => boolean
}

/** True for a rule whose answer may be another one for each record. */
export const dependsOnRecord = ({ principalType, principalId = '' }: Rule, roles: RoleTable): boolean =>
  principalType === 'ROLE' && roleDependsOnRecord(principalId, roles)

/** The verdict of rules without a record: `applies` decides for rules that depend on one. */
export async function walkRules(
  decision: Decision,
  question: VerdictQuestion,
  { roles, ask, applies }: RuleWalk
): Promise<Verdict> {
  for (const weighed of decision.rules) {
    const { rule } = weighed
    const isAbout = dependsOnRecord(rule, roles)
      ? applies(rule)
      : (await ask({ rules: [weighed], otherwise: true }, question)).rule !== undefined
    if (isAbout) return { allowed: allows(rule), rule }
  }
  return { allowed: decision.otherwise, rule: undefined }
}
