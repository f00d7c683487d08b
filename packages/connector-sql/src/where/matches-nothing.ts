import { type Comparison, isInclusive, perTest, type TestKind } from '@modelwire/core/connector'

/** Whether an absent value satisfies the comparison. */
export function matchesNothing(comparison: Comparison): boolean {
  return equalsNothing(comparison) !== (comparison.negated ?? false)
}

const isNull = (value: unknown): boolean => value === null || value === undefined

const equalsNothing = perTest<TestKind, [], boolean>({
  equals: ({ value }) => isNull(value),
  in: ({ values }) => values.some(isNull),
  range: ({ bounds }) => bounds.every((bound) => isNull(bound.value) && isInclusive(bound)),
  pattern: () => false,
  near: () => false
})
