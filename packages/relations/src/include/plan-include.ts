import type { Filter, JsonLinks, RelatedJson } from '@modelwire/core/connector'
import {
  type Call,
  findNear,
  type IncludePlanRequest,
  type ModelType,
  readingWithin,
  repository,
  type ResolvedRelation
} from '@modelwire/core/plugin'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { relationScope } from '../records/relation-scope.ts'
import { throughOf } from '../records/target-of.ts'
import { showKey } from './loaded.ts'
import type { IncludeNode } from './parse-include.ts'
import { scopeOf } from './read-by-keys.ts'

/** What keys of a type are to a database. */
const keyKinds: Readonly<Record<string, 'text' | 'number'>> = { string: 'text', number: 'number', integer: 'number' }

interface Key {
  readonly model: ModelType
  readonly property: string
}

const kindOf = ({ model, property }: Key): 'text' | 'number' | undefined =>
  keyKinds[model.byName.get(property)?.type.kind ?? '']

/** Both models lie in one database, and both sides hold keys of one type. */
function joins(one: Key, other: Key): boolean {
  const kind = kindOf(one)
  return one.model.dataSource === other.model.dataSource && kind !== undefined && kind === kindOf(other)
}

/** The database can follow the keys from records to related ones. What keys a list holds is read. */
function joinsWithin(
  model: ModelType,
  to: ModelType,
  { holdsKey, keyFrom, keyTo, through }: ResolvedRelation
): boolean {
  if (holdsKey === 'list') return false
  const [start, end] = [
    { model, property: keyFrom },
    { model: to, property: keyTo }
  ]
  if (through === undefined) return joins(start, end)
  const between = through.model
  return (
    joins(start, { model: between, property: through.keyFrom }) &&
    joins({ model: between, property: through.keyTo }, end)
  )
}

const changes = (scope: unknown): boolean => typeof scope === 'function'

/** Only the database decides which records are joined. */
function isFixed({ settings, through }: ResolvedRelation, to: ModelType): boolean {
  return !changes(settings.scope) && !changes(to.definition.scope) && !changes(through?.model.definition.scope)
}

/** Each record has its key, and one that is held leads to one record. */
function isClear(
  { many, holdsKey, keyFrom, keyTo, through }: ResolvedRelation,
  to: ModelType,
  request: IncludePlanRequest
): boolean {
  const { model, fields } = request
  if ((holdsKey !== undefined || through !== undefined) && to.idProperty?.name !== keyTo) return false
  if (!model.registry.rules.needsShownKeys) return true
  // LB3: records whose key is missing or not shown are answered in ways of their own
  const needsKey = many && through === undefined
  return fields === undefined && (!needsKey || model.idProperty?.name === keyFrom)
}

/** What joins records to related ones; undefined where observers decide. */
function linksOf(relation: ResolvedRelation, call: Call): JsonLinks | undefined {
  const { model, keyFrom, keyTo } = throughOf(relation)
  // The relation's own scope is about the related records, not about those between.
  const unscoped = { ...relation, settings: { ...relation.settings, scope: undefined } }
  const wanted = { model, property: keyFrom, values: [], discriminated: true, keyed: false }
  const filter = repository.filterOf(model, {
    scope: relationScope(unscoped, wanted),
    filter: undefined,
    call,
    // Only who may see everything is answered with the text.
    restriction: undefined
  })
  return filter && { model, keyFrom, keyTo, filter }
}

const isPaged = ({ limit, skip }: Filter): boolean => limit !== undefined || skip > 0

/** The filter in the opposite order; undefined where that is not defined. */
function reversed(filter: Filter, { idProperty }: ModelType): Filter | undefined {
  if (idProperty === undefined || isPaged(filter) || findNear(filter.where) !== undefined) return undefined
  const id = { path: [idProperty.name], type: idProperty.type, descending: false }
  const order = [...filter.order, id].map((clause) => ({ ...clause, descending: !clause.descending }))
  return { ...filter, order }
}

/** The filter for the records of one key; undefined where LoopBack's ways are not those of a database. */
function filterOfEach(
  { many, holdsKey, through, from }: ResolvedRelation,
  to: ModelType,
  filter: Filter
): Filter | undefined {
  const { pagesEachRecord, includesLastOfOne } = from.registry.rules
  // LB3: a page of records that a third model joins is cut in a way of its own
  if (through !== undefined) return pagesEachRecord && isPaged(filter) ? undefined : filter
  if (many || holdsKey === 'one') return filter
  // LB3: of several the last, see includeChild
  const first = includesLastOfOne ? reversed(filter, to) : filter
  return first && { ...first, limit: 1 }
}

function planNode({ relation, filter: ownFilter }: IncludeNode, request: IncludePlanRequest): RelatedJson | undefined {
  const { to, many, holdsKey, name, keyFrom, keyTo } = relation
  if (to === undefined || behaviourOf(relation).followsKeys !== true || !isFixed(relation, to)) return undefined
  if (!joinsWithin(request.model, to, relation) || !isClear(relation, to, request)) return undefined
  const discriminated = holdsKey === undefined && relation.through === undefined
  const scope = relationScope(relation, { model: to, property: keyTo, values: [], discriminated, keyed: false })
  const call = readingWithin(request.call)
  const filter = scopeOf({ relation, filter: ownFilter }, keyTo)
  const whole = repository.filterOf(to, { scope, filter, call, restriction: undefined })
  const each = whole && filterOfEach(relation, to, whole)
  const through = relation.through && linksOf(relation, call)
  if (each === undefined || (relation.through !== undefined && through === undefined)) return undefined
  const fields = showKey(each.fields, keyTo)
  const shape = repository.jsonShape({ model: to, fields, include: each.include, call, nested: true })
  return shape && { name, model: to, keyFrom, keyTo, through, many, filter: each, shape }
}

/** The related records as parts of a text that the database writes; undefined where some of them have to be read. */
export function planInclude(
  nodes: readonly IncludeNode[],
  request: IncludePlanRequest
): readonly RelatedJson[] | undefined {
  const plans = nodes.map((node) => planNode(node, request))
  return plans.every((plan) => plan !== undefined) ? plans : undefined
}
