import {
  InvalidFilter,
  isPlainObject,
  LimitExceeded,
  logicalKeys,
  type ModelType,
  type RelatedFilter,
  relationOf,
  type Row
} from '@modelwire/core'
import type { RelationsOf } from '../include/create-include-loader.ts'
import type { RelationLimits } from '../options.ts'
import type { Relation } from '../relation.ts'
import { orderInDatabase } from './order-in-database.ts'
import { sortByRelated, splitOrder } from './sort-by-related.ts'

/** What resolving one filter needs. */
interface Resolving {
  readonly relationsOf: RelationsOf
  readonly options: Record<string, unknown>
  /** Only what a client may include tells it anything. */
  readonly fromClient: boolean
  /** @throws {LimitExceeded} the filter reaches into more relations, or deeper, than a client may */
  readonly reach: (depth: number) => void
}

function relationNamed(model: ModelType, name: string, { relationsOf, fromClient }: Resolving): Relation {
  const relation = relationsOf(model).get(name)
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
  /** The database cannot be handed a condition on related records there. */
  readonly asKeys: boolean
}

async function resolveEntry(
  model: ModelType,
  key: string,
  value: unknown,
  work: Resolving,
  place: Place
): Promise<Row> {
  if (logicalKeys.has(key) && Array.isArray(value))
    return { [key]: await Promise.all(value.map((part) => resolveWhere(model, part, work, place))) }
  const name = relationOf(model, key)
  if (name === undefined) return { [key]: value }
  work.reach(place.depth)
  const relation = relationNamed(model, name, work)
  const below = conditionBelow(key, name, value)
  // The parts of a record have no table of their own.
  const inner = { depth: place.depth + 1, asKeys: relation.kind.embeds === true }
  const where = relation.to === undefined ? below : await resolveWhere(relation.to, below, work, inner)
  return relation.kind.filter({ relation, where, options: work.options, asKeys: place.asKeys })
}

async function resolveWhere(model: ModelType, where: unknown, work: Resolving, place: Place): Promise<unknown> {
  if (!isPlainObject(where)) return where
  const parts = await Promise.all(
    Object.entries(where).map(([key, value]) => resolveEntry(model, key, value, work, place))
  )
  return parts.length === 1 ? parts[0] : { and: parts }
}

function makeReach({ includeDepth, includeCount }: RelationLimits, fromClient: boolean): Resolving['reach'] {
  let count = 0
  return (depth) => {
    if (!fromClient) return
    if (++count > includeCount) throw new LimitExceeded(`a filter may reach into ${includeCount} relations`)
    if (depth > includeDepth) throw new LimitExceeded(`a filter may reach through ${includeDepth} relations`)
  }
}

/** Makes the function that core calls for every filter that reaches into related records. */
export function createRelatedFilter(relationsOf: RelationsOf, limits: RelationLimits): RelatedFilter {
  return async ({ model, filter, options, asKeys = false }) => {
    const fromClient = options['prohibitHiddenPropertiesInQuery'] === true
    const work: Resolving = { relationsOf, options, fromClient, reach: makeReach(limits, fromClient) }
    const { where, order, ...rest } = filter
    const resolved =
      where === undefined || where === null ? where : await resolveWhere(model, where, work, { depth: 1, asKeys })
    const clauses = splitOrder(model, order)
    if (clauses === undefined) return { filter: { ...rest, where: resolved, order } }
    const find = (name: string): Relation => relationNamed(model, name, work)
    const sorting = { find, options, fromClient }
    const sort = sortByRelated(model, clauses, sorting)
    const ordered = await orderInDatabase(clauses, sorting)
    const resolvedFilter = { ...rest, where: resolved }
    return ordered === undefined ? { filter: resolvedFilter, sort } : { filter: { ...resolvedFilter, order: ordered } }
  }
}
