import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import type { Pattern } from '../contract/condition.ts'
import { codeLikePattern, codePattern, likePattern } from './match-pattern.ts'
import { nothing, type Operator } from './operator.ts'

/** `like` and `nlike` with their case-insensitive forms: `%` is any string, `_` any character. */
export interface LikeOperators {
  like?: string | RegExp
  nlike?: string | RegExp
  ilike?: string | RegExp
  nilike?: string | RegExp
}

/** LB3: an absent value reads as "undefined" there, pinned by filter/patterns. */
const readingAbsent = (pattern: Pattern): Pattern => ({ ...pattern, matchesAbsent: pattern.test('undefined') })

interface Kind {
  readonly negated: boolean
  readonly ignoreCase: boolean
}

const likeOperator = (name: string, { negated, ignoreCase }: Kind, description: string): Operator => ({
  compile: (tested, operand, { written: { options } }) => {
    const test = { kind: 'test', path: tested.path, type: tested.type, test: 'pattern', negated } as const
    if (operand instanceof RegExp) return { ...test, pattern: codeLikePattern(operand) }
    if (typeof operand !== 'string')
      throw new InvalidFilter(`${name} on ${tested.key} must be a string, not ${describe(operand)}`)
    // LB3: the empty text is like nothing, and not like nothing either, pinned by the recording filter/patterns. On MongoDB it is an
    // expression that is found in every text.
    if (operand === '') return tested.findsEmptyText ? { ...test, pattern: codePattern(/(?:)/) } : nothing
    // LB3: `{"like": "lamp", "options": "i"}` is how clients of MongoDB request case-insensitive matching;
    // loopback-connector-mongodb, buildWhere
    const ignoresCase = ignoreCase || (tested.readsLikeOptions && typeof options === 'string' && options.includes('i'))
    const pattern = likePattern(operand, { ignoreCase: ignoresCase })
    return { ...test, pattern: tested.rules.readsAbsentAsText ? readingAbsent(pattern) : pattern }
  },
  schema: () => ({ type: 'string', description }),
  documentedFor: 'text',
  comparesValues: false
})

/** The string matches. */
export const like = likeOperator(
  'like',
  { negated: false, ignoreCase: false },
  'matches; % and _ stand for any text and any character'
)
/** The string does not match. */
export const nlike = likeOperator('nlike', { negated: true, ignoreCase: false }, 'does not match')
/** The string matches, ignoring case. */
export const ilike = likeOperator('ilike', { negated: false, ignoreCase: true }, 'matches in any case')
/** The string does not match, ignoring case. */
export const nilike = likeOperator('nilike', { negated: true, ignoreCase: true }, 'does not match in any case')
