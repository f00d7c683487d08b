import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import { codePattern, parseRegexp, regexpPattern } from './match-pattern.ts'
import type { Operator } from './operator.ts'
import { assertHoldsText } from './text-only.ts'

/** `regexp`. */
export interface RegexpOperator {
  regexp?: string | RegExp
}

/** The string matches a regular expression. */
export const regexp: Operator = {
  compile: (tested, operand) => {
    assertHoldsText('regexp', tested)
    const test = { kind: 'test', path: tested.path, type: tested.type, test: 'pattern' } as const
    if (operand instanceof RegExp) return { ...test, pattern: codePattern(operand) }
    if (typeof operand !== 'string')
      throw new InvalidFilter(`regexp on ${tested.key} must be a string, not ${describe(operand)}`)
    // LB3: the form /x/flags is only read on declared properties, pinned by the recordings filter/regexp and filter/open
    const { source, flags } = tested.declared ? parseRegexp(operand) : { source: operand, flags: '' }
    const options = { ignoreCase: flags.includes('i'), multiline: flags.includes('m') }
    return { ...test, pattern: regexpPattern(source, options) }
  },
  schema: () => ({ type: 'string', description: 'matches a regular expression, such as /^a/i' }),
  documentedFor: 'text',
  comparesValues: false
}
