import { type ModelType, type Operation, shortName } from '@modelwire/core/plugin'
import { memberRules } from './member-rules.ts'
import { mergeRules, orderRules } from './order-rules.ts'
import { readRule } from './read-rule.ts'
import type { Call, Rule, WeighedRule } from './rule.ts'

/** Everything that decides about one operation, found once. */
export interface Decision {
  /** The weightiest first. */
  readonly rules: readonly WeighedRule[]
  /** What holds when no rule is about the caller. */
  readonly otherwise: boolean
}

/** What of an operation rules are about. */
export function callOf({ model, name, aliases, accessType }: Operation): Call {
  return { model: model.name, method: shortName(name), aliases: aliases.map(shortName), accessType }
}

function rulesOf(model: ModelType, { method }: Call): Rule[] {
  const ofModel = (model.definition.acls ?? []).map((written) => readRule(written, model.name))
  const ofMethod = memberRules(model, method).map((written) => ({
    ...readRule(written, model.name),
    properties: [method]
  }))
  return [...ofModel, ...ofMethod]
}

/** Compiles the rules of an application's files and scripts for a call. */
export function compileDecision(model: ModelType, call: Call): Decision {
  const otherwise = model.definition['defaultPermission'] !== 'DENY'
  return untilCertain({ rules: orderRules(rulesOf(model, call), call), otherwise })
}

/** Adds stored rules to a decision. */
export function withStored(decision: Decision, stored: readonly Rule[], call: Call): Decision {
  const rules = mergeRules(decision.rules, orderRules(stored, call))
  return rules === decision.rules ? decision : untilCertain({ ...decision, rules })
}

/** A rule for everyone decides: less specific rules are never evaluated. */
function untilCertain({ rules, otherwise }: Decision): Decision {
  const last = rules.findIndex(({ rule }) => rule.principalType === 'ROLE' && rule.principalId === '$everyone')
  return { rules: last === -1 ? rules : rules.slice(0, last + 1), otherwise }
}

/** LB3: whatever does not deny allows; pinned by acl/table-*. */
export const allows = ({ permission }: Rule): boolean => permission !== 'DENY'

/** The answer to every caller alike; undefined where it depends on who calls. */
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
