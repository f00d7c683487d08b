import { InvalidFilter } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import {
  allInOrder,
  isClientQuery,
  type Call,
  isPlainObject,
  LimitExceeded,
  logicalKeys,
  type ModelType,
  type RelatedFilter,
  relationOf,
  type ResolvedRelation
} from '@modelwire/core/plugin'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import type { RelationLimits } from '../options.ts'
import { type FilterRights, filterRights } from './filter-rights.ts'
import { orderInDatabase } from './order-in-database.ts'
import { sortByRelated, splitOrder } from './sort-by-related.ts'

/** The context of resolving one filter. */
interface Resolving {
  readonly call: Call
  readonly rights: FilterRights
  /** A client may only filter by relations that it may include. */
  readonly fromClient: boolean
  /** @throws {LimitExceeded} the filter reaches into more relations, or deeper, than a client may */
  readonly reach: (depth: number) => void
}

function relationNamed(model: ModelType, name: string, { fromClient }: Resolving): ResolvedRelation {
  const relation = model.registry.relations.of(model).get(name)
  if (relation === undefined || (fromClient && relation.settings.disableInclude))
    throw new InvalidFilter(`${model.name} has no relation ${JSON.stringify(name)} to filter by`)
  return relation
}

/** The condition on related records behind one key: `author: {…}` or `'author.name': …`. */
function conditionBelow(key: string, name: string, value: unknown): unknown {
  if (key !== name) return { [key.slice(name.length + 1)]: value }
  if (isPlainObject(value)) return value
  throw new InvalidFilter(`a condition on ${name} must be an object of conditions on its properties`)
}

/** Where in a filter a condition stands. */
interface Place {
  /** Relations that lead there, and one. */
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
  if (name === undefined) return { [key]: value }
  work.reach(place.depth)
  const relation = relationNamed(model, name, work)
  const below = conditionBelow(key, name, value)
  // The parts of a record have no table of their own.
  const inner = { depth: place.depth + 1, asKeys: relation.embeds, record: undefined }
  const where = relation.to === undefined ? below : await resolveWhere(relation.to, below, work, inner)
  return behaviourOf(relation).filter({
    relation,
    where,
    call: work.call,
    rights: work.rights,
    asKeys: place.asKeys,
    record: place.record
  })
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
    if (++count > includeCount) throw new LimitExceeded(`a filter may reach into at most ${includeCount} relations`)
    if (depth > includeDepth) throw new LimitExceeded(`a filter may reach through at most ${includeDepth} relations`)
  }
}

/** Makes the function that core calls for every filter that reaches into related records. */
export function createRelatedFilter(limits: RelationLimits): RelatedFilter {
  return async ({ model, filter, call, restriction, asKeys = false, record }) => {
    const fromClient = isClientQuery(call)
    const { where, order, ...rest } = filter
    const clauses = splitOrder(model, order)
    const rights = await filterRights(model, { where, clauses: clauses ?? [] }, call)
    const work: Resolving = { call, rights, fromClient, reach: makeReach(limits, fromClient) }
    const place = { depth: 1, asKeys, record }
    const resolved = where === undefined || where === null ? where : await resolveWhere(model, where, work, place)
    if (clauses === undefined) return { filter: { ...rest, where: resolved, order } }
    const find = (name: string): ResolvedRelation => relationNamed(model, name, work)
    const sorting = { find, call, rights, restriction }
    const sort = sortByRelated(model, clauses, sorting)
    const ordered = await orderInDatabase(clauses, sorting)
    const resolvedFilter = { ...rest, where: resolved }
    return ordered === undefined ? { filter: resolvedFilter, sort } : { filter: { ...resolvedFilter, order: ordered } }
  }
}
