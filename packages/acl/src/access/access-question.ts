import type { ModelRegistry, Principal } from '@modelwire/core'
import type { Operation } from '@modelwire/core/plugin'
import { sharesScope } from '../identity/same-id.ts'
import type { RoleContext } from '../roles/role-context.ts'
import { mergeRules, orderRules } from '../rules/normal-rule.ts'
import type { Call, Rule } from '../rules/rule.ts'
import type { AccessParts } from '../rights/verdicts.ts'
import { decide } from '../rules/decide.ts'
import { compileDecision, type Decision, withStored } from '../rules/decision.ts'

/** A question from code about a hypothetical call. */
export interface AccessQuestion {
  readonly principal: Principal | undefined
  /** A model's name. */
  readonly model: string
  /** Without `prototype.`; `*` for every method. */
  readonly method: string
  readonly accessType: Operation['accessType'] | '*'
  /** The record in question. */
  readonly modelId?: unknown
  readonly accessToken?: unknown
}

/** The result of evaluating the rules. */
export interface AccessAnswer {
  readonly permission: 'ALLOW' | 'DENY' | 'AUDIT' | 'ALARM'
  readonly allowed: boolean
}

/** A principal, as named in rules. */
export interface NamedPrincipal {
  readonly type: string
  readonly id: string
}

function answerOf(rule: Rule | undefined, otherwise: boolean): AccessAnswer {
  const permission = rule === undefined && !otherwise ? 'DENY' : (rule?.permission ?? 'ALLOW')
  return { permission, allowed: permission !== 'DENY' }
}

const callOf = ({ model, method, accessType }: AccessQuestion): Call => ({ model, method, aliases: [], accessType })

async function decisionOf(
  registry: ModelRegistry,
  { stored }: AccessParts,
  question: AccessQuestion
): Promise<Decision> {
  const call = callOf(question)
  const decision = compileDecision(registry.typeOf(question.model), call)
  return stored.canHold() ? withStored(decision, await stored.read(), call) : decision
}

/** Evaluates the rules for a hypothetical call. */
export async function answerQuestion(
  registry: ModelRegistry,
  parts: AccessParts,
  question: AccessQuestion
): Promise<AccessAnswer> {
  const { principal, modelId, method, accessType, accessToken } = question
  if (!sharesScope(undefined, principal)) return { permission: 'DENY', allowed: false }
  const decision = await decisionOf(registry, parts, question)
  const model = registry.typeOf(question.model)
  const facts: RoleContext = {
    principal,
    model,
    modelId,
    method,
    accessType,
    accessToken,
    record: undefined,
    call: undefined
  }
  const { rule } = await decide(decision, facts, parts.roles)
  return answerOf(rule, decision.otherwise)
}

/** Evaluates the rules of files and the stored rules of one principal for a hypothetical call. */
export async function answerFor(
  registry: ModelRegistry,
  { stored }: AccessParts,
  { type, id }: NamedPrincipal,
  question: AccessQuestion
): Promise<AccessAnswer> {
  const call = callOf(question)
  const model = registry.find(question.model)
  const { rules, otherwise } = model === undefined ? { rules: [], otherwise: true } : compileDecision(model, call)
  const all = stored.canHold() ? await stored.read() : []
  const own = all.filter(({ principalType, principalId }) => principalType === type && principalId === id)
  const [first] = mergeRules(rules, orderRules(own, call))
  return answerOf(first?.rule, otherwise)
}
