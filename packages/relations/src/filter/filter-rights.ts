import {
  belowRelation,
  type Call,
  logicalKeys,
  operators,
  relationOf,
  type ResolvedRelation,
  type Restriction,
  whereOfRelated
} from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'

/** One step of an order. */
export interface SortClause {
  /** Undefined if the clause refers to the rows themselves. */
  readonly relation: string | undefined
  readonly path: readonly string[]
  readonly descending: boolean
  /** The order is by the number of related records. */
  readonly counts?: boolean
}

/** Returns what a client may see of the models that a filter refers to. */
export type FilterRights = (model: ModelType) => Restriction | undefined

/** The relation behind a name; undefined where there is none: the error is thrown when the filter runs. */
const relationAt = (model: ModelType, name: string): ResolvedRelation | undefined =>
  model.registry.relations.of(model).get(name)

function modelsOf({ to, through, embeds }: ResolvedRelation): readonly ModelType[] {
  return embeds ? [] : [to, through?.model].filter((model) => model !== undefined)
}

/**
 * LB3: conditions do not follow relations, so operators below a relation's name test a property that no record has.
 * @returns false where the related model has a property of an operator's name
 */
export function testsName({ registry }: ModelType, relation: ResolvedRelation, key: string, value: unknown): boolean {
  if (!registry.rules.testsRelationNames || key !== relation.name || !isPlainObject(value)) return false
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => operators.has(name) && relation.to?.byName.has(name) !== true)
}

/** The models that one key of a condition reaches into, such as `author` or `author.name`. */
function reachedBy(model: ModelType, key: string, value: unknown): readonly ModelType[] {
  const name = relationOf(model, key)
  const relation = name === undefined ? undefined : relationAt(model, name)
  if (name === undefined || relation?.to === undefined || testsName(model, relation, key, value)) return []
  const { to } = relation
  const wheres = whereOfRelated(relation, belowRelation(key, name, value))
  return [...modelsOf(relation), ...wheres.flatMap((where) => reachedByWhere(to, where))]
}

function reachedByWhere(model: ModelType, where: unknown): readonly ModelType[] {
  if (Array.isArray(where)) return where.flatMap((part: unknown) => reachedByWhere(model, part))
  if (!isPlainObject(where)) return []
  return Object.entries(where).flatMap(([key, value]) =>
    logicalKeys.has(key) ? reachedByWhere(model, value) : reachedBy(model, key, value)
  )
}

function reachedByOrder(model: ModelType, clauses: readonly SortClause[]): readonly ModelType[] {
  return clauses.flatMap(({ relation: name }) => {
    const relation = name === undefined ? undefined : relationAt(model, name)
    return relation === undefined ? [] : modelsOf(relation)
  })
}

const everything: FilterRights = () => undefined

/** The parts of a filter for related records, as written. */
export interface RelatedQueryParts {
  readonly where: unknown
  readonly clauses: readonly SortClause[]
}

/**
 * Determines what the client may see of all models that a filter refers to, before any of their records is read.
 * @throws the error that access control refuses the filter with
 */
export async function filterRights(
  model: ModelType,
  { where, clauses }: RelatedQueryParts,
  { client }: Call
): Promise<FilterRights> {
  const { accessControl } = model.registry
  if (client === undefined || accessControl === undefined) return everything
  const rights = new Map<ModelType, Restriction | undefined>()
  for (const reached of new Set([...reachedByWhere(model, where), ...reachedByOrder(model, clauses)]))
    rights.set(reached, await accessControl.restrict({ client, model: reached, method: 'find', purpose: 'filter' }))
  return (one) => rights.get(one)
}

/**
 * Refuses a filter that joins on a property which the client may not read: its results would reveal the property's values.
 * @throws the restriction's error for denied properties
 */
export function checkReadsKey(model: ModelType, property: string, rights: FilterRights): void {
  const restriction = rights(model)
  if (restriction?.readable === undefined || restriction.readable.has(property)) return
  throw restriction.denyProperty(`this client may not filter by records of ${model.name}: it may not read ${property}`)
}
