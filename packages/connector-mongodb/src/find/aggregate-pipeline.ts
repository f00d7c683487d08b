import {
  type AggregateQuery,
  type DatePart,
  type MeasureColumn,
  plainDecimal,
  createAggregation,
  cutResult,
  type Row
} from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import type { DocumentMap, Field } from '../document/document-map.ts'
import { isFieldName } from '../names/read-mapping.ts'
import { compileDecode } from '../values/decode-value.ts'
import { compileEncode } from '../values/encode-value.ts'
import { compileCondition } from '../where/compile-condition.ts'
import type { CollectionContext, ReadOptions } from './find-rows.ts'
import { queryDocument } from '../document/query.ts'

type GroupColumn = AggregateQuery['groups'][number]

/** A value of the result as a field of the pipeline's output documents. */
interface ResultField extends Field {
  /** The field from which it is computed. */
  readonly source: Field | undefined
}

/** The fields of the result, groups first. */
export type ResultPlan = readonly ResultField[]

/** Where the values of a result lie; undefined where a property is no field, or holds other numbers than the query expects. */
function planResult(map: DocumentMap, { groups, measures }: AggregateQuery): ResultPlan | undefined {
  const fields = [
    ...groups.map((group, at) => resultField(map, group, `g${at}`)),
    ...measures.map((measure, at) => resultField(map, measure, `m${at}`))
  ]
  const plan = fields.filter((field) => field !== undefined)
  return plan.length === fields.length ? plan : undefined
}

function resultField(map: DocumentMap, column: GroupColumn | MeasureColumn, name: string): ResultField | undefined {
  const { value, property, isDecimal } = column
  const source = property && map.byProperty.get(property.name)
  if (property !== undefined && (source === undefined || !isFieldName(source.name))) return undefined
  if (isDecimal && source?.decimal !== true) return undefined
  const findModel = map.model.registry.find.bind(map.model.registry)
  const ids = source !== undefined && source.ids === 'always' && value.type.kind === 'string' ? 'always' : 'never'
  const [decode, encode] = [
    compileDecode(value.type, findModel),
    compileEncode(value.type, { ids, decimal: isDecimal, innerIds: () => 'never', geoJson: false, findModel })
  ]
  return {
    property: value,
    name,
    isPlain: true,
    ids,
    alsoTexts: false,
    decimal: isDecimal,
    encode,
    decode: isDecimal ? (number) => plainDecimal(String(number)) : decode,
    source
  }
}

const partOf: Readonly<Record<DatePart, (date: string) => Document>> = {
  date: (date) => ({ $dateToString: { date, format: '%Y-%m-%d' } }),
  yearMonth: (date) => ({ $dateToString: { date, format: '%Y-%m' } }),
  year: (date) => ({ $year: date }),
  quarter: (date) => ({ $ceil: { $divide: [{ $month: date }, 3] } }),
  month: (date) => ({ $month: date }),
  weekday: (date) => ({ $isoDayOfWeek: date }),
  day: (date) => ({ $dayOfMonth: date }),
  hour: (date) => ({ $hour: date }),
  minute: (date) => ({ $minute: date }),
  second: (date) => ({ $second: date })
}

/** A text may be stored as an ObjectId where it looks like one. */
function textOf({ ids }: Field, path: string): unknown {
  return ids === 'lookalike' ? { $toString: path } : path
}

function groupExpression({ part }: GroupColumn, source: Field): unknown {
  const path = `$${source.name}`
  if (part === undefined) return { $ifNull: [textOf(source, path), null] }
  // Another application may have stored something else than a date.
  return { $cond: [{ $eq: [{ $type: path }, 'date'] }, partOf[part](path), null] }
}

const one = { $sum: 1 }
const present = (path: string): Document => ({ $sum: { $cond: [{ $eq: [{ $ifNull: [path, null] }, null] }, 0, 1] } })

const accumulators: Readonly<Record<MeasureColumn['fn'], (path: string, source: Field) => Document>> = {
  count: present,
  sum: (path) => ({ $sum: path }),
  avg: (path) => ({ $avg: path }),
  min: (path, source) => ({ $min: textOf(source, path) }),
  max: (path, source) => ({ $max: textOf(source, path) })
}

