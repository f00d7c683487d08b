import { callOf, restrictionFor, serverCall } from '../../access/call.ts'
import { createAggregation, averagePlaces } from '../../aggregate/aggregate-rows.ts'
import { canGroup, compileAggregate } from '../../aggregate/compile-aggregate.ts'
import type { AggregateQuery } from '../../contract/aggregate.ts'
import type { Call } from '../../contract/call.ts'
import type { Collection } from '../../contract/connector.ts'
import type { ModelType } from '../../contract/model-type.ts'
import type { Row } from '../../contract/row.ts'
import { HiddenPropertyInFilter } from '../../errors.ts'
import { isPlainObject } from '@modelwire/server'
import { asCalled } from './find.ts'
import { roundDecimal } from '../../values/decimal.ts'
import { collectionOf } from '../records/identify.ts'
import { compileSelection, type Query } from './read-plan.ts'
import { resolveRelatedWhere } from './related.ts'

/**
 * Computes aggregates of the records that match, as plain rows.
 * @param request `where`, `group`, `count`, `sum`, `avg`, `min`, `max`, `having`, `order`, `limit`, `skip`
 * @throws {InvalidAggregate} the request is malformed
 */
export async function aggregate(model: ModelType, request?: unknown, call: Call = callOf()): Promise<Row[]> {
  const filter = asCalled(request, call)
  const restriction = await restrictionFor(model, call, 'aggregate')
  return aggregateRecords(model, { filter, call, restriction })
}

/**
 * Counts the records of a query by the values of one property: one statement.
 * @param query its filter is a `where`
 * @returns the values and how many records have each; undefined if records cannot be grouped by the property
 */
export async function countBy(
  model: ModelType,
  query: Query,
  property: string
): Promise<readonly { readonly value: unknown; readonly count: number }[] | undefined> {
  const { call } = query
  const grouped = model.byName.get(property)
  if (grouped === undefined || !canGroup(grouped, undefined)) return undefined
  const collection = collectionOf(model, 'find')
  // The property is the server's own question, the condition the caller's.
  const alias = property === 'records' ? 'number' : 'records'
  const request = { group: property, count: { [alias]: true } }
  const compiled = compileAggregate(model, request, { call: serverCall(), restriction: undefined })
  const where = await resolveRelatedWhere(model, query.filter, call)
  const { condition } = await compileSelection(model, { ...query, filter: where })
  const whole: AggregateQuery = { ...compiled, where: condition }
  const rows = (await collection.aggregate?.(whole, call)) ?? (await aggregateFound(collection, whole, call))
  return rows.map((row) => ({ value: row[property], count: Number(row[alias]) }))
}

/** Sums and groups of the records of a query. @param query its filter is the request */
async function aggregateRecords(model: ModelType, query: Query): Promise<Row[]> {
  const { filter: request, call } = query
  const collection = collectionOf(model, 'find')
  const compiled = compileAggregate(model, request, query)
  const raw = isPlainObject(request) ? request['where'] : undefined
  const where = await resolveRelatedWhere(model, raw, call)
  const { condition, fields } = await compileSelection(model, { ...query, filter: where })
  const whole: AggregateQuery = { ...compiled, where: condition }
  if (fields !== undefined) checkSelected(model, whole, fields)
  const rows = await collection.aggregate?.(whole, call)
  return rows === undefined ? aggregateFound(collection, whole, call) : tidy(whole, rows)
}

/** Observers of `access` may have taken properties out of every read. */
function checkSelected(model: ModelType, { groups, measures }: AggregateQuery, fields: ReadonlySet<string>): void {
  const names = [...groups, ...measures].flatMap(({ property }) => (property === undefined ? [] : [property.name]))
  const hidden = names.find((name) => !fields.has(name))
  if (hidden !== undefined) throw new HiddenPropertyInFilter(`${model.name} cannot be grouped or summed by ${hidden}`)
}

/** Of a connector that does not sum: the records are read, no more of them than a client may read. */
async function aggregateFound(collection: Collection, query: AggregateQuery, call: Call): Promise<Row[]> {
  const { where, groups, measures } = query
  const names = [...groups, ...measures].flatMap(({ property }) => (property === undefined ? [] : [property.name]))
  const filter = { where, order: [], skip: 0, fields: new Set(names), atMost: call.client?.limits.answer }
  const aggregation = createAggregation(query)
  for (const row of await collection.find(filter, call)) aggregation.add(row)
  return aggregation.result()
}

/** Databases write averages with as many decimals as they like. */
function tidy({ measures }: AggregateQuery, rows: readonly Row[]): Row[] {
  const averages = measures.filter(({ fn, isDecimal }) => fn === 'avg' && isDecimal).map(({ value }) => value.name)
  for (const row of rows) for (const name of averages) row[name] = shortened(row[name])
  return [...rows]
}

const shortened = (value: unknown): unknown => (typeof value === 'string' ? roundDecimal(value, averagePlaces) : value)
