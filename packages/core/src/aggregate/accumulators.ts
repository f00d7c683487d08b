import { NumberNotRepresentable } from '../connector/errors.ts'
import type { MeasureColumn } from '../contract/aggregate.ts'
import { addExact, divideExact, type Exact, exactZero, readExact, shortDecimal, writeExact } from '../values/decimal.ts'
import { compareValues } from './compare-results.ts'

/** Takes the values of the records of one group, null and absent ones left out, and gives what is computed of them. */
export interface Accumulator {
  add: (value: unknown) => void
  result: () => unknown
}

/** How many decimals an average of decimal numbers has at most. */
export const averagePlaces = 20

/** Makes what computes one value of one group. */
export function createAccumulator(column: MeasureColumn): Accumulator {
  const { fn, isDecimal } = column
  if (fn === 'count') return createCount()
  if (fn === 'min' || fn === 'max') return createExtreme(isDecimal, fn === 'min' ? -1 : 1)
  if (isDecimal) return createExactSum(fn === 'avg')
  return fn === 'avg' ? createAverage() : createSum()
}

function createCount(): Accumulator {
  let count = 0
  return {
    add: () => {
      count++
    },
    result: () => count
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

/** Whole numbers are added exactly, however large their sum becomes on the way. */
function createSum(): Accumulator {
  let [sum, beyond, isEmpty] = [0, 0n, true]
  return {
    add: (value) => {
      if (!isNumber(value)) return
      isEmpty = false
      const next = sum + value
      if (Number.isSafeInteger(next) || !Number.isSafeInteger(sum) || !Number.isSafeInteger(value)) sum = next
      else [sum, beyond] = [value, beyond + BigInt(sum)]
    },
    result: () => {
      if (isEmpty) return null
      return beyond === 0n ? sum : wholeSum(beyond, sum)
    }
  }
}

/** @throws {NumberNotRepresentable} no number is the sum */
function wholeSum(beyond: bigint, sum: number): number {
  if (!Number.isInteger(sum)) return Number(beyond) + sum
  const whole = beyond + BigInt(sum)
  if (BigInt(Number(whole)) === whole) return Number(whole)
  throw new NumberNotRepresentable(
    `the sum ${whole} has more digits than a number can hold: store the values as decimal numbers`
  )
}

function createAverage(): Accumulator {
  let [sum, count] = [0, 0]
  return {
    add: (value) => {
      if (isNumber(value)) [sum, count] = [sum + value, count + 1]
    },
    result: () => (count === 0 ? null : sum / count)
  }
}

function createExactSum(isAverage: boolean): Accumulator {
  let sum: Exact = exactZero
  let count = 0
  return {
    add: (value) => {
      const exact = readExact(String(value))
      if (exact !== undefined) [sum, count] = [addExact(sum, exact), count + 1]
    },
    result: () => {
      if (count === 0) return null
      return isAverage ? shortDecimal(writeExact(divideExact(sum, count, averagePlaces))) : writeExact(sum)
    }
  }
}

function createExtreme(isDecimal: boolean, direction: -1 | 1): Accumulator {
  let extreme: unknown = null
  return {
    add: (value) => {
      if (extreme === null || compareValues(value, extreme, isDecimal) * direction > 0) extreme = value
    },
    result: () => (extreme instanceof Date ? new Date(extreme) : extreme)
  }
}