/** How many values a sum has is kept in a field of its own: the sum of none is 0 for the database. */
const countField = (name: string): string => `${name}n`

/** The stages behind the query. Without groups neither `having` nor the page are among them. */
function aggregatePipeline(map: DocumentMap, query: AggregateQuery, plan: ResultPlan): Document[] {
  const { groups, measures, having, skip, limit } = query
  const [keys, values] = [plan.slice(0, groups.length), plan.slice(groups.length)]
  const group: Document = { _id: groups.length === 0 ? null : keyOf(groups, keys) }
  const project: Document = { _id: 0 }
  for (const { name } of keys) project[name] = `$_id.${name}`
  for (const [at, { name, source }] of values.entries()) addMeasure({ group, project }, measures[at], name, source)
  const stages: Document[] = [{ $group: group }, { $project: project }]
  if (groups.length === 0) return stages
  if (having !== undefined) stages.push({ $match: queryDocument(compileCondition(resultMap(map, plan), having)) })
  stages.push({ $sort: sortOf(query, plan) })
  if (skip > 0) stages.push({ $skip: skip })
  if (limit !== undefined) stages.push({ $limit: limit })
  return stages
}

const keyOf = (groups: readonly GroupColumn[], keys: ResultPlan): Document =>
  Object.fromEntries(
    keys.map(({ name, source }, at) => {
      const group = groups[at]
      return [name, group && source && groupExpression(group, source)]
    })
  )

function addMeasure(
  { group, project }: { readonly group: Document; readonly project: Document },
  measure: MeasureColumn | undefined,
  name: string,
  source: Field | undefined
): void {
  if (measure === undefined) return
  const { fn } = measure
  group[name] = source === undefined ? one : accumulators[fn](`$${source.name}`, source)
  project[name] = 1
  if (fn !== 'sum' || source === undefined) return
  const count = countField(name)
  group[count] = present(`$${source.name}`)
  project[name] = { $cond: [{ $eq: [`$${count}`, 0] }, null, `$${name}`] }
}

/** The documents of the result, as conditions see them. */
const resultMap = (map: DocumentMap, plan: ResultPlan): DocumentMap => ({
  ...map,
  fields: plan,
  byProperty: new Map(plan.map((field) => [field.property.name, field])),
  fieldNames: new Set(plan.map(({ name }) => name)),
  id: undefined,
  compiledTests: new WeakMap()
})

function sortOf({ order }: AggregateQuery, plan: ResultPlan): Document {
  const sort: Document = {}
  for (const { column, descending } of order) {
    const field = plan.find(({ property }) => property === column.value)
    if (field !== undefined && sort[field.name] === undefined) sort[field.name] = descending ? -1 : 1
  }
  return sort
}

/** Computes aggregates with one pipeline; undefined if a property is not a field by itself. */
export async function aggregateRows(
  { map, session }: CollectionContext,
  query: AggregateQuery,
  { signal }: ReadOptions = {}
): Promise<Row[] | undefined> {
  const plan = planResult(map, query)
  if (plan === undefined) return undefined
  const condition = compileCondition(map, query.where)
  if (condition.kind === 'none') return createAggregation(query).result()
  const pipeline = [{ $match: queryDocument(condition) }, ...aggregatePipeline(map, query, plan)]
  const documents = await session.perform({ map, signal, isRead: true }, async (options) =>
    session
      .collection(map.collection)
      .aggregate(pipeline, { ...options, allowDiskUse: true })
      .toArray()
  )
  const rows = documents.map((document) => decodeResult(plan, document))
  return query.groups.length > 0 ? rows : onlyRow(query, rows)
}

function decodeResult(plan: ResultPlan, document: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(
    plan.map(({ property, name, decode }) => {
      const value = document[name]
      return [property.name, value === null || value === undefined ? null : decode(value)]
    })
  )
}

/** The database gives no row for no documents. */
function onlyRow(query: AggregateQuery, rows: readonly Row[]): Row[] {
  const whole = { ...query, having: undefined, skip: 0, limit: undefined }
  return cutResult(query, rows.length > 0 ? rows : createAggregation(whole).result())
}
