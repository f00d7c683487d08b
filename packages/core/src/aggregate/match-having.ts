import type { Comparison } from '../contract/comparison.ts'
import type { AggregateQuery } from '../contract/aggregate.ts'
import type { Condition } from '../contract/condition.ts'
import { compilePredicate, type Predicate } from '../filter/match-where.ts'
import { compareExact, readExact } from '../values/decimal.ts'

/** Makes what tests rows of a result: decimal numbers by their values, all others as records are tested. */
export function compileHaving({ having, groups, measures }: AggregateQuery): Predicate {
  if (having === undefined) return () => true
  const decimals = new Set([...groups, ...measures].filter(({ isDecimal }) => isDecimal).map(({ value }) => value.name))
  return decimals.size === 0 ? compilePredicate(having) : compile(having, decimals)
}

function compile(condition: Condition, decimals: ReadonlySet<string>): Predicate {
  if (condition.kind === 'test' && decimals.has(condition.path[0] ?? '')) return compileDecimal(condition)
  if (!('conditions' in condition)) return compilePredicate(condition)
  const parts = condition.conditions.map((part) => compile(part, decimals))
  if (condition.kind === 'and') return (row) => parts.every((part) => part(row))
  const any: Predicate = (row) => parts.some((part) => part(row))
  return condition.kind === 'or' ? any : (row) => !any(row)
}

/** How the value compares with an operand; undefined where either is no number. */
function compareDecimal(value: unknown, operand: unknown): number | undefined {
  const [left, right] = [readExact(String(value)), readExact(String(operand))]
  return left === undefined || right === undefined ? undefined : compareExact(left, right)
}

const isEqual = (value: unknown, operand: unknown): boolean =>
  value === null || operand === null ? value === operand : compareDecimal(value, operand) === 0

const holds = {
  '>': (compared: number) => compared > 0,
  '>=': (compared: number) => compared >= 0,
  '<': (compared: number) => compared < 0,
  '<=': (compared: number) => compared <= 0
} as const

function testDecimal(comparison: Comparison, value: unknown): boolean | undefined {
  if (comparison.test === 'equals') return isEqual(value, comparison.value ?? null)
  if (comparison.test === 'in') return comparison.values.some((each) => isEqual(value, each ?? null))
  if (comparison.test !== 'range') return undefined
  return comparison.bounds.every(({ is, value: operand }) => {
    const compared = value === null ? undefined : compareDecimal(value, operand)
    return compared !== undefined && holds[is](compared)
  })
}

function compileDecimal(comparison: Comparison): Predicate {
  const [name = ''] = comparison.path
  const asText = compilePredicate(comparison)
  const isNegated = comparison.negated === true
  return (row) => {
    const found = testDecimal(comparison, row[name])
    return found === undefined ? asText(row) : found !== isNegated
  }
}
