import type {
  AggregateFunction,
  AggregateQuery,
  DatePart,
  GroupColumn,
  MeasureColumn,
  ResultOrder
} from '../contract/aggregate.ts'
import { asList } from '../operators/operand.ts'
import type { PropertyType, ScalarKind } from '../types/property-type.ts'
import { fillDefaults, isPlainObject, type WithDefaults } from '@modelwire/server'
import { describe } from '../values/describe.ts'
import { isDatePart, typeOfPart } from './date-parts.ts'
import { AggregateNotAllowed, InvalidAggregate, HiddenPropertyInFilter, LimitExceeded } from '../errors.ts'
import type { Condition, Filter } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Restriction } from '../contract/access-control.ts'
import { compileFilter, isClientQuery, type QueryCaller, whereOptions } from '../filter/compile-filter.ts'
import { underScope } from '../filter/default-scope.ts'
import { refuseUnseen } from '../filter/unseen-path.ts'
import { AggregateSettingsSchema } from '../definition/list-settings.ts'

const exactTypes =
  /^(?:decimal|numeric|dec\b|fixed|decimal128|(?:tiny|small|medium|big)?int|int[248]|(?:small|big)?serial|serial[248])/i

const comparable: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'date', 'dateString'])

const plain: ReadonlySet<string> = new Set([...comparable, 'boolean'])

const isNumeric = (property: PropertyType): boolean =>
  property.type.kind === 'number' || property.type.kind === 'integer' || isDecimalProperty(property)

/** True where records can be grouped by the property, or by the part of its date. */
export const canGroup = ({ type }: PropertyType, part: DatePart | undefined): boolean =>
  part === undefined ? plain.has(type.kind) : type.kind === 'date'

const applicable: Readonly<Record<AggregateFunction, (property: PropertyType) => boolean>> = {
  count: ({ type }) => plain.has(type.kind),
  sum: isNumeric,
  avg: isNumeric,
  min: ({ type }) => comparable.has(type.kind),
  max: ({ type }) => comparable.has(type.kind)
}

/** True where the function can be applied to values of the property. */
const canMeasure = (fn: AggregateFunction, property: PropertyType): boolean => applicable[fn](property)

type Parts = Readonly<Record<string, unknown>>

/**
 * Finds a property that the caller may use.
 * @throws the error for one that it may not, or that there is not
 */
export type FindProperty = (name: string) => PropertyType

const aliasForm = /^[A-Za-z_]\w{0,62}$/

function checkAlias(alias: unknown): string {
  if (typeof alias === 'string' && aliasForm.test(alias) && !(alias in Object.prototype)) return alias
  throw new InvalidAggregate(`an alias must be a name of letters, digits and underscores, not ${describe(alias)}`)
}

const isAbsent = (raw: unknown): boolean => raw === undefined || raw === null || raw === '' || raw === false
const isTrue = (raw: unknown): boolean => raw === true || raw === 'true'

/** The columns of `group`: names of properties, and parts of dates such as `{ year: 'createdAt', as: 'y' }`. */
export function readGroups(raw: unknown, find: FindProperty): readonly GroupColumn[] {
  if (isAbsent(raw)) return []
  return (asList(raw) ?? [raw]).map((entry) => readGroup(entry, find))
}

function readGroup(entry: unknown, find: FindProperty): GroupColumn {
  if (typeof entry === 'string') return groupOf(find(entry), undefined, entry)
  if (!isPlainObject(entry))
    throw new InvalidAggregate(`group must contain property names and date parts, not ${describe(entry)}`)
  const { as: alias, ...parts } = entry
  const [[part, name] = [], ...others] = Object.entries(parts)
  if (part === undefined || !isDatePart(part) || typeof name !== 'string' || others.length > 0)
    throw new InvalidAggregate(`a date part must be written like { "year": "createdAt" }, not ${describe(entry)}`)
  return groupOf(find(name), part, alias === undefined ? `${part}_${name}` : checkAlias(alias))
}

function groupOf(property: PropertyType, part: GroupColumn['part'], name: string): GroupColumn {
  if (!canGroup(property, part))
    throw new InvalidAggregate(
      `records cannot be grouped by ${part === undefined ? '' : `the ${part} of `}${property.name}`
    )
  const type = part === undefined ? property.type : typeOfPart(part)
  const isDecimal = part === undefined && isDecimalProperty(property)
  return { value: resultProperty(name, type), isDecimal, property, part }
}

const functions: readonly AggregateFunction[] = ['count', 'sum', 'avg', 'min', 'max']

