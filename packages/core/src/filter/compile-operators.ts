import { InvalidFilter } from '../errors.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { describe } from '../values/describe.ts'
import { isRoundedNumber } from '../values/exact-number.ts'
import type { ValueType } from '../types/value-type.ts'
import { asList } from './as-list.ts'
import type { TestedPath } from './compile-where.ts'
import type { Condition, LikeOperator, ListOperator, OneValueOperator, Pattern } from '../contract/condition.ts'
import { compileNear, nearKeys } from './compile-near.ts'
import { codePattern, likePattern, parseRegexp, regexpPattern } from './match-pattern.ts'
import { toOperand, unmatchable } from './operand.ts'
import type { QueryBudget } from '../limits/query-limits.ts'

type CompileOperator = (tested: TestedPath, value: unknown, budget: QueryBudget) => Condition

const never: Condition = { kind: 'never' }
const always: Condition = { kind: 'and', conditions: [] }

/** A text with more digits than a number can hold equals no number: rounded, it would find another record. */
function toEqual(tested: TestedPath, raw: unknown): unknown {
  const kind = tested.type?.kind === 'array' ? tested.type.items?.kind : tested.type?.kind
  const isNumber = kind === 'number' || kind === 'integer'
  return isNumber && typeof raw === 'string' && isRoundedNumber(raw) ? unmatchable : toOperand(tested, raw)
}

const oneValue =
  (operator: OneValueOperator): CompileOperator =>
  (tested, raw) => {
    if (operator !== 'eq' && operator !== 'neq' && typeof raw === 'object' && raw !== null && !(raw instanceof Date)) {
      throw new InvalidFilter(`${operator} of ${tested.key} needs one value, not ${describe(raw)}`)
    }
    const isEquality = operator === 'eq' || operator === 'neq'
    const value = isEquality ? toEqual(tested, raw) : toOperand(tested, raw)
    if (value === unmatchable) return operator === 'neq' ? always : never
    return { kind: 'test', path: tested.path, type: tested.type, operator, value }
  }

const list =
  (operator: ListOperator): CompileOperator =>
  (tested, raw, budget) => {
    const items = asList(raw)
    if (items === undefined) throw new InvalidFilter(`${operator} of ${tested.key} needs a list, not ${describe(raw)}`)
    budget.list(items.length)
    const value = items.map((item) => toEqual(tested, item)).filter((item) => item !== unmatchable)
    // LB3: dates in lists are compared as objects and never equal, pinned by the recording filter/lists
    const usable = tested.ignoresDatesInLists ? value.filter((item) => !(item instanceof Date)) : value
    return { kind: 'test', path: tested.path, type: tested.type, operator, value: usable }
  }

const between: CompileOperator = (tested, raw) => {
  const items = asList(raw)
  if (items?.length !== 2) throw new InvalidFilter(`between of ${tested.key} needs a list of two values`)
  const [low, high] = items.map((item) => toOperand(tested, item))
  if (low === unmatchable || high === unmatchable || low === null || high === null) return never
  return { kind: 'test', path: tested.path, type: tested.type, operator: 'between', value: [low, high] }
}

/** LB3: an absent value reads as "undefined" there, pinned by filter/patterns. */
const readingAbsent = (pattern: Pattern): Pattern => ({
  source: pattern.source,
  ignoreCase: pattern.ignoreCase,
  test: (text) => pattern.test(text),
  matchesAbsent: pattern.test('undefined')
})

const like =
  (operator: LikeOperator): CompileOperator =>
  (tested, raw) => {
    const { path, type } = tested
    const ignoreCase = operator === 'ilike' || operator === 'nilike'
    if (raw instanceof RegExp) return { kind: 'test', path, type, operator, value: codePattern(raw), like: raw.source }
    if (typeof raw !== 'string')
      throw new InvalidFilter(`${operator} of ${tested.key} needs a text, not ${describe(raw)}`)
    if (raw === '') return never
    const pattern = likePattern(raw, { ignoreCase })
    return { kind: 'test', path, type, operator, value: tested.compat ? readingAbsent(pattern) : pattern, like: raw }
  }

const numeric = new Set<ValueType['kind'] | undefined>(['number', 'integer', 'boolean', 'date', 'geopoint', 'buffer'])

