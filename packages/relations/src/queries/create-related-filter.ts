import { InvalidFilter } from '@modelwire/core'
import { type Row, compareForOrder, keyText, type ModelType } from '@modelwire/core/connector'
import {
  belowRelation,
  type Call,
  compileFilter,
  isClientQuery,
  LimitExceeded,
  logicalKeys,
  operators,
  readingWithin,
  readPath,
  readRelationTests,
  refuseUnseen,
  RelatedKeys,
  RelatedOrder,
  type RelationTest,
  relationOf,
  repository,
  type ResolvedRelation,
  type Restriction,
  whereOptions,
  type Registry
} from '@modelwire/core/plugin'
import { allInOrder, isPlainObject } from '@modelwire/server'
import { checkReadsKey, type FilterRights, filterRights, type SortClause, testsName } from '../filter/filter-rights.ts'
import { countRelated } from './count-related.ts'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { relationScope } from '../records/relation-scope.ts'
import type { RelationLimits } from '../options.ts'
import { askDatabase } from '../filter/related-keys.ts'

/** The context of sorting: the relations and the caller. */
export interface Sorting {
  readonly find: (name: string) => ResolvedRelation
  readonly call: Call
  /** What the client may see of related records. */
  readonly rights: FilterRights
  /** What the client may see of the rows; undefined: everything. */
  readonly restriction: Restriction | undefined
  readonly keysPerQuery: number
}

function readClause(model: ModelType, text: unknown): SortClause {
  if (typeof text !== 'string') throw new InvalidFilter('order must be a string or a list of strings')
  const [key = '', direction = 'ASC'] = text.trim().split(/\s+/)
  if (!/^(asc|desc)$/i.test(direction))
    throw new InvalidFilter(`order ${JSON.stringify(text)} must end with ASC or DESC`)
  const relation = relationOf(model, key)
  const path = key.split('.').slice(relation === undefined ? 0 : 1)
  if (path.length === 0) throw new InvalidFilter(`order requires a property of ${key}`)
  const many = relation !== undefined && model.registry.relations.of(model).get(relation)?.many === true
  return { relation, path, descending: /^desc$/i.test(direction), counts: many && path.join('.') === 'count' }
}

/** The clauses of an order; undefined if none of them refers to related records. */
export function splitOrder(model: ModelType, order: unknown): readonly SortClause[] | undefined {
  if (order === undefined || order === null) return undefined
  const texts: readonly unknown[] = Array.isArray(order) ? order : String(order).split(',')
  const clauses = texts.filter((text) => text !== '').map((text) => readClause(model, text))
  return clauses.some(({ relation }) => relation !== undefined) ? clauses : undefined
}

/** The related model to order by. @throws {InvalidFilter} @throws {HiddenPropertyInFilter} it cannot be ordered by */
function targetModel(relation: ResolvedRelation, { path }: SortClause, { call, rights }: Sorting): ModelType {
  const { to, many, name } = relation
  if (to === undefined || many || behaviourOf(relation).followsKeys !== true)
    throw new InvalidFilter(`cannot order across ${name}: only across relations to one record of another model`)
  const first = path[0] ?? ''
  if (relationOf(to, first) !== undefined) throw new InvalidFilter('cannot order across more than one relation')
  refuseUnseen(to, path, whereOptions(readingWithin(call)), 'ordered')
  for (const property of [relation.keyTo, first]) checkReadsKey(to, property, rights)
  return to
}

function checkClause(model: ModelType, clause: SortClause, sorting: Sorting): void {
  const [first = ''] = clause.path
  const own = (): ReturnType<FilterRights> => sorting.restriction
  if (clause.relation === undefined) {
    refuseUnseen(model, clause.path, whereOptions(sorting.call), 'ordered')
    checkReadsKey(model, first, own)
    return
  }
  const relation = sorting.find(clause.relation)
  checkReadsKey(model, relation.keyFrom, own)
  if (clause.counts !== true) targetModel(relation, clause, sorting)
  else if (relation.to !== undefined && !relation.embeds && relation.holdsKey === undefined && !relation.through)
    checkReadsKey(relation.to, relation.keyTo, sorting.rights)
}

