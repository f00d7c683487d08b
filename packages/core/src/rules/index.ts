export type { Problem, Rule, RuleContext } from './rule.ts'
export { isBlank, makeCustomRule, makeRule, type RuleOptions } from './rules.ts'