/** The columns of `count`, `sum`, `avg`, `min` and `max`: names of properties, or properties by aliases. */
export function readMeasures(raw: Parts, find: FindProperty): readonly MeasureColumn[] {
  return functions.flatMap((fn) => readFunction(fn, raw[fn], find))
}

function readFunction(fn: AggregateFunction, raw: unknown, find: FindProperty): readonly MeasureColumn[] {
  if (isAbsent(raw) || raw === 'false') return []
  if (fn === 'count' && isTrue(raw)) return [countOf('count')]
  const names = typeof raw === 'string' ? [raw] : asList(raw)
  if (names !== undefined) return names.map((name) => measureOf(fn, name, find))
  if (!isPlainObject(raw)) throw new InvalidAggregate(`${fn} must name properties, not ${describe(raw)}`)
  return Object.entries(raw).map(([alias, name]) =>
    fn === 'count' && isTrue(name) ? countOf(checkAlias(alias)) : measureOf(fn, name, find, checkAlias(alias))
  )
}

const countOf = (name: string): MeasureColumn => ({
  value: resultProperty(name, 'integer'),
  isDecimal: false,
  fn: 'count',
  property: undefined
})

/** The types of what is not of the property's own type, unless numbers are decimal. */
const plainTypes: Readonly<Partial<Record<AggregateFunction, ScalarKind>>> = { count: 'integer', avg: 'number' }

function measureOf(fn: AggregateFunction, name: unknown, find: FindProperty, alias?: string): MeasureColumn {
  if (typeof name !== 'string') throw new InvalidAggregate(`${fn} must name properties, not ${describe(name)}`)
  const property = find(name)
  if (!canMeasure(fn, property))
    throw new InvalidAggregate(`${fn} cannot be applied to ${name}, whose type is ${property.type.kind}`)
  const isDecimal = fn !== 'count' && isDecimalProperty(property)
  const plainType = plainTypes[fn] ?? property.type
  const type = isDecimal ? property.type : plainType
  return { value: resultProperty(alias ?? `${fn}_${name}`, type), isDecimal, fn, property }
}

/** True where a property holds exact decimal numbers as texts: a string whose mapping names such a type of a database. */
function isDecimalProperty({ type, definition }: PropertyType): boolean {
  if (type.kind !== 'string') return false
  return Object.values(definition).some(
    (mapping) =>
      isPlainObject(mapping) && typeof mapping['dataType'] === 'string' && exactTypes.test(mapping['dataType'])
  )
}

/** A value of a result as a property, by its name and type. */
function resultProperty(name: string, type: PropertyType['type'] | ScalarKind): PropertyType {
  const valueType = typeof type === 'string' ? { kind: type } : type
  return {
    name,
    type: valueType,
    id: false,
    generated: false,
    required: false,
    nullable: true,
    index: false,
    unique: false,
    definition: { type: valueType.kind }
  }
}

/** The limits of a model's aggregates for clients. */
type AggregateLimits = WithDefaults<typeof AggregateSettingsSchema>

type Column = GroupColumn | MeasureColumn

/** The caller, and what access control lets it see. */
export interface AggregateCaller {
  readonly call: QueryCaller
  readonly restriction: Restriction | undefined
}

const known: ReadonlySet<string> = new Set([
  'where',
  'group',
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'having',
  'order',
  'limit',
  'skip',
  'offset'
])
const mostColumns = 100

/**
 * Checks and converts an aggregate request, except its `where`.
 * @throws {InvalidAggregate} it is malformed, or names a property that does not exist or cannot be summed
 * @throws {HiddenPropertyInFilter} a client names a hidden property
 * @throws {AggregateNotAllowed} a client names one that the model's setting does not list
 * @throws the restriction's error for denied properties
 */
export function compileAggregate(
  model: ModelType,
  raw: unknown,
  caller: AggregateCaller
): Omit<AggregateQuery, 'where'> {
  const parts = readParts(raw)
  const find = propertyFinder(model, caller)
  const [groups, measures] = [readGroups(parts['group'], find), readMeasures(parts, find)]
  const columns = new Map<string, Column>()
  for (const column of [...groups, ...measures]) addColumn(columns, column)
  if (columns.size === 0)
    throw new InvalidAggregate('the request is empty: set at least one of group, count, sum, avg, min, max')
  const { where: having, order, limit, skip } = compileResultFilter(model, parts, [...columns.values()], caller.call)
  checkPaths(having, columns)
  return {
    groups,
    measures,
    having,
    order: wholeOrder(order, columns, groups),
    limit: limitFor(model, limit, caller),
    skip
  }
}