/** Reads the value of a clause from a row. */
type ReadValue = (row: Row) => unknown

async function readRelated(rows: readonly Row[], clause: SortClause, sorting: Sorting): Promise<ReadValue> {
  const relation = sorting.find(clause.relation ?? '')
  const model = targetModel(relation, clause, sorting)
  const { keyFrom, keyTo } = relation
  const values = [...new Set(rows.map((row) => row[keyFrom]).filter((key) => key !== null && key !== undefined))]
  const scope = relationScope(relation, { model, property: keyTo, values, discriminated: true })
  const query = { scope, filter: undefined, call: sorting.call, restriction: sorting.rights(model) }
  const found = await repository.readRows(model, query)
  const byKey = new Map(found.map((row) => [keyText(row[keyTo]), row]))
  return (row) => readPath(byKey.get(keyText(row[keyFrom])), clause.path)
}

/** Counts the related records of all rows at once. */
async function readCounts(rows: readonly Row[], { relation: name }: SortClause, sorting: Sorting): Promise<ReadValue> {
  const relation = sorting.find(name ?? '')
  const { call, keysPerQuery } = sorting
  const task = { relation, rows, call, keysPerQuery, fields: undefined, filter: undefined, atMost: undefined }
  const counts = await countRelated(task)
  const byRow = new Map(rows.map((row, at) => [row, counts[at]]))
  return (row) => byRow.get(row)
}

async function readerOf(rows: readonly Row[], clause: SortClause, sorting: Sorting): Promise<ReadValue> {
  if (clause.counts === true) return readCounts(rows, clause, sorting)
  return clause.relation === undefined ? (row) => readPath(row, clause.path) : readRelated(rows, clause, sorting)
}

/** Makes a function that orders rows, also by values of related records; ties are ordered by id. */
export function sortByRelated(model: ModelType, clauses: readonly SortClause[], sorting: Sorting) {
  for (const clause of clauses) checkClause(model, clause, sorting)
  const ids = model.idProperty === undefined ? ['id'] : model.keyNames
  return async (rows: readonly Row[]): Promise<readonly Row[]> => {
    const readers = await allInOrder(clauses.map((clause) => readerOf(rows, clause, sorting)))
    const keyed = rows.map((row) => ({ row, values: readers.map((read) => read(row)) }))
    const compare = (a: (typeof keyed)[number], b: (typeof keyed)[number]): number => {
      for (const [at, { descending }] of clauses.entries()) {
        const compared = compareForOrder(a.values[at], b.values[at])
        if (compared !== 0) return descending ? -compared : compared
      }
      return ids.map((id) => compareForOrder(a.row[id], b.row[id])).find((compared) => compared !== 0) ?? 0
    }
    return keyed.toSorted(compare).map(({ row }) => row)
  }
}

/** What other interfaces write between a relation and the condition on its record. */
const quantifiers: ReadonlySet<string> = new Set(['is', 'isNot'])

/** True for an object that no value equals: none of its keys is an operator. */
const hasNoOperator = (value: unknown): boolean =>
  isPlainObject(value) && !Object.keys(value).some((name) => operators.has(name))

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.some(isPlainObject)

/** The context of resolving one filter. */
interface Resolving {
  readonly call: Call
  readonly rights: FilterRights
  /** A client may only filter by relations that it may include. */
  readonly fromClient: boolean
  /**
   * Checks the limits for a client's filter: called for each relation.
   * @throws {LimitExceeded} the filter reaches into more relations, or deeper, than a client may
   */
  readonly reach: (depth: number) => void
}

function relationNamed(model: ModelType, name: string, { fromClient }: Resolving): ResolvedRelation {
  const relation = model.registry.relations.of(model).get(name)
  if (relation === undefined || (fromClient && relation.settings.disableInclude))
    throw new InvalidFilter(`${model.name} has no relation ${JSON.stringify(name)} to filter by`)
  return relation
}

