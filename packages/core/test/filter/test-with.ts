import type { TestOf } from '#src/contract/condition.ts'

type Asked = { [K in 'equals' | 'in' | 'range']: Omit<TestOf<K>, 'kind' | 'path' | 'type'> }['equals' | 'in' | 'range']

/** Operators whose operand a test holds as it is. */
export type ValueOperator = 'eq' | 'neq' | 'inq' | 'nin' | 'between' | keyof typeof bounds

const bounds = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** What an operator asks of a value, with its operand as it is: nothing is converted or refused. */
export function testWith(operator: ValueOperator, operand: unknown): Asked {
  if (operator === 'eq' || operator === 'neq') return { test: 'equals', value: operand, negated: operator === 'neq' }
  // Lists and pairs are written by the caller.
  const list = operand as readonly [unknown, unknown]
  if (operator === 'inq' || operator === 'nin') return { test: 'in', values: list, negated: operator === 'nin' }
  if (operator !== 'between') return { test: 'range', bounds: [{ is: bounds[operator], value: operand }] }
  const [low, high] = list
  return {
    test: 'range',
    bounds: [
      { is: '>=', value: low },
      { is: '<=', value: high }
    ]
  }
}