/** The request as an object without unknown parts. */
function readParts(raw: unknown): Parts {
  if (!isPlainObject(raw)) throw new InvalidAggregate(`an aggregate request must be an object, not ${describe(raw)}`)
  const unknown = Object.keys(raw).find((name) => !known.has(name))
  if (unknown !== undefined) throw new InvalidAggregate(`Unknown key "${unknown}" in an aggregate request`)
  return raw
}

function addColumn(columns: Map<string, Column>, column: Column): void {
  const { name } = column.value
  if (columns.has(name)) throw new InvalidAggregate(`two values are named "${name}": add an alias`)
  columns.set(name, column)
  if (columns.size > mostColumns) throw new LimitExceeded(`a row may have at most ${mostColumns} values`)
}

function propertyFinder(model: ModelType, { call, restriction }: AggregateCaller): FindProperty {
  const shown = isClientQuery(call) ? underScope(model, { order: [], skip: 0 }).fields : undefined
  const allowed = call.client === undefined ? undefined : aggregateLimits(model).properties
  return (name) => {
    refuseUnseen(model, [name], whereOptions(call), 'grouped or summed', false)
    if (shown?.has(name) === false)
      throw new HiddenPropertyInFilter(`${model.name} cannot be grouped or summed by ${name}`)
    const property = model.byName.get(name)
    if (property === undefined) throw new InvalidAggregate(`${model.name} has no property "${name}"`)
    if (restriction?.readable?.has(name) === false)
      throw restriction.denyProperty(`this client may not group or sum ${model.name} by ${name}`)
    if (allowed?.includes(name) === false)
      throw new AggregateNotAllowed(`the setting "aggregate" of ${model.name} does not list the property ${name}`)
    return property
  }
}

/** `having`, `order` and the page are those of a filter of a model whose properties are the values of the result. */
function compileResultFilter(model: ModelType, parts: Parts, columns: readonly Column[], call: QueryCaller): Filter {
  const properties = columns.map(({ value }) => value)
  const byName = new Map(properties.map((property) => [property.name, property]))
  const nothing = { hidden: new Set<string>(), protected: new Set<string>(), embedded: new Map<string, string>() }
  const { having, order, limit, skip, offset } = parts
  return compileFilter(
    { ...model, ...nothing, properties, byName },
    { where: having, order, limit, skip, offset },
    call
  )
}

/** @throws {InvalidAggregate} a condition of `having` names no value of the result, or tests a distance */
function checkPaths(condition: Condition | undefined, columns: ReadonlyMap<string, Column>): void {
  if (condition === undefined || condition.kind === 'never') return
  if ('conditions' in condition) return condition.conditions.forEach((part) => checkPaths(part, columns))
  if (condition.kind === 'related' || condition.test === 'near')
    throw new InvalidAggregate('having may only reference groups and aggregates')
  columnAt(condition.path, columns, 'having')
}

function columnAt(path: readonly string[], columns: ReadonlyMap<string, Column>, part: string): Column {
  const column = columns.get(path.join('.'))
  if (column === undefined)
    throw new InvalidAggregate(`${part} refers to "${path.join('.')}", which is not a value of the result`)
  return column
}

/** The order as requested, then every group that it does not name. */
function wholeOrder(
  order: Filter['order'],
  columns: ReadonlyMap<string, Column>,
  groups: readonly GroupColumn[]
): readonly ResultOrder[] {
  const named = order.map(({ path, descending }) => ({ column: columnAt(path, columns, 'order'), descending }))
  const rest = groups.filter((group) => named.every(({ column }) => column !== group))
  return [...named, ...rest.map((column) => ({ column, descending: false }))]
}

/** @throws {LimitExceeded} a client asks for more rows than it may have */
function limitFor(model: ModelType, limit: number | undefined, { call }: AggregateCaller): number | undefined {
  if (call.client === undefined) return limit
  const { limit: preset, maxLimit } = aggregateLimits(model)
  if (limit !== undefined && limit > maxLimit)
    throw new LimitExceeded(`limit may be at most ${maxLimit} for aggregates of ${model.name}`)
  return limit ?? Math.min(preset, maxLimit)
}

/** The limits of clients of a model, with their defaults. */
function aggregateLimits({ definition: { aggregate } }: ModelType): AggregateLimits {
  return fillDefaults(AggregateSettingsSchema, typeof aggregate === 'object' ? aggregate : {})
}
