import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import { asList, toOperand, unmatchable } from './operand.ts'
import type { Bound } from '../contract/condition.ts'
import { nothing, type Operator, type TestedPath } from './operator.ts'

/** `gt`, `gte`, `lt`, `lte` and `between`. */
export interface RangeOperators<V> {
  gt?: V
  gte?: V
  lt?: V
  lte?: V
  between?: readonly [V, V]
}

const isSingle = (operand: unknown): boolean =>
  typeof operand !== 'object' || operand === null || operand instanceof Date

/** What an object or a list is compared as; undefined where that is a mistake. LB3: as JavaScript compares it. */
function looseOperand(tested: TestedPath, operand: unknown): unknown {
  const { type, rules } = tested
  if (!rules.comparesObjects || type?.kind === 'date') return undefined
  // Objects of clients may have a `toString` that is no function.
  const isPlainList = Array.isArray(operand) && operand.every((item) => typeof item !== 'object')
  const text = isPlainList ? operand.join() : '[object Object]'
  if (type?.kind === 'string') return toOperand(tested, text)
  const number = type?.kind === 'number' ? Number(text) : NaN
  return Number.isNaN(number) ? unmatchable : number
}

const bound = (name: string, is: Bound['is'], description: string): Operator => ({
  compile: (tested, operand) => {
    const value = isSingle(operand) ? toOperand(tested, operand) : looseOperand(tested, operand)
    if (value === undefined)
      throw new InvalidFilter(`${name} on ${tested.key} must be a single value, not ${describe(operand)}`)
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

/** The value is between two others, inclusive. */
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
    description: 'is between these, inclusive'
  }),
  comparesValues: true
}
