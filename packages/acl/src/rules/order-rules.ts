import type { Call, Rule, WeighedRule } from './rule.ts'
import { weighRule } from './weigh-rule.ts'

/**
 * The rules that match a call, the most specific first: the first that also matches the caller decides. Rules without a
 * principal match no one.
 */
export function orderRules(rules: readonly Rule[], call: Call): readonly WeighedRule[] {
  const weighed = rules.flatMap((rule): WeighedRule[] => {
    const weight = rule.principalType === undefined ? undefined : weighRule(rule, call)
    return weight === undefined ? [] : [{ rule, weight }]
  })
  return weighed.toSorted((a, b) => b.weight - a.weight)
}

/** Two ordered lists as one. */
export function mergeRules(a: readonly WeighedRule[], b: readonly WeighedRule[]): readonly WeighedRule[] {
  if (b.length === 0) return a
  return [...a, ...b].toSorted((first, second) => second.weight - first.weight)
}
