import { isPlainObject } from '@modelwire/server'
import { toEqualOperand, unmatchable } from './operand.ts'
import { everything, nothing, type Operator } from './operator.ts'

/** `eq` and `neq`. */
export interface EqualityOperators<V> {
  eq?: V | null
  neq?: V | null
}

const equality = (negated: boolean, description: string): Operator => ({
  compile: (tested, operand) => {
    const value = toEqualOperand(tested, operand)
    if (value === unmatchable) return negated ? everything : nothing
    return { kind: 'test', path: tested.path, type: tested.type, test: 'equals', value, negated }
  },
  schema: (value) => ({ anyOf: [value, { type: 'null' }], description }),
  comparesValues: true
})

/** The value is equal. Null matches null and absent values. */
export const eq = equality(false, 'is equal')
/** The value differs, or is absent. */
export const neq = equality(true, 'is not equal')

/** True for a condition that only tests whether there is a value. */
export function testsPresence(written: unknown): boolean {
  if (written === null) return true
  if (!isPlainObject(written)) return false
  return Object.entries(written).every(([name, operand]) => (name === 'eq' || name === 'neq') && operand === null)
}
