import { isPlainObject } from '@modelwire/server'
import type { Bound, Condition } from '../contract/condition.ts'
import type { ResolvedRelation } from '../contract/relation.ts'
import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import { asList } from '../operators/operand.ts'
import { operators } from '../operators/index.ts'

/** Operators of relations: which of the related records must match. */
export type RelationOperator = 'some' | 'none' | 'every' | 'count'

/** The operators of relations, and what OpenAPI documents say of them. */
export const relationOperators: ReadonlyMap<string, string> = new Map<RelationOperator, string>([
  ['some', 'at least one related record matches'],
  ['none', 'no related record matches'],
  ['every', 'all related records match, or there are none'],
  ['count', 'the number of related records, or of those that match its `where`']
])

/** A condition on the records of a relation. */
export interface RelationTest {
  readonly operator: RelationOperator
  /** The condition on the related records, as written. */
  readonly where: unknown
  /** On their number, as the value at the path `count`; for `count` only. */
  readonly having?: Condition | undefined
  /** The operator was written: it refers to whole records, also to embedded ones. */
  readonly explicit: boolean
}

const isNumber = (value: unknown): boolean =>
  (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) && Number.isFinite(Number(value))

function numberOf(relation: string, operator: string, value: unknown): number {
  if (isNumber(value)) return Number(value)
  throw new InvalidFilter(`${operator} of the count of ${relation} must be a number, not ${describe(value)}`)
}

function numbersOf(relation: string, operator: string, value: unknown): readonly number[] {
  const list = asList(value)
  if (list === undefined)
    throw new InvalidFilter(`${operator} of the count of ${relation} must be a list of numbers, not ${describe(value)}`)
  return list.map((item) => numberOf(relation, operator, item))
}

const place = { kind: 'test', path: ['count'], type: { kind: 'number' } } as const

type CompileCount = (relation: string, operand: unknown) => Condition

const equals =
  (name: string, negated: boolean): CompileCount =>
  (relation, operand) => ({ ...place, test: 'equals', value: numberOf(relation, name, operand), negated })

const bound =
  (name: string, is: Bound['is']): CompileCount =>
  (relation, operand) => ({ ...place, test: 'range', bounds: [{ is, value: numberOf(relation, name, operand) }] })

const among =
  (name: string, negated: boolean): CompileCount =>
  (relation, operand) => ({ ...place, test: 'in', values: numbersOf(relation, name, operand), negated })

/** What a number of related records can be compared with. */
const countOperators: ReadonlyMap<string, CompileCount> = new Map([
  ['eq', equals('eq', false)],
  ['neq', equals('neq', true)],
  ['gt', bound('gt', '>')],
  ['gte', bound('gte', '>=')],
  ['lt', bound('lt', '<')],
  ['lte', bound('lte', '<=')],
  [
    'between',
    (relation, operand) => {
      const [first, second, ...more] = numbersOf(relation, 'between', operand)
      if (first === undefined || second === undefined || more.length > 0)
        throw new InvalidFilter(`between of the count of ${relation} must be a list of two numbers`)
      return {
        ...place,
        test: 'range',
        bounds: [
          { is: '>=', value: first },
          { is: '<=', value: second }
        ]
      }
    }
  ],
  ['inq', among('inq', false)],
  ['nin', among('nin', true)]
])

const takingLists: ReadonlySet<string> = new Set(['between', 'inq', 'nin'])

/** Names of the operators that compare a number of related records, each with whether it takes a list. */
export const countComparisons: readonly (readonly [name: string, takesList: boolean])[] = Array.from(
  countOperators.keys(),
  (name) => [name, takingLists.has(name)]
)

const comparisonNames = [...countOperators.keys()].join(', ')

/** `{ count: 5 }`, `{ count: { gt: 5 } }` or `{ count: { gte: 2, where: { stars: 5 } } }`. */
function readCount(name: string, operand: unknown): RelationTest {
  if (!isPlainObject(operand)) {
    const having = equals('eq', false)(name, operand)
    return { operator: 'count', where: {}, having, explicit: true }
  }
  const { where = {}, ...comparisons } = operand
  const entries = Object.entries(comparisons).filter(([, value]) => value !== undefined)
  if (entries.length === 0) throw new InvalidFilter(`count of ${name} must be a number, or one of ${comparisonNames}`)
  const conditions = entries.map(([key, value]) => {
    const compile = countOperators.get(key)
    if (compile !== undefined) return compile(name, value)
    throw new InvalidFilter(
      `Unknown operator ${JSON.stringify(key)} on the count of ${name}: use ${comparisonNames}, and where`
    )
  })
  checkWhere(name, 'where of count', where)
  return { operator: 'count', where, having: { kind: 'and', conditions }, explicit: true }
}