/** The position of a condition in a filter. */
interface Place {
  /** Number of relations on the path, plus one. */
  readonly depth: number
  /** The database does not support conditions on related records there. */
  readonly asKeys: boolean
  /** The record that the condition is tested on; undefined: any. */
  readonly record: Row | undefined
}

async function resolveEntry(
  model: ModelType,
  key: string,
  value: unknown,
  work: Resolving,
  place: Place
): Promise<Row> {
  if (logicalKeys.has(key) && Array.isArray(value))
    return { [key]: await allInOrder(value.map((part) => resolveWhere(model, part, work, place))) }
  const name = relationOf(model, key)
  if (name === undefined) {
    if (place.depth > 1) refuseOperators(model, key, value)
    return { [key]: value }
  }
  const relation = relationNamed(model, name, work)
  if (testsName(model, relation, key, value)) return { [key]: value }
  const tests = readRelationTests(relation, belowRelation(key, name, value))
  const parts = await allInOrder(tests.map((test) => resolveTest(relation, test, work, place)))
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { and: parts }
}

/** One test of related records, as a condition on keys. */
async function resolveTest(
  relation: ResolvedRelation,
  { operator, where: written, having, explicit }: RelationTest,
  work: Resolving,
  { depth, asKeys, record }: Place
): Promise<Row> {
  work.reach(depth)
  const { embeds, to } = relation
  // The parts of a record have no table of their own.
  const inner = { depth: depth + 1, asKeys: embeds, record: undefined }
  const where = to === undefined ? written : await resolveWhere(to, written, work, inner)
  const condition = { relation, where, having, call: work.call, rights: work.rights, asKeys, record }
  const { filter } = behaviourOf(relation)
  if (embeds) {
    if (!explicit) return filter(condition)
    throw new InvalidFilter(
      `${operator} requires related records: ${relation.name} of ${relation.from.name} is embedded`
    )
  }
  if (operator === 'none') return { nor: [await filter(condition)] }
  // None of them may fail: what is neither true nor false fails as well.
  return operator === 'every' ? { nor: [await filter({ ...condition, where: { nor: [where] } })] } : filter(condition)
}

async function resolveWhere(model: ModelType, where: unknown, work: Resolving, place: Place): Promise<unknown> {
  if (!isPlainObject(where)) return where
  const parts = await allInOrder(
    Object.entries(where).map(([key, value]) => resolveEntry(model, key, value, work, place))
  )
  return parts.length === 1 ? parts[0] : { and: parts }
}

function makeReach({ includeDepth, includeCount }: RelationLimits, fromClient: boolean): Resolving['reach'] {
  let count = 0
  return (depth) => {
    if (!fromClient) return
    if (++count > includeCount) throw new LimitExceeded(`a filter may use at most ${includeCount} relations`)
    if (depth > includeDepth) throw new LimitExceeded(`a filter may nest at most ${includeDepth} relations`)
  }
}

/** Makes the function that core calls for every filter that refers to related records. */
export function createRelatedFilter(limits: RelationLimits): NonNullable<Registry['relatedFilter']> {
  return async ({ model, filter, call, restriction, asKeys = false, record }) => {
    const fromClient = isClientQuery(call)
    const { where, order, ...rest } = filter
    const clauses = splitOrder(model, order)
    const rights = await filterRights(model, { where, clauses: clauses ?? [] }, call)
    const work: Resolving = { call, rights, fromClient, reach: makeReach(limits, fromClient) }
    const place = { depth: 1, asKeys, record }
    for (const { relation } of clauses ?? []) if (relation !== undefined) work.reach(1)
    const resolved = where === undefined || where === null ? where : await resolveWhere(model, where, work, place)
    if (clauses === undefined) return { filter: { ...rest, where: resolved, order } }
    const find = (name: string): ResolvedRelation => relationNamed(model, name, work)
    const sorting = { find, call, rights, restriction, keysPerQuery: limits.keysPerQuery }
    const sort = sortByRelated(model, clauses, sorting)
    const ordered = await orderInDatabase(clauses, sorting)
    const resolvedFilter = { ...rest, where: resolved }
    return ordered === undefined ? { filter: resolvedFilter, sort } : { filter: { ...resolvedFilter, order: ordered } }
  }
}

