import {
  type Collection,
  type Filter,
  type Row,
  type Id,
  type AnswerBounds,
  countWithin,
  throwIfLeft
} from '@modelwire/core/connector'
import type { CommandOptions, MongoSession } from '../client/mongo-session.ts'
import { type DocumentMap, decodeRow, type Field } from '../document/document-map.ts'
import { placeOf } from '../where/place.ts'
import type { FindPlan, FindPlans } from './find-plan.ts'
import type { Document } from 'mongodb'
import { idField } from '../names/read-mapping.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { equalForms } from '../where/operands.ts'
import { queryDocument } from '../document/query.ts'

/** How to read the documents of a cursor. */
interface CursorReading {
  readonly atMost?: AnswerBounds | undefined
  /** Aborted when nobody waits for them any more. */
  readonly signal?: AbortSignal | undefined
}

/** The part of the driver's cursor that is used. */
interface DocumentCursor {
  toArray(): Promise<Document[]>
  hasNext(): Promise<boolean>
  readBufferedDocuments(number?: number): Document[]
  close(): Promise<void>
}

const decodeAll = (map: DocumentMap, documents: readonly Document[]): Row[] =>
  documents.map((document) => decodeRow(map, document))

/** The context of a collection's methods. */
export interface CollectionContext extends FindPlans {
  readonly map: DocumentMap
  readonly session: MongoSession
}

/** The options of a read. */
export type ReadOptions = NonNullable<Parameters<Collection['find']>[1]>

/** The rows that match, ordered and paginated by the filter, with one command. */
export async function findRows(
  context: CollectionContext,
  filter: Filter,
  { signal }: ReadOptions = {}
): Promise<Row[]> {
  const { map, session, planFind } = context
  const plan = planFind(filter)
  if (plan.query.kind === 'none') return []
  const place = { map, signal, isRead: true, atMost: filter.atMost }
  return session.perform(place, async (options) => {
    const cursor = openCursor(session.collection(map.collection), plan, options)
    return readCursor(map, cursor, session.isInTransaction ? { atMost: filter.atMost } : place)
  })
}

/** Documents of one batch. */
const partSize = 1000

/** The rows of `findRows`, batch by batch; undefined within a transaction. Between batches no connection is in use. */
export async function findParts(
  context: CollectionContext,
  filter: Filter,
  { signal }: ReadOptions = {}
): Promise<AsyncIterable<Row[]> | undefined> {
  if (context.session.isInTransaction) return undefined
  throwIfLeft(signal)
  return readParts(context, filter, signal)
}

async function* readParts(
  { map, session, planFind }: CollectionContext,
  filter: Filter,
  signal: AbortSignal | undefined
): AsyncGenerator<Row[]> {
  const plan = planFind(filter)
  if (plan.query.kind === 'none') return
  const count = countWithin(filter.atMost)
  const { step, end } = session.inSteps({ map, signal, isRead: true, atMost: filter.atMost })
  let cursor: DocumentCursor | undefined
  try {
    const hasNext = (options: CommandOptions): Promise<boolean> => {
      cursor ??= openCursor(session.collection(map.collection), plan, { ...options, batchSize: partSize })
      return cursor.hasNext()
    }
    while (await step(hasNext)) {
      const rows = decodeAll(map, cursor?.readBufferedDocuments() ?? [])
      rows.forEach(count)
      yield rows
    }
  } finally {
    await cursor?.close()
    await end()
  }
}

function openCursor(
  collection: ReturnType<MongoSession['collection']>,
  { query, options: planned, pipeline }: FindPlan,
  options: CommandOptions & { readonly batchSize?: number }
): DocumentCursor {
  return pipeline === undefined
    ? collection.find(queryDocument(query), { ...options, ...planned })
    : collection.aggregate(pipeline, { ...options, allowDiskUse: true })
}

/** The query for one id; undefined if no document can have it. */
export function idQuery(map: DocumentMap, id: unknown): Document | undefined {
  const { id: field } = map
  if (map.isWide && field !== undefined && id !== null && id !== undefined) return exactQuery(map, field, id)
  const place = field && placeOf(map, [field.property.name], field.property.type)
  const forms = place === undefined || id === null || id === undefined ? [] : equalForms(place, id)
  if (forms.length === 0) return undefined
  return { [idField]: forms.length === 1 ? { $eq: forms[0] } : { $in: forms } }
}

function exactQuery(map: DocumentMap, { property: { name, type } }: Field, value: unknown): Document | undefined {
  const query = compileCondition(map, { kind: 'test', path: [name], type, test: 'equals', value })
  return query.kind === 'some' ? query.document : undefined
}

/**
 * The row with an id. It ignores the client's signal: a look-up in the index of ids is short, is bounded by
 * `statementTimeout`, and a signal would cost more than the read, as the driver listens to it at every step.
 */
export async function findRow({ map, session }: CollectionContext, id: Id): Promise<Row | undefined> {
  const query = idQuery(map, id)
  if (query === undefined) return undefined
  const document = await session.perform({ map, isRead: true }, (options) =>
    session.collection(map.collection).findOne(query, { ...options })
  )
  return document === null ? undefined : decodeRow(map, document)
}

/**
 * The rows of a cursor, batch by batch if they are limited: anything beyond is not read.
 * @throws {StatementCancelled} the caller has left
 * @throws {AnswerTooLarge} there are more of them, or larger ones, than `atMost` allows
 */
export async function readCursor(
  map: DocumentMap,
  cursor: DocumentCursor,
  { atMost, signal }: CursorReading
): Promise<Row[]> {
  if (atMost === undefined) {
    const documents = await cursor.toArray()
    throwIfLeft(signal)
    return decodeAll(map, documents)
  }
  const count = countWithin(atMost)
  const rows: Row[] = []
  try {
    while (await cursor.hasNext()) {
      throwIfLeft(signal)
      const batch = decodeAll(map, cursor.readBufferedDocuments())
      batch.forEach(count)
      rows.push(...batch)
    }
  } finally {
    await cursor.close()
  }
  return rows
}
