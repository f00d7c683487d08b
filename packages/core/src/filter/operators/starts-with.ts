import { InvalidFilter } from '../../errors.ts'
import { describe } from '../../values/describe.ts'
import { wildcardPattern } from '../match-pattern.ts'
import type { Operator } from './operator.ts'
import { assertHoldsText } from './text-only.ts'

/** `startsWith`. */
export interface StartsWithOperator {
  startsWith?: string
}

/**
 * The text starts with another one, case included. No character of it is a wildcard, and every text starts with the
 * empty one; what is not a string starts with nothing.
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