/**
 * An order as a database carries it out; undefined where observers have to see related records, or there may be
 * several.
 */
async function orderInDatabase(
  clauses: readonly SortClause[],
  sorting: Sorting
): Promise<readonly unknown[] | undefined> {
  const order = await allInOrder(clauses.map((clause) => clauseInDatabase(clause, sorting)))
  return order.includes(undefined) ? undefined : order
}

/** The number of related records, which the condition on it tells how to find. */
async function countInDatabase(
  relation: ResolvedRelation,
  { path, descending }: SortClause,
  { call, rights }: Sorting
): Promise<RelatedOrder | undefined> {
  const { from, keyFrom } = relation
  if (from.dataSource?.connector.capabilities.relates === undefined || relation.embeds) return undefined
  const having = { kind: 'and', conditions: [] } as const
  const condition = { relation, where: {}, having, call, rights, asKeys: false, record: undefined }
  const keys = (await behaviourOf(relation).filter(condition))[keyFrom]
  if (!(keys instanceof RelatedKeys)) return undefined
  const { model, property: keyTo, where, count } = keys
  return new RelatedOrder({
    path,
    descending,
    counts: true,
    related: { kind: 'related', keyFrom, model, keyTo, where, count }
  })
}

async function clauseInDatabase(clause: SortClause, sorting: Sorting): Promise<RelatedOrder | string | undefined> {
  const { relation: name, path, descending, counts } = clause
  const { find, call, rights } = sorting
  const text = `${path.join('.')} ${descending ? 'DESC' : 'ASC'}`
  if (name === undefined) return text
  if (counts === true) return countInDatabase(find(name), clause, sorting)
  const relation = find(name)
  const { from, to, keyFrom, keyTo } = relation
  if (to === undefined || !isOnlyId(to, keyTo) || !to.byName.has(path[0] ?? '')) return undefined
  const scope = relationScope(relation, { model: to, property: keyTo, values: [], discriminated: true, keyed: false })
  const records = { scope, filter: undefined, call, restriction: rights(to) }
  const keys = await askDatabase({ model: from, property: keyFrom }, { model: to, property: keyTo }, records)
  const [step] = compileFilter(to, { order: [text] }).order
  if (keys === undefined || step === undefined) return undefined
  return new RelatedOrder({ ...step, related: { kind: 'related', keyFrom, model: to, keyTo, where: keys.where } })
}

function isOnlyId({ properties }: ModelType, name: string): boolean {
  return properties.every((property) => property.id === (property.name === name))
}

/**
 * Refuses an entry of a condition on related records that would silently match none of them, or all: an object in place of a
 * value, such as `{ some: { … } }`, which is a quantifier in other interfaces.
 * @throws {InvalidFilter} with what to write
 */
function refuseOperators(model: ModelType, key: string, value: unknown): void {
  const declared = model.byName.get(key.split('.')[0] ?? '')
  if (declared !== undefined) {
    // Points are equal by their coordinates.
    if (declared.type.kind === 'geopoint') return
    const [inner] = hasNoOperator(value) ? Object.keys(Object(value)) : []
    if (inner === undefined) return
    throw new InvalidFilter(
      `Unknown operator ${JSON.stringify(inner)} on property ${JSON.stringify(key)} of ${model.name}: to test part of a value, use a path, ${JSON.stringify(`${key}.${inner}`)}`
    )
  }
  const isAbsence = value === null && quantifiers.has(key)
  if (!isAbsence && !hasNoOperator(value) && !isListOfObjects(value)) return
  throw new InvalidFilter(
    `Unknown operator ${JSON.stringify(key)} in a condition on ${model.name}: use properties of ${model.name} with values or operators, and "and", "or" and "nor"; a single record must match all of it`
  )
}
