import { type AggregateQuery, createAggregation, cutResult, type Row } from '@modelwire/core/connector'
import { compileCondition } from '../where/compile-condition.ts'
import { queryDocument } from '../where/query.ts'
import { aggregatePipeline, type ResultPlan, planResult } from './aggregate-pipeline.ts'
import type { CollectionContext, ReadOptions } from './find-rows.ts'

/** Sums and groups, by one pipeline; undefined where a property is not a field by itself. */
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
