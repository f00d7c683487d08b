import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import { wildcardPattern } from './match-pattern.ts'
import type { Operator } from './operator.ts'
import { assertHoldsText } from './text-only.ts'

/** `startsWith`. */
export interface StartsWithOperator {
  startsWith?: string
}

/**
 * The string starts with another one, case-sensitively. There are no wildcards, and every string starts with the empty one;
 * values other than strings never match.
 */
export const startsWith: Operator = {
  compile: (tested, operand) => {
    assertHoldsText('startsWith', tested)
    if (typeof operand !== 'string')
      throw new InvalidFilter(`startsWith on ${tested.key} must be a string, not ${describe(operand)}`)
    const wildcards = { tokens: [{ kind: 'text', text: operand }], anchor: 'start' } as const
    return {
      kind: 'test',
      path: tested.path,
      type: tested.type,
      test: 'pattern',
      pattern: wildcardPattern(wildcards, { ignoreCase: false, readsAll: false })
    }
  },
  schema: () => ({ type: 'string', description: 'starts with this text' }),
  documentedFor: 'text',
  comparesValues: false,
  whenFirstCounts: 'always'
}
