import { InvalidFilter } from '../errors.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import type { ValueType } from '../types/value-type.ts'
import type { Condition } from '../contract/condition.ts'
import { eq } from './operators/equality.ts'
import { operators } from './operators/index.ts'
import { nothing, type Operator, type TestedPath } from './operators/operator.ts'
import { regexp } from './operators/regexp.ts'
import type { QueryBudget } from '../limits/query-limits.ts'
import type { Rules } from '../rules.ts'

const containers = new Set<ValueType['kind'] | undefined>([
  undefined,
  'object',
  'any',
  'nested',
  'array',
  'model',
  'geopoint'
])

interface Present {
  readonly name: string
  readonly operator: Operator
}

const inOrder: readonly Present[] = Array.from(operators, ([name, operator]) => ({ name, operator }))

/** The operators that count. */
function countingOperators(present: readonly Present[], { countsFirstOperator }: Rules): readonly Present[] {
  const first = countsFirstOperator ? present.find(({ operator }) => operator.whenFirstCounts !== 'always') : undefined
  if (first === undefined) return present
  const isRange = first.operator.whenFirstCounts === 'range'
  return present.filter(
    (each) =>
      each === first ||
      each.operator.whenFirstCounts === 'always' ||
      (isRange && each.operator.whenFirstCounts === 'range')
  )
}

/**
 * Compiles what stands under one property of a `where`: a value, or an object of operators.
 * @throws {InvalidFilter} an operator is unknown or its value has the wrong form
 */
export function compileOperators(tested: TestedPath, value: unknown, budget: QueryBudget): Condition {
  if (!isPlainObject(value))
    return (value instanceof RegExp ? regexp : eq).compile(tested, value, { budget, written: {} })
  const present = inOrder.filter(({ name }) => value[name] !== undefined)
  if (present.length === 0) return withoutOperators(tested, value)
  const isBeside = (name: string): boolean =>
    present.some(({ operator: { beside = {} } }) => Object.hasOwn(beside, name))
  const unknown = Object.keys(value).find((name) => !operators.has(name) && name !== 'options' && !isBeside(name))
  if (unknown !== undefined) throw new InvalidFilter(`Unknown operator "${unknown}" on property "${tested.key}"`)
  for (let more = 1; more < present.length; more++) budget.condition()
  const conditions = countingOperators(present, tested.rules).map(({ name, operator }) =>
    operator.compile(tested, value[name], { budget, written: value })
  )
  return conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind: 'and', conditions }
}

/**
 * LB3: an object without operators equals nothing; where one value is declared, its keys can only be misspelt operators, and on a
 * database that has operators of these names, those.
 */
function withoutOperators({ type, key, foreignOperators }: TestedPath, value: Record<string, unknown>): Condition {
  const names = Object.keys(value)
  if (type?.kind === 'date' || type?.kind === 'boolean')
    throw new InvalidFilter(`${key} must be a single value, not an object`)
  const unknown = containers.has(type?.kind) ? names.find((name) => foreignOperators?.has(name)) : names[0]
  if (unknown === undefined) return nothing
  throw new InvalidFilter(`Unknown operator "${unknown}" on property "${key}"`)
}
