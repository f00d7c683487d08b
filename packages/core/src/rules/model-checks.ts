import { isPlainObject } from '@modelwire/server'
import { InvalidDefinition } from '../definition/errors.ts'
import type { Rules } from '../rules.ts'
import { readDate } from '../values/read-date.ts'
import type { PropertyType, ValueType } from '../types/property-type.ts'
import type { Problem, Rule } from './rule.ts'

/** How a check compares a property with another value. */
export type CheckSign = '=' | '<>' | '<' | '<=' | '>' | '>='

/** A constant of a check, converted to the type of the property. */
export type CheckValue = string | number | boolean | Date

/** The condition of a check. As in SQL, a comparison with an absent value is neither true nor false. */
export type CheckCondition =
  | { readonly kind: 'and'; readonly conditions: readonly CheckCondition[] }
  | { readonly kind: 'or'; readonly conditions: readonly CheckCondition[] }
  | { readonly kind: 'compare'; readonly property: string; readonly is: CheckSign; readonly other: string }
  | { readonly kind: 'test'; readonly property: string; readonly is: CheckSign; readonly value: CheckValue }
  | { readonly kind: 'absent'; readonly property: string; readonly negated: boolean }

/** A rule across the properties of a record, from `checks` of a model. Records that make it false are refused. */
export interface ModelCheck {
  readonly name: string
  readonly condition: CheckCondition
  /** The properties that it reads, in the order of the condition. */
  readonly properties: readonly string[]
  readonly message: string
}

/** How values of a type are compared; undefined for types that a check cannot compare. */
const comparedAs: Readonly<Partial<Record<ValueType['kind'], CheckKind>>> = {
  string: 'string',
  text: 'string',
  dateString: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date'
}

type CheckKind = 'string' | 'number' | 'boolean' | 'date'

const signs: ReadonlyMap<string, CheckSign> = new Map([
  ['eq', '='],
  ['neq', '<>'],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<=']
])

const words: Readonly<Record<CheckSign, string>> = {
  '=': 'must equal',
  '<>': 'must not equal',
  '>': 'must be greater than',
  '>=': 'must be at least',
  '<': 'must be less than',
  '<=': 'must be at most'
}

/** Where a check is written, for errors, and the properties that it may name. */
interface CheckPlace {
  readonly model: CheckedModel
  readonly name: string
}

/** A model as far as its checks need it. */
interface CheckedModel {
  readonly name: string
  readonly file: string | undefined
  readonly byName: ReadonlyMap<string, PropertyType>
  readonly definition: { readonly checks?: unknown }
  /** LB3: models may have any settings, also of this name. */
  readonly registry: { readonly rules: Pick<Rules, 'allowsUnknownNames' | 'readsDatesInZone'> }
}

/**
 * Reads `checks` of a model.
 * @throws {InvalidDefinition} a check is malformed, or compares what cannot be compared
 */
export function readChecks(model: CheckedModel): readonly ModelCheck[] {
  const { checks = {} } = model.definition
  const isLoose = model.registry.rules.allowsUnknownNames
  if (!isPlainObject(checks)) {
    if (isLoose) return []
    throw new InvalidDefinition('checks must be an object of checks by name', { model: model.name, key: 'checks' })
  }
  return Object.entries(checks)
    .filter(([, written]) => !isLoose || isCheck(written))
    .map(([name, written]) => readCheck({ model, name }, written))
}

const isCheck = (written: unknown): boolean => isPlainObject(written) && isPlainObject(written['where'])

function readCheck(place: CheckPlace, written: unknown): ModelCheck {
  const { where, message } = isPlainObject(written) ? written : {}
  if (!isPlainObject(where)) throw invalid(place, 'a check requires a "where"')
  if (message !== undefined && typeof message !== 'string') throw invalid(place, '"message" must be a string')
  const condition = readAll(place, where)
  const properties = [...new Set(namesIn(condition))]
  if (properties.length === 0) throw invalid(place, '"where" must test at least one property')
  return {
    name: place.name,
    condition,
    properties,
    message: message ?? defaultMessage(place.name, condition, properties)
  }
}

function defaultMessage(name: string, condition: CheckCondition, properties: readonly string[]): string {
  if (condition.kind === 'compare') return `${words[condition.is]} ${condition.other}`
  return `does not satisfy the check "${name}" on ${properties.join(', ')}`
}

function readAll(place: CheckPlace, where: Readonly<Record<string, unknown>>): CheckCondition {
  return joined(
    'and',
    Object.entries(where).flatMap(([key, value]) =>
      key === 'and' || key === 'or' ? [readList(place, key, value)] : readProperty(place, key, value)
    )
  )
}

