import { isPlainObject } from '../../values/clone-plain.ts'
import { toEqualOperand, unmatchable } from '../operand.ts'
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

/** The value is equal. Null finds null and absent values. */
export const eq = equality(false, 'is equal')
/** The value is another one, or absent. */
export const neq = equality(true, 'is not equal')

/** True for a condition that tests only whether there is a value. */
export function testsPresence(written: unknown): boolean {
  if (written === null) return true
  if (!isPlainObject(written)) return false
  return Object.entries(written).every(([name, operand]) => (name === 'eq' || name === 'neq') && operand === null)
}
