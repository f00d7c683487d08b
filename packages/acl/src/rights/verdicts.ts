import type { OperationContext } from '@modelwire/core'
import { type Awaitable, type Client, keepPerText, type ModelType, type NamedRecord } from '@modelwire/core/plugin'
import { sharesScope } from '../identity/shares-scope.ts'
import type { RoleContext } from '../roles/role-context.ts'
import type { RoleTable } from '../roles/role-table.ts'
import { decide, type Verdict } from '../rules/decide.ts'
import type { Decision } from '../rules/decision.ts'
import type { Call } from '../rules/rule.ts'

/** Stands for all records, or for one that is missing. */
export const noRecord: NamedRecord = { id: undefined, record: undefined }

/** A client's question to rules. */
export interface VerdictQuestion {
  readonly client: Client
  readonly model: ModelType
  readonly call: Pick<Call, 'method' | 'accessType'>
  /** The record in question; `noRecord` where rules are evaluated for all records. */
  readonly target: NamedRecord
  /** The call itself, where one is made. */
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
export const roleDependsOnRecord = (role: string, roles: RoleTable): boolean =>
  roles.has(role) && !ofClientsAlone.has(role)

/** Makes the function that evaluates rules, and resolves each role once in a request. */
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