function readList(place: CheckPlace, kind: 'and' | 'or', list: unknown): CheckCondition {
  if (!Array.isArray(list) || list.length === 0 || !list.every(isPlainObject))
    throw invalid(place, `"${kind}" must be a list of conditions`)
  return joined(
    kind,
    list.map((each) => readAll(place, each))
  )
}

const joined = (kind: 'and' | 'or', conditions: readonly CheckCondition[]): CheckCondition => {
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? only : { kind, conditions }
}

function readProperty(place: CheckPlace, name: string, value: unknown): readonly CheckCondition[] {
  if (!isPlainObject(value)) return [readTest(place, name, '=', value)]
  return Object.entries(value).map(([operator, operand]) => {
    const is = signs.get(operator)
    if (is === undefined) throw invalid(place, `unknown operator "${operator}": use ${[...signs.keys()].join(', ')}`)
    return readTest(place, name, is, operand)
  })
}

function readTest(place: CheckPlace, property: string, is: CheckSign, operand: unknown): CheckCondition {
  const compared = kindOf(place, property)
  if (operand === null) {
    if (is !== '=' && is !== '<>') throw invalid(place, 'null can only be compared with eq and neq')
    return { kind: 'absent', property, negated: is === '<>' }
  }
  if (compared === undefined) throw invalid(place, `the property "${property}" can only be compared with null`)
  if (!isPlainObject(operand)) return { kind: 'test', property, is, value: readValue(place, compared, operand) }
  const { property: other } = operand
  if (typeof other !== 'string')
    throw invalid(place, `"${property}" must be compared with a value or {"property": name}`)
  if (kindOf(place, other) !== compared)
    throw invalid(place, `the properties "${property}" and "${other}" have types that cannot be compared`)
  return { kind: 'compare', property, is, other }
}

function kindOf(place: CheckPlace, name: string): CheckKind | undefined {
  const property: PropertyType | undefined = place.model.byName.get(name)
  if (property === undefined) throw invalid(place, `unknown property "${name}"`)
  return comparedAs[property.type.kind]
}

function readValue(place: CheckPlace, kind: CheckKind, value: unknown): CheckValue {
  const isDate = kind === 'date' && (typeof value === 'string' || value instanceof Date)
  const read =
    isDate && typeof value === 'string' ? readDate(value, place.model.registry.rules.readsDatesInZone) : value
  const isFit =
    read instanceof Date ? isDate && !Number.isNaN(read.getTime()) : typeof read === kind && !Number.isNaN(read)
  // The line above lets nothing else pass.
  if (isFit) return read as CheckValue
  throw invalid(place, `a constant must be a ${kind}`)
}

const invalid = ({ model: { name: model, file }, name }: CheckPlace, message: string): InvalidDefinition =>
  new InvalidDefinition(message, { model, key: `checks.${name}`, ...(file !== undefined && { file }) })

function namesIn(condition: CheckCondition): readonly string[] {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.conditions.flatMap(namesIn)
  return condition.kind === 'compare' ? [condition.property, condition.other] : [condition.property]
}

/** Whether the record satisfies the condition; undefined where a comparison lacks a value. */
function evaluate(condition: CheckCondition, record: Readonly<Record<string, unknown>>): boolean | undefined {
  if (condition.kind === 'and' || condition.kind === 'or') {
    const decisive = condition.kind === 'or'
    const results = condition.conditions.map((each) => evaluate(each, record))
    if (results.includes(decisive)) return decisive
    return results.includes(undefined) ? undefined : !decisive
  }
  const value = record[condition.property] ?? null
  if (condition.kind === 'absent') return (value === null) !== condition.negated
  const other = condition.kind === 'compare' ? (record[condition.other] ?? null) : condition.value
  return value === null || other === null ? undefined : compares[condition.is](orderOf(value, other))
}

const compares: Readonly<Record<CheckSign, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0
}

function orderOf(one: unknown, other: unknown): number {
  const [left, right] = [valueOf(one), valueOf(other)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

function valueOf(value: unknown): number {
  // Both have the same type, one of those that are compared: `<` orders strings and numbers alike.
  return value instanceof Date ? value.getTime() : (value as number)
}

/** True unless the record makes the condition false: one with an absent value passes, as in SQL. */
export const passesCheck = ({ condition }: ModelCheck, record: Readonly<Record<string, unknown>>): boolean =>
  evaluate(condition, record) !== false

/** The problem of a record that violates the check. */
export const checkProblem = ({ name, properties: [property = ''], message }: ModelCheck): Problem => ({
  property,
  code: `check.${name}`,
  message
})

/** The validation rule of a check. */
export function ruleOfCheck(check: ModelCheck): Rule {
  const [property = '', ...scopedTo] = check.properties
  return {
    property,
    kind: 'check',
    options: { scopedTo, message: check.message, asSchema: true },
    sync: true,
    isOwn: true,
    check: ({ record }) => (passesCheck(check, record) ? [] : [checkProblem(check)])
  }
}
