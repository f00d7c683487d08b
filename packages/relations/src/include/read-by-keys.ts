import {
  type Filter,
  type Row,
  compileOrder,
  keyText,
  type ModelType,
  type AnswerBounds
} from '@modelwire/core/connector'
import { readingWithin, repository, type Restriction, type Call, type ResolvedRelation } from '@modelwire/core/plugin'
import { allInOrder } from '@modelwire/server'
import { keyCondition, toKey } from '../records/related-query.ts'
import { relationScope } from '../records/relation-scope.ts'
import { type Loaded, makeLoaded } from './loaded.ts'
import { loopbackScope } from './loopback-scope.ts'

/** A relation to read along with rows. */
export interface IncludeTask {
  readonly relation: ResolvedRelation
  readonly rows: readonly Row[]
  /** The properties of the rows that are shown; all when absent. */
  readonly fields: ReadonlySet<string> | undefined
  /** `where`, `order`, `limit`, `skip`, `fields` and `include` of the related records, as written. */
  readonly filter: Readonly<Record<string, unknown>> | undefined
  readonly call: Call
  /** Limits of what is read, and of how often it is attached to rows. They also apply to internal steps. */
  readonly atMost: AnswerBounds | undefined
  readonly keysPerQuery: number
}

/** Which records an include reads. */
export interface KeyedRead {
  readonly model: ModelType
  /** The property that contains a key. */
  readonly property: string
  readonly keys: readonly unknown[]
  /** The relation's discriminator is in `model`. */
  readonly discriminated: boolean
  /** `limit` and `skip` of the include: applied per key, or not at all. */
  readonly pages: 'each key' | 'none'
  /** The relation's own scope and the caller's filter narrow these records. */
  readonly scoped: boolean
  /** What the client may see of the model; undefined: everything. */
  readonly restriction: Restriction | undefined
}

/** The keys that rows have, each once. */
export function distinctKeys(rows: readonly Row[], property: string): unknown[] {
  const keys = new Map<string, unknown>()
  for (const row of rows) {
    const text = keyText(row[property])
    if (text !== undefined) keys.set(text, row[property])
  }
  return [...keys.values()]
}

type Lists = readonly (readonly Row[])[]

/** True where the connector finds the records of each key by itself. */
function resolvesItself({ model, pages }: KeyedRead): boolean {
  return pages === 'each key' && model.dataSource?.connector.capabilities.operations.has('findRelated') === true
}

/**
 * Reads records by keys: one query for up to `keysPerQuery` of them, or a single one by the connector, followed by nested
 * includes. Each key's records are ordered and limited separately.
 */
export async function readByKeys(task: IncludeTask, read: KeyedRead): Promise<Loaded> {
  const { relation, call, atMost } = task
  const { model, keys, property, discriminated, scoped, restriction } = read
  const named = scoped ? relation : { ...relation, settings: { ...relation.settings, scope: undefined } }
  const itself = resolvesItself(read)
  const scope = relationScope(named, { model, property, values: keys, discriminated, keyed: !itself })
  let lists: Lists | undefined
  let page: Loaded['page'] = { skip: 0, limit: undefined }
  const query = {
    scope,
    filter: scoped ? scopeOf(task, property) : undefined,
    call: readingWithin(call),
    restriction,
    fetch: async (scopedFilter: Filter) => {
      page = scopedFilter
      const compiled = { ...scopedFilter, atMost }
      lists = itself && keys.length > 0 ? await readItself(task, read, compiled) : undefined
      return lists === undefined ? readChunks(task, read, withKeys(read, compiled, itself)) : joined(lists)
    }
  }
  const records = await repository.readRecords(model, query)
  return makeLoaded(read, { records, page, lists }, task)
}

/** The filter of an include for records that are found by `key`. */
export function scopeOf(
  { relation, filter }: Pick<IncludeTask, 'relation' | 'filter'>,
  key: string
): IncludeTask['filter'] {
  return relation.from.registry.rules.addsKeysToScopes ? loopbackScope(filter, key) : filter
}

