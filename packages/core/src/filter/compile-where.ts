import { InvalidFilter, OperatorNotAllowed } from '../errors.ts'
import { isPlainObject } from '@modelwire/server'
import type { ValueType } from '../types/property-type.ts'
import type { Condition } from '../contract/condition.ts'
import { eq, equalsObject, testsPresence } from '../operators/equality.ts'
import { operators } from '../operators/index.ts'
import { nothing, type Operator, type TestedPath } from '../operators/operator.ts'
import { regexp } from '../operators/regexp.ts'
import { noQueryLimits, QueryBudget } from '../limits/limits.ts'
import type { Rules } from '../rules.ts'
import { hasOneOfKeys, isComposite } from '../model/composite-key.ts'
import { isAccessModel, isOfModel } from '../model/model-lineage.ts'
import type { ModelType } from '../contract/model-type.ts'
import { describe } from '../values/describe.ts'
import { asList } from '../operators/operand.ts'
import { settleMissing } from './missing-values.ts'
import { KeySet, RelatedKeys } from './related-conditions.ts'
import { trustedKey, TrustedWhere } from './trusted-where.ts'
import { refuseUnseen, type Sight, unseenIn } from './unseen-path.ts'

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
 * Compiles the value of one property of a `where`: a value, or an object of operators.
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
function withoutOperators(tested: TestedPath, value: Record<string, unknown>): Condition {
  const { type, key, foreignOperators } = tested
  const names = Object.keys(value)
  if (type?.kind === 'date' || type?.kind === 'boolean')
    throw new InvalidFilter(`${key} must be a single value, not an object`)
  const unknown = containers.has(type?.kind) ? names.find((name) => foreignOperators?.has(name)) : names[0]
  if (unknown !== undefined) throw new InvalidFilter(`Unknown operator "${unknown}" on property "${key}"`)
  return equalsObject(tested, value) ?? nothing
}

/** Options of the caller: they decide what a filter may use and how large it may be. */
export interface WhereOptions extends Sight {
  readonly budget: QueryBudget
  /** The condition comes from a caller: strings are compared by the column's collation in the database. */
  readonly byCollation?: boolean
  /** It bounds a page: all strings are compared as the order has them, those of keys, too. */
  readonly bounds?: true
  /** The options of the call. */
  readonly ofCall?: object | undefined
}

/** How the server's own conditions are read: they may name everything, and are as large as they are. */
const serverOptions = (): WhereOptions => ({ budget: new QueryBudget(noQueryLimits), refusesHidden: false })

/**
 * Checks and converts a `where` as written on the wire.
 * @throws {InvalidFilter} it is malformed
 * @throws {HiddenPropertyInFilter} it names a hidden property
 * @throws {LimitExceeded} it is larger than the limits allow
 * @see recordings filter/equality, filter/logic, filter/nested, filter/wrong-types
 */
export function compileWhere(model: ModelType, where: unknown, options: WhereOptions): Condition {
  return compileSettled(model, settleMissing(model, where, options.ofCall), options, 1)
}

function compileSettled(model: ModelType, where: unknown, options: WhereOptions, level: number): Condition {
  if (where instanceof TrustedWhere) return compileWhere(model, where[trustedKey], serverOptions())
  if (!isPlainObject(where)) throw new InvalidFilter(`where must be an object, not ${describe(where)}`)
  options.budget.depth(level)
  const conditions = Object.entries(where).map(([key, value]) => compileEntry(model, key, value, options, level))
  return conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind: 'and', conditions }
}

function compileEntry(model: ModelType, key: string, value: unknown, options: WhereOptions, level: number): Condition {
  if (key === 'and' || key === 'or' || key === 'nor') {
    const conditions = readClauses(key, value).map((clause) => compileSettled(model, clause, options, level + 1))
    options.budget.list(conditions.length)
    return { kind: key, conditions }
  }
  // A copy of what the server added: it must not be ignored, wherever it comes from.
  if (key === trustedKey) throw new InvalidFilter(`a condition may not be named ${trustedKey}`)
  options.budget.condition()
  return isComposite(model) && key === model.idProperty?.name
    ? compileKey(model, key, value, options)
    : compileProperty(model, key, value, options)
}

/** A condition on ids of several properties, by the name that stands for all of them. */
function compileKey(model: ModelType, name: string, value: unknown, options: WhereOptions): Condition {
  for (const part of model.keyNames) refuseUnseen(model, [part], options, 'filtered')
  if (value instanceof KeySet) return hasOneOfKeys(model, value.keys)
  const [operator, ...others] = isPlainObject(value) ? Object.keys(value) : []
  const list = isPlainObject(value) && operator === 'inq' && others.length === 0 ? asList(value['inq']) : [value]
  if (list?.every((id) => typeof id === 'string' || isPlainObject(id)) !== true && value !== null)
    throw new InvalidFilter(`${name} must be an id, or { inq: […] } with ids`)
  options.budget.list(list?.length ?? 0)
  return hasOneOfKeys(model, list ?? [])
}

