import type { ModelType, Principal } from '@modelwire/core'
import type { AccessParts } from '../access/access-parts.ts'
import { decide } from '../access/decide.ts'
import { compileDecision, type Decision, withStored } from '../access/decision.ts'
import { sharesScope } from '../identity/shares-scope.ts'
import type { Call } from '../rules/rule.ts'
import type { MayRead } from './guard-includes.ts'

/** Reading all records of a model, or one by its id. */
const callOfRead = (model: ModelType, method: 'find' | 'findById'): Call => ({
  model: model.name,
  method,
  aliases: [],
  accessType: 'READ'
})

/** Makes the function that says whether a caller may read a model's records directly. */
export function readCheck({ roles, stored }: AccessParts): MayRead {
  const known = { find: new Map<ModelType, Decision>(), findById: new Map<ModelType, Decision>() }
  const decisionOf = (model: ModelType, method: 'find' | 'findById'): Decision => {
    const decision = known[method].get(model) ?? compileDecision(model, callOfRead(model, method))
    known[method].set(model, decision)
    return decision
  }
  return async (model, principal: Principal | undefined, id) => {
    if (!sharesScope(undefined, principal)) return false
    const method = id === undefined ? 'find' : 'findById'
    const call = callOfRead(model, method)
    const decision = decisionOf(model, method)
    const together = stored.canHold() ? withStored(decision, await stored.read(), call) : decision
    const facts = { principal, model, modelId: id, record: undefined, method, accessType: 'READ' }
    const verdict = await decide(together, { ...facts, accessToken: undefined, call: undefined }, roles)
    return verdict.allowed && (verdict.rule?.rows === undefined || id !== undefined)
  }
}