function checkWhere(name: string, operator: string, where: unknown): void {
  if (isPlainObject(where)) return
  throw new InvalidFilter(
    `${operator} of ${name} must be an object of conditions on its records, not ${describe(where)}`
  )
}

/** `null` and `{ eq: null }`: no related record; `{ neq: null }`: one. */
function presenceTest(name: string, value: unknown): RelationTest | undefined {
  const isNull = value === null
  if (!isNull || (name !== 'eq' && name !== 'neq')) return undefined
  return { operator: name === 'eq' ? 'none' : 'some', where: {}, explicit: true }
}

function readOperator({ name, many }: ResolvedRelation, key: string, operand: unknown): RelationTest {
  const test = presenceTest(key, operand)
  if (test !== undefined) return test
  if (!many && (key === 'every' || key === 'count'))
    throw new InvalidFilter(`${key} requires a relation to many records: ${name} leads to one, use some or none`)
  if (key === 'count') return readCount(name, operand)
  checkWhere(name, key, operand)
  // Only names of the table are read.
  return { operator: key as RelationOperator, where: operand, explicit: true }
}

/** LB3: properties of the related records take precedence; otherwise an operator does. */
function isOperator({ to, from, many }: ResolvedRelation, key: string, value: unknown): boolean {
  // One record has no number of records: a property of that name is meant.
  if (!many && (key === 'every' || key === 'count') && to?.byName.has(key) === true) return false
  const keepsName = from.registry.rules.testsRelationNames && to?.byName.has(key) === true
  if (keepsName) return false
  return relationOperators.has(key) || (presenceTest(key, value) !== undefined && to?.byName.has(key) !== true)
}

/** @throws {InvalidFilter} an operator of values, which relations do not have */
function refuseValueOperator({ name, to, from }: ResolvedRelation, keys: readonly string[]): void {
  if (from.registry.rules.testsRelationNames) return
  const operator = keys.find((key) => operators.has(key) && to?.byName.has(key) !== true)
  if (operator === undefined) return
  throw new InvalidFilter(
    `Unknown operator ${JSON.stringify(operator)} on the relation ${name}: use some, none, every or count, or null`
  )
}

/**
 * The tests behind the name of a relation in a `where`, all of which must hold: operators, null, or conditions that one
 * related record must satisfy.
 * @throws {InvalidFilter} they are malformed
 */
export function readRelationTests(relation: ResolvedRelation, value: unknown): readonly RelationTest[] {
  const { name } = relation
  if (value === null) return [{ operator: 'none', where: {}, explicit: true }]
  if (!isPlainObject(value))
    throw new InvalidFilter(`a condition on ${name} must be an object of conditions on its properties, or null`)
  const entries = Object.entries(value)
    .filter((entry) => entry[1] !== undefined)
    .map(([key, operand]) => splitPath(key, operand))
  const [written, others] = [
    entries.filter((entry) => isOperator(relation, ...entry)),
    entries.filter((entry) => !isOperator(relation, ...entry)).map(([key]) => key)
  ]
  refuseValueOperator(relation, others)
  if (written.length === 0) return [{ operator: 'some', where: value, explicit: false }]
  const [other] = others
  if (other !== undefined)
    throw new InvalidFilter(
      `${JSON.stringify(other)} cannot be beside ${JSON.stringify(written[0]?.[0])} in a condition on ${name}: put it into some, none or every`
    )
  return written.map(([key, operand]) => readOperator(relation, key, operand))
}

/** `none.stars` is `none` of a condition on `stars`. */
function splitPath(key: string, operand: unknown): readonly [string, unknown] {
  const dot = key.indexOf('.')
  const first = key.slice(0, Math.max(dot, 0))
  return relationOperators.has(first) ? [first, { [key.slice(dot + 1)]: operand }] : [key, operand]
}

/** All conditions on related records in a value behind the name of a relation, as written. */
export const whereOfRelated = (relation: ResolvedRelation, value: unknown): readonly unknown[] =>
  readRelationTests(relation, value).map(({ where }) => where)