/** As `flat`, which is slow. */
function joined(lists: Lists): Row[] {
  const rows: Row[] = []
  for (const list of lists) for (const row of list) rows.push(row)
  return rows
}

/** The connector resolves the include: one query, whatever it holds. A key that no record can hold has no records. */
async function readItself(
  { call }: IncludeTask,
  { model, property, keys }: KeyedRead,
  filter: Filter
): Promise<Lists | undefined> {
  const wanted = keys.map((key) => toKey(model, property, key))
  const defined = wanted.filter((key) => key !== undefined)
  const lists = await model.collection?.findRelated?.(
    { keys: defined, property, filter: withKey(filter, property) },
    call
  )
  const left = lists?.values()
  return left && wanted.map((key) => (key === undefined ? [] : (left.next().value ?? [])))
}

function withKeys({ model, property, keys }: KeyedRead, filter: Filter, isMissing: boolean): Filter {
  if (!isMissing) return filter
  const key = keyCondition(model, property, keys)
  return { ...filter, where: filter.where === undefined ? key : { kind: 'and', conditions: [key, filter.where] } }
}

async function readChunks(task: IncludeTask, read: KeyedRead, filter: Filter): Promise<readonly Row[]> {
  const { model, property, keys, pages } = read
  const { keysPerQuery, call } = task
  const { collection } = model
  if (collection === undefined || keys.length === 0) return []
  const whole = { ...withKey(filter, property), limit: undefined, skip: 0 }
  const rows = keys.length <= keysPerQuery ? await collection.find(whole, call) : await readInParts(task, read, whole)
  const isPaged = filter.limit !== undefined || filter.skip > 0
  return isPaged && pages === 'each key' ? cutEachKey(rows, property, filter) : rows
}

async function readInParts(
  { keysPerQuery: size, call }: IncludeTask,
  read: KeyedRead,
  filter: Filter
): Promise<readonly Row[]> {
  const { model, keys } = read
  const parts = Array.from({ length: Math.ceil(keys.length / size) }, (_, at) => keys.slice(at * size, (at + 1) * size))
  const lists = await allInOrder(
    parts.map(async (part) => model.collection?.find(withKeys({ ...read, keys: part }, filter, true), call) ?? [])
  )
  const ids = model.key.map(({ name }) => ({ path: [name], descending: false }))
  return lists.flat().toSorted(compileOrder([...filter.order, ...ids], undefined))
}

function cutEachKey(rows: readonly Row[], property: string, { skip, limit = Infinity }: Filter): readonly Row[] {
  const seen = new Map<string, number>()
  return rows.filter((row) => {
    const text = keyText(row[property]) ?? ''
    const at = seen.get(text) ?? 0
    seen.set(text, at + 1)
    return at >= skip && at < skip + limit
  })
}

/** Records are laid beside their parents by the key, which `fields` may leave out. */
function withKey(filter: Filter, property: string): Filter {
  const { fields } = filter
  return fields === undefined || fields.has(property) ? filter : { ...filter, fields: new Set([...fields, property]) }
}

/**
 * The text of a row's key. LB3: a key omitted by `fields` finds nothing, pinned by relations/include-fields; otherwise it
 * is read but not shown.
 */
export function shownKey({ relation, fields }: IncludeTask, row: Row): string | undefined {
  const { keyFrom, from } = relation
  if (from.registry.rules.needsShownKeys && fields !== undefined && !fields.has(keyFrom)) return undefined
  return keyText(row[keyFrom])
}

/** The distinct keys by which related records are read: without keys nothing is read, and no access checked. */
export function shownKeys(task: IncludeTask): unknown[] {
  const shown = task.rows.filter((row) => shownKey(task, row) !== undefined)
  return distinctKeys(shown, task.relation.keyFrom)
}
