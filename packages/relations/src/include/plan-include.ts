import { type IncludePlanRequest, type ModelType, type RelatedJson, repository } from '@modelwire/core'
import { relationScope } from '../records/relation-scope.ts'
import type { Relation } from '../relation.ts'
import { showKey } from './loaded.ts'
import type { IncludeNode } from './parse-include.ts'
import { optionsWithin, scopeOf } from './read-by-keys.ts'

/** What keys of a type are to a database. */
const keyKinds: Readonly<Record<string, 'text' | 'number'>> = { string: 'text', number: 'number', integer: 'number' }

function kindOf(model: ModelType, property: string): 'text' | 'number' | undefined {
  return keyKinds[model.byName.get(property)?.type.kind ?? '']
}

/** Both models lie in one database, and both sides hold keys of one type. */
function joinsWithin(model: ModelType, to: ModelType, { keyFrom, keyTo }: Relation): boolean {
  const [kind, other] = [kindOf(model, keyFrom), kindOf(to, keyTo)]
  return model.dataSource === to.dataSource && kind !== undefined && kind === other
}

/** Nobody but the database has a say in which records are joined. */
function isFixed({ settings }: Relation, to: ModelType): boolean {
  return typeof settings.scope !== 'function' && typeof to.definition.scope !== 'function'
}

/** Each record has its key, and no key leads to two records where one is shown. */
function isClear({ kind, keyFrom, keyTo }: Relation, to: ModelType, { model, fields }: IncludePlanRequest): boolean {
  if (kind.nests === 'one' && to.idProperty?.name !== keyTo) return false
  // LB3: records whose key is missing or not shown are answered in ways of their own
  return (
    !model.registry.compat || (fields === undefined && (kind.nests === 'one' || model.idProperty?.name === keyFrom))
  )
}

function planNode({ relation, filter: asked }: IncludeNode, request: IncludePlanRequest): RelatedJson | undefined {
  const { to, kind, name, keyFrom, keyTo } = relation
  if (to === undefined || kind.nests === undefined || !isFixed(relation, to)) return undefined
  if (!joinsWithin(request.model, to, relation) || !isClear(relation, to, request)) return undefined
  const many = kind.nests === 'list'
  const scope = relationScope(relation, { model: to, property: keyTo, values: [], discriminated: many, keyed: false })
  const options = optionsWithin(request.options)
  const filter = repository.filterUnder(to, { scope, filter: scopeOf({ relation, filter: asked }, keyTo), options })
  if (filter === undefined) return undefined
  const fields = showKey(filter.fields, keyTo)
  const shape = repository.jsonShape({ model: to, fields, include: filter.include, options, nested: true })
  return shape && { name, model: to, keyFrom, keyTo, many, filter, shape }
}

/** The related records as parts of a text that the database writes; undefined where some of them have to be read. */
export function planInclude(
  nodes: readonly IncludeNode[],
  request: IncludePlanRequest
): readonly RelatedJson[] | undefined {
  const plans = nodes.map((node) => planNode(node, request))
  return plans.every((plan) => plan !== undefined) ? plans : undefined
}
