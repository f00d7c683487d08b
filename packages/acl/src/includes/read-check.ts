import type { Awaitable, ModelType, Principal, Row } from '@modelwire/core'
import type { AccessParts } from '../access/access-parts.ts'
import { decide, type Verdict } from '../access/decide.ts'
import { compileDecision, type Decision, withStored } from '../access/decision.ts'
import { sharesScope } from '../identity/shares-scope.ts'
import type { RoleContext } from '../roles/role-context.ts'
import type { RoleTable } from '../roles/role-table.ts'
import type { Call } from '../rules/rule.ts'

/** What a caller may list of a model: all records, the own ones, or none. */
export type Listing = 'all' | 'own' | 'none'

/** What callers may read directly. */
export interface ReadRights {
  readonly listing: (model: ModelType, principal: Principal | undefined) => Promise<Listing>
  /** Whether a caller may read each of some records by its id. */
  readonly mayReadEach: (
    model: ModelType,
    principal: Principal | undefined,
    records: readonly ReadRecord[]
  ) => Promise<boolean>
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
  principal: Principal | undefined,
  { id: modelId, record }: ReadRecord
): RoleContext {
  return { principal, model, modelId, record, method, accessType: 'READ', accessToken: undefined, call: undefined }
}

/** Roles of one caller: who is in a stored role is looked up once, since no record matters to it. */
function rolesOnce(roles: RoleTable): Pick<RoleTable, 'isIn'> {
  const known = new Map<string, Awaitable<boolean>>()
  return {
    isIn: (role, context) => {
      if (roles.has(role)) return roles.isIn(role, context)
      const answer = known.get(role) ?? roles.isIn(role, context)
      known.set(role, answer)
      return answer
    }
  }
}

const ofCallersAlone: ReadonlySet<string> = new Set(['$everyone', '$authenticated', '$unauthenticated'])

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
  const decisionOf = async (model: ModelType, method: Method): Promise<Decision> => {
    const call = callOfRead(model, method)
    const decision = known[method].get(model) ?? compileDecision(model, call)
    known[method].set(model, decision)
    return stored.canHold() ? withStored(decision, await stored.read(), call) : decision
  }
  const isObeyed = async (
    { allowed, rule }: Verdict,
    model: ModelType,
    principal: Principal | undefined,
    owned: ReadRecord
  ): Promise<boolean> => allowed && (rule?.rows === undefined || isOwner({ model, ...owned }, principal))
  return {
    listing: async (model, principal) => {
      if (!sharesScope(undefined, principal)) return 'none'
      const decision = await decisionOf(model, 'find')
      const question = questionOf(model, 'find', principal, { id: undefined, record: undefined })
      const { allowed, rule } = await decide(decision, question, roles)
      if (!allowed) return 'none'
      return rule?.rows === undefined ? 'all' : 'own'
    },
    mayReadEach: async (model, principal, records) => {
      if (!sharesScope(undefined, principal)) return false
      const decision = await decisionOf(model, 'findById')
      const once = rolesOnce(roles)
      for (const record of ignoresRecords(decision, roles) ? records.slice(0, 1) : records) {
        const verdict = await decide(decision, questionOf(model, 'findById', principal, record), once)
        if (!(await isObeyed(verdict, model, principal, record))) return false
      }
      return true
    }
  }
}
