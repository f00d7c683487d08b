import { type Comparison, type Condition, regexpPattern } from '@modelwire/core'

/**
 * The condition with every `like` comparing whole texts, as SQL does: a part of a condition that is tested in this process finds
 * what the database would.
 */
export function wholePatterns(condition: Condition): Condition {
  if (condition.kind === 'test') return 'like' in condition ? wholePattern(condition) : condition
  if (condition.kind === 'never' || condition.kind === 'related') return condition
  return { ...condition, conditions: condition.conditions.map(wholePatterns) }
}

function wholePattern(test: Extract<Comparison, { like: string }>): Condition {
  if (test.like === '') return test
  const ignoreCase = test.operator === 'ilike' || test.operator === 'nilike'
  return { ...test, value: regexpPattern(`^(?:${expressionOf(test.like)})$`, { ignoreCase, maxLength: Infinity }) }
}

/** `%` is any text and `_` any character, unless a backslash stands before them; everything else is itself. */
function expressionOf(like: string): string {
  return like.replaceAll(/\\[%_\\]|[^]/gu, (piece) => {
    if (piece === '%') return '[^]*'
    if (piece === '_') return '[^]'
    const text = piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece
    return text.replaceAll(/[\^$.*+?()[\]{}|\\/]/g, String.raw`\$&`)
  })
}
