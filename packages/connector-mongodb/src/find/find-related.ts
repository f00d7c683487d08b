import { findNear, keyText, limitWithin, type RelatedQuery, type Row } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { hasWindows } from '../client/server-address.ts'
import type { DocumentMap, Field } from '../document/document-map.ts'
import { idField } from '../names/read-mapping.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { equalForms } from '../where/operands.ts'
import { placeOf } from '../where/place.ts'
import { findOrder, findOptions, projectionOf } from './find-plan.ts'
import { type CollectionContext, type ReadOptions, readCursor } from './find-rows.ts'
import { allOf, type Query, queryDocument, some } from '../document/query.ts'

const keyKinds: ReadonlySet<string> = new Set(['string', 'number', 'integer'])

/**
 * The rows of each of many keys, with one command: numbered within their key if each list has its own limit. Undefined if
 * the caller must use `find`.
 * @throws {AnswerTooLarge} all keys together have more rows, or larger ones, than the filter allows
 */
export async function findRelated(
  context: CollectionContext,
  related: RelatedQuery,
  { signal }: ReadOptions = {}
): Promise<readonly (readonly Row[])[] | undefined> {
  const { keys, property, filter } = related
  const { map, session } = context
  const field = map.byProperty.get(property)
  // Other keys are compared in ways of their own.
  if (field === undefined || !keyKinds.has(field.property.type.kind) || findNear(filter.where) !== undefined)
    return undefined
  const forms = keyForms(map, field, keys)
  // An ObjectId and its text are one key, whose records the server would number twice.
  if (filter.skip > 0 && forms.some(({ length }) => length > 1)) return undefined
  const query = allOf([some({ [field.name]: { $in: forms.flat() } }), compileCondition(map, filter.where)])
  if (query.kind === 'none') return keys.map(() => [])
  const isPaged = filter.limit !== undefined || filter.skip > 0
  // Keys that the collation takes for equal would be numbered together.
  if (isPaged && map.isWide) return undefined
  const pipeline = isPaged
    ? pagedPipeline(map, { query, field, filter }, hasWindows(await session.server()))
    : undefined
  const place = { map, signal, isRead: true, atMost: filter.atMost }
  const rows = await session.perform(place, async (options) => {
    const collection = session.collection(map.collection)
    const cursor =
      pipeline === undefined
        ? collection.find(queryDocument(query), { ...options, ...findOptions(map, filter) })
        : collection.aggregate(pipeline, { ...options, allowDiskUse: true })
    return readCursor(map, cursor, session.isInTransaction ? { atMost: filter.atMost } : place)
  })
  return listByKey(related, rows)
}

/** The stored values of each key. */
function keyForms(map: DocumentMap, { property }: Field, keys: readonly unknown[]): readonly (readonly unknown[])[] {
  const place = placeOf(map, [property.name], property.type)
  return keys.map((key) => (place === undefined ? [] : equalForms(place, key)))
}

interface Paged {
  readonly query: Query
  readonly field: Field
  readonly filter: RelatedQuery['filter']
}

/** Hold the place of a document within its key, and the documents of one key. */
const [placeField, listField] = ['__modelwire_place', '__modelwire_list']

const most = 2 ** 31 - 1

function pagedPipeline(map: DocumentMap, { query, field, filter }: Paged, windows: boolean): Document[] {
  const { skip, limit = most } = filter
  const sort = findOrder(map, filter) ?? { [idField]: 1 }
  const [key, all] = [keyExpression(field), limitWithin({ atMost: filter.atMost })]
  const projection = projectionOf(map, filter.fields)
  const cut = windows
    ? [
        { $setWindowFields: { partitionBy: key, sortBy: sort, output: { [placeField]: { $documentNumber: {} } } } },
        { $match: { [placeField]: { $gt: skip, $lte: skip + limit } } },
        { $unset: [placeField] }
      ]
    : [
        { $sort: sort },
        { $group: { _id: key, [listField]: { $push: '$$ROOT' } } },
        { $project: { [listField]: { $slice: [`$${listField}`, skip, limit] } } },
        { $unwind: `$${listField}` },
        { $replaceRoot: { newRoot: `$${listField}` } }
      ]
  return [
    { $match: queryDocument(query) },
    ...(projection === undefined ? [] : [{ $project: projection }]),
    ...cut,
    { $sort: sort },
    ...(all === undefined ? [] : [{ $limit: all }])
  ]
}

/** The key of a document; none where it is a list, which the server does not take for one. */
const keyExpression = ({ name }: Field): Document => ({ $cond: [{ $isArray: `$${name}` }, null, `$${name}`] })

function listByKey({ keys, property, filter }: RelatedQuery, rows: readonly Row[]): readonly (readonly Row[])[] {
  const lists = new Map<string | undefined, Row[]>()
  const isCut = ({ length }: readonly Row[]): boolean => filter.limit !== undefined && length >= filter.limit
  for (const row of rows) {
    const value = row[property]
    const key = Array.isArray(value) ? undefined : keyText(value)
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [row])
    else if (!isCut(list)) list.push(row)
  }
  return keys.map((key) => lists.get(keyText(key)) ?? [])
}
