import { type Condition, type TestOf, wildcardPattern } from '@modelwire/core/connector'

/**
 * The condition with every `like` as SQL understands it: `%` and `_` alone have a meaning, and it compares the whole text, or with
 * `anywhere` a part of it. What is tested in this process finds what the database would.
 */
export function sqlPatterns(condition: Condition, anywhere: boolean): Condition {
  if (condition.kind === 'test') return condition.test === 'pattern' ? sqlPattern(condition, anywhere) : condition
  if (condition.kind === 'never' || condition.kind === 'related') return condition
  return { ...condition, conditions: condition.conditions.map((part) => sqlPatterns(part, anywhere)) }
}

function sqlPattern(test: TestOf<'pattern'>, anywhere: boolean): Condition {
  const { wildcards, ignoreCase, readsAll } = test.pattern
  if (wildcards?.anchor !== 'connector') return test
  const anchored = { ...wildcards, anchor: anywhere ? 'none' : 'whole' } as const
  return { ...test, pattern: wildcardPattern(anchored, { ignoreCase, readsAll }) }
}
