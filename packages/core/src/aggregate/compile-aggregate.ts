import type { AggregateQuery, GroupColumn, MeasureColumn, ResultOrder } from '../contract/aggregate.ts'
import type { Condition, Filter } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Restriction } from '../contract/restriction.ts'
import { HiddenPropertyInFilter, LimitExceeded } from '../errors.ts'
import { compileFilter, isClientQuery, type QueryCaller, whereOptions } from '../filter/compile-filter.ts'
import { underScope } from '../filter/default-scope.ts'
import { refuseUnseen } from '../filter/unseen-path.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { describe } from '../values/describe.ts'
import { aggregateLimits } from './aggregate-settings.ts'
import { AggregateNotAllowed, InvalidAggregate } from './errors.ts'
import { type FindProperty, readGroups, readMeasures } from './read-columns.ts'

type Parts = Readonly<Record<string, unknown>>
type Column = GroupColumn | MeasureColumn

/** Who asks, and what access control lets them see. */
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
 * Checks and converts a request for sums and groups, all but its `where`.
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
    throw new InvalidAggregate('nothing is requested: name at least one of group, count, sum, avg, min, max')
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
  if (!isPlainObject(raw))
    throw new InvalidAggregate(`sums and groups are requested by an object, not ${describe(raw)}`)
  const unknown = Object.keys(raw).find((name) => !known.has(name))
  if (unknown !== undefined) throw new InvalidAggregate(`Unknown part "${unknown}" of a request for sums and groups`)
  return raw
}

function addColumn(columns: Map<string, Column>, column: Column): void {
  const { name } = column.value
  if (columns.has(name)) throw new InvalidAggregate(`two values are named "${name}": give one an alias`)
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
    throw new InvalidAggregate('having compares values of the result alone')
  columnAt(condition.path, columns, 'having')
}

function columnAt(path: readonly string[], columns: ReadonlyMap<string, Column>, part: string): Column {
  const column = columns.get(path.join('.'))
  if (column === undefined)
    throw new InvalidAggregate(`${part} names "${path.join('.')}", which is not a value of the result`)
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
    throw new LimitExceeded(`limit may be at most ${maxLimit} for sums and groups of ${model.name}`)
  return limit ?? Math.min(preset, maxLimit)
}
