import { type Awaitable, keepPerText, type ModelType } from '@modelwire/core'
import type { AccessParts } from '../access/access-parts.ts'
import { decide } from '../access/decide.ts'
import { compileDecision, type Decision, withStored } from '../access/decision.ts'
import { sharesScope } from '../identity/shares-scope.ts'
import type { RoleContext } from '../roles/role-context.ts'
import type { RoleTable } from '../roles/role-table.ts'
import type { RowRecord } from '../rows/row-set.ts'
import type { Call, RowsOf } from '../rules/rule.ts'
import type { Caller } from './caller.ts'

/** Says which of some records a caller may see. */
export type SeesEach = (records: readonly RowRecord[]) => Promise<readonly boolean[]>

/** What a caller may list of a model: all records, none, or those that a function tells. */
export type Listing = 'all' | 'none' | SeesEach

/** What callers may read directly. */
export interface ReadRights {
  readonly listing: (model: ModelType, caller: Caller) => Promise<Listing>
  /** Whether a caller may read each of some records by its id. */
  readonly mayReadEach: (model: ModelType, caller: Caller, records: readonly RowRecord[]) => Promise<boolean>
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
  { id: modelId, record }: RowRecord
): RoleContext {
  return { principal, model, modelId, record, method, accessType: 'READ', accessToken, call: undefined }
}

/** The question of one role as far as its answer may depend on it: no record matters to a stored role. */
function keyOf(role: string, { model, method, modelId }: RoleContext, isResolved: boolean): string {
  return JSON.stringify(isResolved ? [role, model.name, method, typeof modelId, String(modelId)] : [role])
}

/** Makes the function that asks about the roles of a caller, each question once in a request. */
function makeRolesOnce(roles: RoleTable): (caller: Caller) => Pick<RoleTable, 'isIn'> {
  const once = keepPerText<Awaitable<boolean>>()
  return ({ request }) => ({
    isIn: (role, context) => {
      const answer = (): Awaitable<boolean> => roles.isIn(role, context)
      return builtIn.has(role) ? answer() : once(request, keyOf(role, context, roles.has(role)), answer)
    }
  })
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
export function readRights({ roles, stored, rowsOf }: AccessParts): ReadRights {
  const known = { find: new Map<ModelType, Decision>(), findById: new Map<ModelType, Decision>() }
  const rolesOnce = makeRolesOnce(roles)
  const decisionOf = async (model: ModelType, method: Method): Promise<Decision> => {
    const call = callOfRead(model, method)
    const decision = known[method].get(model) ?? compileDecision(model, call)
    known[method].set(model, decision)
    return stored.canHold() ? withStored(decision, await stored.read(), call) : decision
  }
  const seesEach =
    (rows: RowsOf, model: ModelType, method: Method, caller: Caller): SeesEach =>
    (records) =>
      rowsOf(rows).among({ ...caller, model, method }, records)
  return {
    listing: async (model, caller) => {
      if (!sharesScope(undefined, caller.principal)) return 'none'
      const decision = await decisionOf(model, 'find')
      const question = questionOf(model, 'find', caller, { id: undefined, record: undefined })
      const { allowed, rule } = await decide(decision, question, rolesOnce(caller))
      if (!allowed) return 'none'
      return rule?.rows === undefined ? 'all' : seesEach(rule.rows, model, 'find', caller)
    },
    mayReadEach: async (model, caller, records) => {
      if (!sharesScope(undefined, caller.principal)) return false
      const decision = await decisionOf(model, 'findById')
      const once = rolesOnce(caller)
      const kept = new Map<RowsOf, RowRecord[]>()
      for (const record of ignoresRecords(decision, roles) ? records.slice(0, 1) : records) {
        const { allowed, rule } = await decide(decision, questionOf(model, 'findById', caller, record), once)
        if (!allowed) return false
        if (rule?.rows !== undefined) kept.set(rule.rows, [...(kept.get(rule.rows) ?? []), record])
      }
      const seen = Array.from(kept, ([rows, group]) => seesEach(rows, model, 'findById', caller)(group))
      return (await Promise.all(seen)).flat().every(Boolean)
    }
  }
}
