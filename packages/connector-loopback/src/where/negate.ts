import type { Comparison, Condition, LikeOperator, OneValueOperator } from '@modelwire/core'

const ordered: Readonly<Partial<Record<OneValueOperator, OneValueOperator>>> = {
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt'
}

const opposites: Readonly<Record<LikeOperator, LikeOperator>> = {
  like: 'nlike',
  nlike: 'like',
  ilike: 'nilike',
  nilike: 'ilike'
}

/** The condition that matches exactly the other records; undefined where none says that. Lists are tested item by item. */
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

function negateTest(test: Comparison): Condition | undefined {
  const { path, type } = test
  const at = { kind: 'test', path, type } as const
  const absent: Condition = { ...at, operator: 'eq', value: null }
  if (test.operator === 'eq' || test.operator === 'neq')
    return { ...at, operator: test.operator === 'eq' ? 'neq' : 'eq', value: test.value }
  if (test.operator === 'inq' || test.operator === 'nin')
    return { ...at, operator: test.operator === 'inq' ? 'nin' : 'inq', value: test.value }
  // The empty text is like nothing, and not like nothing either.
  if ('like' in test && test.like !== '')
    return { ...at, operator: opposites[test.operator], value: test.value, like: test.like }
  const opposite = ordered[test.operator as OneValueOperator] // an operator of the table, or nothing is found
  if (opposite === undefined || (test.value ?? null) === null) return undefined
  return { kind: 'or', conditions: [{ ...at, operator: opposite, value: test.value }, absent] }
}
