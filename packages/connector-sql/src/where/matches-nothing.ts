import type { Comparison } from '@modelwire/core'

/** A value that is absent satisfies the comparison. */
export function matchesNothing({ operator, value }: Comparison): boolean {
  return absentTests[operator]?.(value) ?? false
}

const isNull = (value: unknown): boolean => value === null || value === undefined
const holdsNull = (value: unknown): boolean => Array.isArray(value) && value.some(isNull)

const absentTests: Readonly<Partial<Record<Comparison['operator'], (value: unknown) => boolean>>> = {
  eq: isNull,
  neq: (value) => !isNull(value),
  gte: isNull,
  lte: isNull,
  between: (value) => Array.isArray(value) && value.every(isNull),
  inq: holdsNull,
  nin: (value) => !holdsNull(value),
  nlike: () => true,
  nilike: () => true
}
