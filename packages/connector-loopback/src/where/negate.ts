import { type Comparison, type Condition, perTest, type TestKind } from '@modelwire/core/connector'

/**
 * The condition that matches exactly the other records; undefined where there is none. Lists are tested item by item.
 */
export function negate(condition: Condition): Condition | undefined {
  if (condition.kind === 'never') return { kind: 'and', conditions: [] }
  if (condition.kind === 'related') return undefined
  if (condition.kind === 'test') return isOfOneValue(condition) ? negateTest(condition) : undefined
  if (condition.kind === 'nor') return { kind: 'or', conditions: condition.conditions }
  const negated = condition.conditions.map(negate)
  if (negated.includes(undefined)) return undefined
  const conditions = negated.flatMap((each) => (each === undefined ? [] : [each]))
  return { kind: condition.kind === 'and' ? 'or' : 'and', conditions }
}

const isOfOneValue = ({ type }: Comparison): boolean =>
  type !== undefined && type.kind !== 'array' && type.kind !== 'any'

const negateTest = perTest<TestKind, [], Condition | undefined>({
  equals: (test) => ({ ...test, negated: test.negated !== true }),
  in: (test) => ({ ...test, negated: test.negated !== true }),
  pattern: (test) => ({ ...test, negated: test.negated !== true }),
  range: ({ bounds, ...test }) => {
    if (bounds.some(({ value }) => (value ?? null) === null)) return undefined
    const outside = bounds.map(({ is, value }): Condition => ({ ...test, bounds: [{ is: opposites[is], value }] }))
    const absent: Condition = { kind: 'test', path: test.path, type: test.type, test: 'equals', value: null }
    return { kind: 'or', conditions: [...outside, absent] }
  },
  near: () => undefined
})

const opposites = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' } as const