/** LB3: its memory connector does, and looks into embedded records. @see recording filter/lists */
const ignoresDates = ({ dataSource }: ModelType): boolean =>
  dataSource === undefined || dataSource.connector.capabilities.ignoresDatesInLists === true

function readClauses(key: string, value: unknown): readonly unknown[] {
  const list = asList(value)
  if (list === undefined) throw new InvalidFilter(`${key} must be a list of conditions, not ${describe(value)}`)
  return list
}

function relatedTest(keyFrom: string, { model, property, where, count }: RelatedKeys): Condition {
  return { kind: 'related', keyFrom, model, keyTo: property, where, ...(count === undefined ? {} : { count }) }
}

function compileProperty(model: ModelType, key: string, value: unknown, options: WhereOptions): Condition {
  const path = key.split('.')
  const first = path[0] ?? ''
  // A key that joins related records is not part of the client's query, but how the server finds them.
  const isKeys = value instanceof KeySet || value instanceof RelatedKeys
  if (!isKeys) {
    const asWhole = !testsPresence(value)
    const ignores = model.registry.rules.ignoresHiddenConditions
    // LB3: such a condition is ignored, so that it reveals nothing; pinned by relations/has-many-string-key
    if (ignores && unseenIn(model, path, options, asWhole) !== undefined) return { kind: 'and', conditions: [] }
    refuseUnseen(model, path, options, 'filtered', asWhole)
  }
  const property = model.byName.get(first)
  const { rules } = model.registry
  const { readsLikeOptions, findsEmptyText, foreignOperators } = model.dataSource?.connector.capabilities ?? {}
  // LB3: values below a property are compared loosely, whatever is declared there; pinned by filter/nested
  const type =
    property && (rules.comparesPathsLoosely && path.length > 1 ? undefined : typeBelow(property.type, path.slice(1)))
  if (value instanceof KeySet) {
    const keys = value.keys
    return keys.length === 0 ? { kind: 'never' } : { kind: 'test', path, type, test: 'in', values: keys }
  }
  if (value instanceof RelatedKeys) return relatedTest(key, value)
  const tested: TestedPath = {
    path,
    type,
    declared: property !== undefined && path.length === 1,
    key,
    rules,
    ignoresDatesInLists: rules.ignoresDatesInLists && ignoresDates(model),
    readsLikeOptions: !rules.ignoresLikeOptions || readsLikeOptions === true,
    findsEmptyText: rules.findsEmptyLike && findsEmptyText === true,
    foreignOperators
  }
  refuseDatabaseOperators(key, value)
  const compiled = compileOperators(tested, value, options.budget)
  const isText = type === undefined || type.kind === 'string'
  return isText && isByCollation(model, first, options) ? byCollation(compiled) : compiled
}

function isByCollation(model: ModelType, name: string, options: WhereOptions): boolean {
  if (options.byCollation !== true) return false
  return options.bounds === true || (!decidesAccess(model) && !isKey(model, name))
}

/** Natively an id and the key of a relation are the same characters to whoever looks for them. */
function isKey({ registry, byName, relations }: ModelType, name: string): boolean {
  if (registry.rules.comparesByCollation) return false
  if (byName.get(name)?.id === true) return true
  for (const { holdsKey, keyFrom } of relations.values()) if (holdsKey === 'one' && keyFrom === name) return true
  return false
}

/** Tokens, roles and the like are found by their characters, whoever looks for them; accounts by names that people type. */
const decidesAccess = (model: ModelType): boolean => isAccessModel(model) && !isOfModel(model, 'User')

/** The tests that stand under one property, as the database compares texts. */
function byCollation(condition: Condition): Condition {
  if (condition.kind === 'test') return { ...condition, byCollation: true }
  return condition.kind === 'and' ? { ...condition, conditions: condition.conditions.map(byCollation) } : condition
}

/** The declared type at the end of a path; undefined if nothing is declared. */
export function typeBelow(type: ValueType, steps: readonly string[]): ValueType | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return type
  if (type.kind === 'array') return type.items && typeBelow(type.items, /^\d+$/.test(step) ? rest : steps)
  const property = type.kind === 'nested' ? type.byName.get(step) : undefined
  return property && typeBelow(property.type, rest)
}

function refuseDatabaseOperators(key: string, value: unknown): void {
  if (!isPlainObject(value)) return
  const names = Object.keys(value).filter((name) => name.startsWith('$'))
  if (names.length === 0) return
  throw new OperatorNotAllowed(`operators starting with $ are not allowed: ${names.join(', ')}`, {
    details: { operators: names, where: { [key]: value } }
  })
}
