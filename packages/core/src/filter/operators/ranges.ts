import { InvalidFilter } from '../../errors.ts'
import { describe } from '../../values/describe.ts'
import { asList } from '../as-list.ts'
import type { Bound } from '../../contract/comparison.ts'
import { toOperand, unmatchable } from '../operand.ts'
import { nothing, type Operator } from './operator.ts'

/** `gt`, `gte`, `lt`, `lte` and `between`. */
export interface RangeOperators<V> {
  gt?: V
  gte?: V
  lt?: V
  lte?: V
  between?: readonly [V, V]
}

const bound = (name: string, is: Bound['is'], description: string): Operator => ({
  compile: (tested, operand) => {
    if (typeof operand === 'object' && operand !== null && !(operand instanceof Date))
      throw new InvalidFilter(`${name} on ${tested.key} must be a single value, not ${describe(operand)}`)
    const value = toOperand(tested, operand)
    return value === unmatchable
      ? nothing
      : { kind: 'test', path: tested.path, type: tested.type, test: 'range', bounds: [{ is, value }] }
  },
  schema: (value) => ({ ...value, description }),
  comparesValues: true,
  whenFirstCounts: 'range'
})

/** The value is greater. */
export const gt = bound('gt', '>', 'is greater')
/** The value is greater, or equal. */
export const gte = bound('gte', '>=', 'is greater or equal')
/** The value is less. */
export const lt = bound('lt', '<', 'is less')
/** The value is less, or equal. */
export const lte = bound('lte', '<=', 'is less or equal')

/** The value lies between two others, or is one of them. */
export const between: Operator = {
  compile: (tested, operand) => {
    const items = asList(operand)
    if (items?.length !== 2) throw new InvalidFilter(`between on ${tested.key} must be a list of two values`)
    const [low, high] = items.map((item) => toOperand(tested, item))
    if (low === unmatchable || high === unmatchable || low === null || high === null) return nothing
    const [from, to] = [{ is: '>=', value: low } as const, { is: '<=', value: high } as const]
    return { kind: 'test', path: tested.path, type: tested.type, test: 'range', bounds: [from, to] }
  },
  schema: (value) => ({
    type: 'array',
    items: value,
    minItems: 2,
    maxItems: 2,
    description: 'lies between these, or is one of them'
  }),
  comparesValues: true
}
