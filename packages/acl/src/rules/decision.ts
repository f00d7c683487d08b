import type { Operation } from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import { memberRules, mergeRules, orderRules } from './normal-rule.ts'
import { readRule } from './read-rule.ts'
import type { Call, Rule, WeighedRule } from './rule.ts'

/** Everything that decides about one operation, compiled once. */
export interface Decision {
  /** The rules, those with the highest weight first. */
  readonly rules: readonly WeighedRule[]
  /** The default if no rule matches the caller. */
  readonly otherwise: boolean
}

/** The properties of an operation that rules refer to. */
export function callOf({ model, name, aliases, accessType }: Operation): Call {
  return { model: model.name, method: shortName(name), aliases: aliases.map(shortName), accessType }
}

/** The default of a model if no rule matches. */
export const allowsOtherwise = ({ definition }: ModelType): boolean => definition['defaultPermission'] !== 'DENY'

/** The rules of an application's files and scripts that may apply to a call of a method, unordered. */
export function rulesOf(model: ModelType, { method }: Pick<Call, 'method'>): readonly Rule[] {
  const ofModel = (model.definition.acls ?? []).map((written) => readRule(written, model.name))
  const ofMethod = memberRules(model, method).map((written) => ({
    ...readRule(written, model.name),
    properties: [method]
  }))
  return settle([...ofModel, ...ofMethod], allowsOtherwise(model))
}

/** Compiles the rules of an application's files and scripts for a call. */
export function compileDecision(model: ModelType, call: Call): Decision {
  return untilCertain({ rules: orderRules(rulesOf(model, call), call), otherwise: allowsOtherwise(model) })
}

/** LB3: a rule without a permission, or with `DEFAULT`, has that of the model. */
export function settle(rules: readonly Rule[], otherwise: boolean): readonly Rule[] {
  return otherwise ? rules : rules.map((rule) => ({ ...rule, permission: rule.permission ?? 'DENY' }))
}

/** Adds stored rules to a decision. */
export function withStored(decision: Decision, stored: readonly Rule[], call: Call): Decision {
  const rules = mergeRules(decision.rules, orderRules(settle(stored, decision.otherwise), call))
  return rules === decision.rules ? decision : untilCertain({ ...decision, rules })
}

/** A rule for everyone decides: less specific rules are never evaluated. */
function untilCertain({ rules, otherwise }: Decision): Decision {
  const last = rules.findIndex(({ rule }) => rule.principalType === 'ROLE' && rule.principalId === '$everyone')
  return { rules: last === -1 ? rules : rules.slice(0, last + 1), otherwise }
}

/** LB3: every permission other than DENY allows; pinned by acl/table-*. */
export const allows = ({ permission }: Rule): boolean => permission !== 'DENY'

/** The answer if it is the same for every caller; undefined if it depends on the caller. */
export function answerToAll({ rules, otherwise }: Decision): boolean | undefined {
  // What is allowed for some records, or some of their properties, is not the same for all.
  if (rules.some(({ rule }) => rule.rows !== undefined || rule.fields !== undefined)) return undefined
  const last = rules.at(-1)?.rule
  const isCertain = last?.principalType === 'ROLE' && last.principalId === '$everyone'
  const answers = new Set(rules.map(({ rule }) => allows(rule)))
  if (!isCertain) answers.add(otherwise)
  const [first, ...others] = answers
  return others.length === 0 ? first : undefined
}
