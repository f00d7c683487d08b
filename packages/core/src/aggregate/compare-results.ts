import type { ResultOrder } from '../contract/aggregate.ts'
import type { Row } from '../contract/row.ts'
import { compareExact, exactZero, readExact } from '../values/decimal.ts'

/** Below 0, 0 or above 0 where the first of two values of one column comes first; neither is null. */
export function compareValues(first: unknown, second: unknown, isDecimal: boolean): number {
  if (isDecimal) return compareExact(exactOf(first), exactOf(second))
  if (first instanceof Date && second instanceof Date) return first.getTime() - second.getTime()
  if (first === second) return 0
  // Values of one column are numbers, texts or booleans, which the language compares by themselves.
  return (first as number) < (second as number) ? -1 : 1
}

const exactOf = (value: unknown) => readExact(String(value)) ?? exactZero

function compareNullable(first: unknown, second: unknown, isDecimal: boolean): number {
  if (first === null || second === null) return Number(first !== null) - Number(second !== null)
  return compareValues(first, second, isDecimal)
}

/** Makes the comparison of rows of a result: null comes first, or last where the order descends. */
export function compileResultOrder(order: readonly ResultOrder[]): (first: Row, second: Row) => number {
  const steps = order.map(({ column: { value, isDecimal }, descending }) => (first: Row, second: Row): number => {
    const compared = compareNullable(first[value.name], second[value.name], isDecimal)
    return descending ? -compared : compared
  })
  return (first, second) => {
    for (const step of steps) {
      const compared = step(first, second)
      if (compared !== 0) return compared
    }
    return 0
  }
}
