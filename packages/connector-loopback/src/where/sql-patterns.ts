import { type Comparison, type Condition, literalLike, regexpPattern } from '@modelwire/core'

/**
 * The condition with every `like` as SQL understands it: `%` and `_` alone have a meaning, and it compares the whole text, or with
 * `anywhere` a part of it. What is tested in this process finds what the database would.
 */
export function sqlPatterns(condition: Condition, anywhere: boolean): Condition {
  if (condition.kind === 'test') return 'like' in condition ? sqlPattern(condition, anywhere) : condition
  if (condition.kind === 'never' || condition.kind === 'related') return condition
  return { ...condition, conditions: condition.conditions.map((part) => sqlPatterns(part, anywhere)) }
}

function sqlPattern(test: Extract<Comparison, { like: string }>, anywhere: boolean): Condition {
  if (test.like === '') return test
  const ignoreCase = test.operator === 'ilike' || test.operator === 'nilike'
  const expression = literalLike(test.like)
  const source = anywhere ? expression : `^(?:${expression})$`
  return { ...test, value: regexpPattern(source, { ignoreCase, maxLength: Infinity }) }
}
