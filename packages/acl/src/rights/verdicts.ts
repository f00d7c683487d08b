import type { OperationContext } from '@modelwire/core'
import { type Client, keepPerText, type namedRecordOf } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import { sharesScope } from '../identity/same-id.ts'
import type { RoleContext } from '../roles/role-context.ts'
import type { RoleTable } from '../roles/role-table.ts'
import { decide, type Verdict } from '../rules/decide.ts'
import { type Decision, allows } from '../rules/decision.ts'
import type { Call, Rule } from '../rules/rule.ts'
import type { RestrictionOf } from './restriction-of.ts'
import type { IsOwner, OwnsRecord, OwnershipOf } from '../roles/is-owner.ts'
import type { OwnedBy } from '../roles/owned-by.ts'
import type { WhereOfRows } from '../rows/rows-of.ts'
import type { StoredRules } from '../rules/stored-rules.ts'
import type { Denials } from './denials.ts'

/** The dependencies that all access control of an application shares. */
export interface AccessParts {
  readonly roles: RoleTable
  readonly isOwner: IsOwner
  readonly ownsRecord: OwnsRecord
  readonly ownershipOf: OwnershipOf
  readonly ownedBy: OwnedBy
  /** Finds the condition for the records of a rule. */
  readonly whereOfRows: WhereOfRows
  readonly stored: StoredRules
  readonly denials: Denials
  /** Whose rules apply to nested routes: only those of the model in the path, or also those of the related model. */
  readonly nested: 'parent' | 'target'
  /** Includes and filters by related records are subject to the rules of the related models. */
  readonly checkIncludes: boolean
  /** Responses to writes show the record even to callers who may not read it. */
  readonly showWritten: boolean
  /** Written records must remain the owner's, or among the records that a rule lets its callers see. */
  readonly recheckOwner: boolean
}

/** The dependencies of access control. */
export interface Controlling {
  readonly parts: AccessParts
  readonly ask: AskRules
  readonly restrictionOf: RestrictionOf
}

/** A placeholder for all records, or for one that is missing. */
export const noRecord: ReturnType<typeof namedRecordOf> = { id: undefined, record: undefined }

/** A client's access to be checked by rules. */
export interface VerdictQuestion {
  readonly client: Client
  readonly model: ModelType
  readonly call: Pick<Call, 'method' | 'accessType'>
  /** The record in question; `noRecord` if rules are evaluated for all records. */
  readonly target: ReturnType<typeof namedRecordOf>
  /** The call itself, if there is one. */
  readonly context?: OperationContext | undefined
}

/** Evaluates rules. */
export type AskRules = (decision: Decision, question: VerdictQuestion) => Awaitable<Verdict>

const ofClientsAlone: ReadonlySet<string> = new Set(['$everyone', '$authenticated', '$unauthenticated'])
// Those are decided synchronously, owners by the current record.
const builtIn: ReadonlySet<string> = new Set([...ofClientsAlone, '$owner'])

/** The question of one role as far as its answer may depend on it: no record matters to a stored role. */
function keyOf(role: string, { model, method, modelId }: RoleContext, isResolved: boolean): string {
  return JSON.stringify(isResolved ? [role, model.name, method, typeof modelId, String(modelId)] : [role])
}

/** True where the answer to a role may be another one for each record. */
const roleDependsOnRecord = (role: string, roles: RoleTable): boolean => roles.has(role) && !ofClientsAlone.has(role)

/** The context for evaluating rules that may depend on the record. */
interface RuleWalk {
  readonly roles: RoleTable
  readonly ask: AskRules
  /** Whether a rule whose role depends on the record is treated as matching the client. */
  readonly applies: (rule: Rule) => boolean
}

/** True for a rule whose result may differ from record to record. */
export const dependsOnRecord = ({ principalType, principalId = '' }: Rule, roles: RoleTable): boolean =>
  principalType === 'ROLE' && roleDependsOnRecord(principalId, roles)

/** Makes the function that evaluates rules, resolving each role once per request. */
export function makeAskRules(roles: RoleTable): AskRules {
  const once = keepPerText<Awaitable<boolean>>()
  return (decision, { client, model, call, target, context }) => {
    const { principal, accessToken } = client
    if (!sharesScope(undefined, principal) && context === undefined) return { allowed: false, rule: undefined }
    const { method, accessType } = call
    const { id: modelId, record } = target
    const facts = { principal, model, modelId, record, method, accessType, accessToken, call: context }
    const isIn: RoleTable['isIn'] = (role, roleContext) => {
      const answer = (): Awaitable<boolean> => roles.isIn(role, roleContext)
      return builtIn.has(role) ? answer() : once(client, keyOf(role, roleContext, roles.has(role)), answer)
    }
    return decide(decision, facts, { isIn })
  }
}

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
