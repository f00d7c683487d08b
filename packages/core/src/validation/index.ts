export { makeCustomRule, makeRule, isBlank, type RuleOptions } from './rules.ts'
export { findProblems, toDetails, validateInstance } from './validate-instance.ts'
export type { Problem, Rule, RuleContext } from './rule.ts'
export { dropRules, isDropped } from './drop-rules.ts'
