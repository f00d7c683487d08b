import type { Awaitable, ModelType, Row } from '@modelwire/core'
import type { AccessParts } from '../access/access-parts.ts'
import { decide, type Verdict } from '../access/decide.ts'
import { compileDecision, type Decision, withStored } from '../access/decision.ts'
import { sharesScope } from '../identity/shares-scope.ts'
import type { RoleContext } from '../roles/role-context.ts'
import type { RoleTable } from '../roles/role-table.ts'
import type { Call } from '../rules/rule.ts'
import type { Caller } from './caller.ts'

/** What a caller may list of a model: all records, the own ones, or none. */
export type Listing = 'all' | 'own' | 'none'

/** What callers may read directly. */
export interface ReadRights {
  readonly listing: (model: ModelType, caller: Caller) => Promise<Listing>
  /** Whether a caller may read each of some records by its id. */
  readonly mayReadEach: (model: ModelType, caller: Caller, records: readonly ReadRecord[]) => Promise<boolean>
}

/** A record that is to be shown. */
export interface ReadRecord {
  readonly id: unknown
  /** All that is stored of it, where that is at hand. */
  readonly record: Row | undefined
}

type Method = 'find' | 'findById'

const callOfRead = (model: ModelType, method: Method): Call => ({
  model: model.name,
  method,
  aliases: [],
  accessType: 'READ'
})

function questionOf(
  model: ModelType,
  method: Method,
  { principal, accessToken }: Caller,
  { id: modelId, record }: ReadRecord
): RoleContext {
  return { principal, model, modelId, record, method, accessType: 'READ', accessToken, call: undefined }
}

/** The question of one role as far as its answer may depend on it: no record matters to a stored role. */
function keyOf(role: string, { model, method, modelId }: RoleContext, isResolved: boolean): string {
  return JSON.stringify(isResolved ? [role, model.name, method, typeof modelId, String(modelId)] : [role])
}

/** Makes the function that asks about the roles of a caller, each question once in a request. */
function makeRolesOnce(roles: RoleTable): (caller: Caller) => Pick<RoleTable, 'isIn'> {
  const known = new WeakMap<object, Map<string, Awaitable<boolean>>>()
  return ({ request }) => {
    const answers = known.get(request) ?? new Map<string, Awaitable<boolean>>()
    known.set(request, answers)
    return {
      isIn: (role, context) => {
        if (builtIn.has(role)) return roles.isIn(role, context)
        const key = keyOf(role, context, roles.has(role))
        const answer = answers.get(key) ?? roles.isIn(role, context)
        answers.set(key, answer)
        return answer
      }
    }
  }
}

const ofCallersAlone: ReadonlySet<string> = new Set(['$everyone', '$authenticated', '$unauthenticated'])
// Those are told without asking anybody, owners by the record at hand.
const builtIn: ReadonlySet<string> = new Set([...ofCallersAlone, '$owner'])

/** The answer is the same for all records of a caller. */
function ignoresRecords({ rules }: Decision, roles: RoleTable): boolean {
  return rules.every(({ rule: { principalType, principalId = '', rows } }) => {
    const asksRecord = principalType === 'ROLE' && roles.has(principalId) && !ofCallersAlone.has(principalId)
    return rows === undefined && !asksRecord
  })
}

/** Makes the functions that say what a caller may read of a model's records directly. */
export function readRights({ roles, stored, isOwner }: AccessParts): ReadRights {
  const known = { find: new Map<ModelType, Decision>(), findById: new Map<ModelType, Decision>() }
  const rolesOnce = makeRolesOnce(roles)
  const decisionOf = async (model: ModelType, method: Method): Promise<Decision> => {
    const call = callOfRead(model, method)
    const decision = known[method].get(model) ?? compileDecision(model, call)
    known[method].set(model, decision)
    return stored.canHold() ? withStored(decision, await stored.read(), call) : decision
  }
  const isObeyed = async (
    { allowed, rule }: Verdict,
    model: ModelType,
    { principal }: Caller,
    owned: ReadRecord
  ): Promise<boolean> => allowed && (rule?.rows === undefined || isOwner({ model, ...owned }, principal))
  return {
    listing: async (model, caller) => {
      if (!sharesScope(undefined, caller.principal)) return 'none'
      const decision = await decisionOf(model, 'find')
      const question = questionOf(model, 'find', caller, { id: undefined, record: undefined })
      const { allowed, rule } = await decide(decision, question, rolesOnce(caller))
      if (!allowed) return 'none'
      return rule?.rows === undefined ? 'all' : 'own'
    },
    mayReadEach: async (model, caller, records) => {
      if (!sharesScope(undefined, caller.principal)) return false
      const decision = await decisionOf(model, 'findById')
      const once = rolesOnce(caller)
      for (const record of ignoresRecords(decision, roles) ? records.slice(0, 1) : records) {
        const verdict = await decide(decision, questionOf(model, 'findById', caller, record), once)
        if (!(await isObeyed(verdict, model, caller, record))) return false
      }
      return true
    }
  }
}