const regexp: CompileOperator = (tested, raw) => {
  const itemKind = tested.type?.kind === 'array' ? tested.type.items?.kind : tested.type?.kind
  if (numeric.has(itemKind)) throw new InvalidFilter(`regexp cannot be used on ${tested.key}, which holds no text`)
  if (raw instanceof RegExp)
    return { kind: 'test', path: tested.path, type: tested.type, operator: 'regexp', value: codePattern(raw) }
  if (typeof raw !== 'string') throw new InvalidFilter(`regexp of ${tested.key} needs a text, not ${describe(raw)}`)
  // LB3: the form /x/flags is only read on declared properties, pinned by the recordings filter/regexp and filter/open
  const { source, flags } = tested.declared ? parseRegexp(raw) : { source: raw, flags: '' }
  const value = regexpPattern(source, { ignoreCase: flags.includes('i'), multiline: flags.includes('m') })
  return { kind: 'test', path: tested.path, type: tested.type, operator: 'regexp', value }
}

/** Every operator, in the order in which LoopBack looks for them. */
const operators: ReadonlyMap<string, CompileOperator> = new Map<string, CompileOperator>([
  ['eq', oneValue('eq')],
  ['gt', oneValue('gt')],
  ['gte', oneValue('gte')],
  ['lt', oneValue('lt')],
  ['lte', oneValue('lte')],
  ['between', between],
  ['inq', list('inq')],
  ['nin', list('nin')],
  ['near', compileNear],
  ['neq', oneValue('neq')],
  ['like', like('like')],
  ['nlike', like('nlike')],
  ['ilike', like('ilike')],
  ['nilike', like('nilike')],
  ['regexp', regexp]
])

const rangeOperators = new Set(['gt', 'gte', 'lt', 'lte'])
const containers = new Set<ValueType['kind'] | undefined>([
  undefined,
  'object',
  'any',
  'nested',
  'array',
  'model',
  'geopoint'
])

/** The operators that count. LB3: only the first, pinned by filter/comparison; both ends of a range hold together. */
function countingOperators(present: readonly string[], compat: boolean): readonly string[] {
  const first = present[0]
  if (!compat || first === undefined) return present
  return rangeOperators.has(first) ? present.filter((name) => rangeOperators.has(name)) : [first]
}

const caselessForms: ReadonlyMap<string, string> = new Map([
  ['like', 'ilike'],
  ['nlike', 'nilike']
])

/** LB3: `{"like": "lamp", "options": "i"}` is how clients of MongoDB ask for either case; loopback-connector-mongodb, buildWhere */
function caseless(name: string, { [name]: pattern, options }: Record<string, unknown>): string {
  const ignoresCase = typeof pattern === 'string' && typeof options === 'string' && options.includes('i')
  return (ignoresCase ? caselessForms.get(name) : undefined) ?? name
}

/**
 * Compiles what stands under one property of a `where`: a value, or an object of operators.
 * @throws {InvalidFilter} an operator is unknown or its value has the wrong form
 */
export function compileOperators(tested: TestedPath, value: unknown, budget: QueryBudget): Condition {
  if (value instanceof RegExp) return regexp(tested, value, budget)
  if (!isPlainObject(value)) return oneValue('eq')(tested, value, budget)
  const present = [...operators.keys()].filter((name) => value[name] !== undefined)
  if (present.length === 0) return withoutOperators(tested, value)
  const unknown = Object.keys(value).find(
    (name) => !operators.has(name) && name !== 'options' && !(present.includes('near') && nearKeys.has(name))
  )
  if (unknown !== undefined) throw new InvalidFilter(`"${unknown}" is no operator (on ${tested.key})`)
  for (let more = 1; more < present.length; more++) budget.condition()
  const conditions = countingOperators(present, tested.compat).map((name) => {
    const compile = operators.get(tested.readsLikeOptions ? caseless(name, value) : name) ?? regexp
    return compile(tested, name === 'near' ? value : value[name], budget)
  })
  return conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind: 'and', conditions }
}

/** LB3: an object without operators equals nothing; where one value is declared, its keys can only be misspelt operators. */
function withoutOperators(tested: TestedPath, value: Record<string, unknown>): Condition {
  const [key] = Object.keys(value)
  if (tested.type?.kind === 'date' || tested.type?.kind === 'boolean')
    throw new InvalidFilter(`${tested.key} needs one value, not an object`)
  if (key === undefined || containers.has(tested.type?.kind)) return never
  throw new InvalidFilter(`"${key}" is no operator (on ${tested.key})`)
}
