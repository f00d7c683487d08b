import { ApiError } from '@modelwire/core'
import {
  type AccessQuestion,
  isClientQuery,
  keepPerModel,
  type ResolvedRelation,
  type Registry
} from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { allInOrder, isPlainObject, setOwn } from '@modelwire/server'
import { checkKeyIsRead } from '../include/include-rights.ts'
import { countRelated } from './count-related.ts'
import { boundInclude, type IncludeNode, parseInclude } from '../include/parse-include.ts'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import type { RelationLimits } from '../options.ts'
import { keepIncludedKeys } from '../include/loopback-scope.ts'

type IncludeLoader = NonNullable<Registry['includeLoader']>

type IncludePlanRequest = Parameters<NonNullable<IncludeLoader['refuse']>>[0]

/**
 * Returns the includes of a request.
 * @throws {InvalidFilter} it is malformed
 */
export type NodesOf = (request: IncludePlanRequest) => readonly IncludeNode[]

/** @throws what access control denies properties with: the client may not read a key that joins records to the included ones */
export function checkKeysAreRead(nodes: readonly IncludeNode[], { restriction }: IncludePlanRequest): void {
  for (const { relation } of nodes) {
    checkKeyIsRead(relation, relation.keyFrom, restriction)
    if (relation.holdsKey === 'one') checkKeyIsRead(relation, relation.discriminator?.property, restriction)
  }
}

/** Errors of an include are thrown where there are records to include something in, and not before. */
function readNodes(request: IncludePlanRequest, nodesOf: NodesOf): readonly IncludeNode[] {
  try {
    return nodesOf(request)
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** The models that an include reads, with the methods that read them by themselves. */
function modelsOf({ to, through, many }: ResolvedRelation): readonly Pick<AccessQuestion, 'model' | 'method'>[] {
  const target = to === undefined ? [] : [{ model: to, method: many ? 'find' : 'findById' }]
  return through === undefined ? target : [...target, { model: through.model, method: 'find' }]
}

async function refuseNode({ relation, filter }: IncludeNode, request: IncludePlanRequest, nodesOf: NodesOf) {
  const { client } = request.call
  const { to, keyTo, embeds, through, holdsKey } = relation
  const { accessControl } = relation.from.registry
  if (client === undefined || accessControl === undefined) return
  const keyed = through === undefined && holdsKey === undefined ? { property: keyTo } : undefined
  const models: readonly Pick<AccessQuestion, 'model' | 'method'>[] = embeds ? [] : modelsOf(relation)
  for (const { model, method } of models)
    await accessControl.refuse({ client, model, method, purpose: 'include' }, keyed)
  if (to !== undefined) await refuseBelow(to, filter, request, nodesOf)
}

async function refuseBelow(
  model: ModelType,
  filter: IncludeNode['filter'],
  { call, fields }: IncludePlanRequest,
  nodesOf: NodesOf
): Promise<void> {
  const include = isPlainObject(filter) ? filter['include'] : undefined
  if (include !== undefined && include !== null)
    await refuseNodes({ model, include, fields, call, restriction: undefined }, nodesOf)
}

/**
 * Denies what a client may not include whatever the rows, at any depth.
 * @throws what access control refuses it with
 */
export async function refuseNodes(request: IncludePlanRequest, nodesOf: NodesOf): Promise<void> {
  const nodes = readNodes(request, nodesOf)
  checkKeysAreRead(nodes, request)
  for (const node of nodes) await refuseNode(node, request, nodesOf)
}

// Code may nest as it likes, but not without end.
const boundsOfCode = { includeDepth: 50, includeCount: 1000 }

function withKeysBelow(node: IncludeNode): IncludeNode {
  const { to } = node.relation
  return to === undefined ? node : keepIncludedKeys(node, to.registry.relations.of(to))
}

/** Makes the loader that core calls for every `include`. */
export function createIncludeLoader(limits: RelationLimits): IncludeLoader {
  // Includes that `rest` froze because their text is cached: parsed once per model.
  const parsed = keepPerModel<readonly IncludeNode[]>()

  const parse = ({ model, include, call }: IncludePlanRequest): readonly IncludeNode[] => {
    boundInclude(include, isClientQuery(call) ? limits : boundsOfCode)
    const nodes = parseInclude(include, model.registry.relations.of(model), model)
    return model.registry.rules.showsIncludedKeys ? nodes.map(withKeysBelow) : nodes
  }
  const nodesOf = (request: IncludePlanRequest): readonly IncludeNode[] => {
    const { include, model } = request
    if (typeof include !== 'object' || include === null || !Object.isFrozen(include)) return parse(request)
    return parsed(include, model, () => parse(request))
  }

  const load = async (request: Parameters<IncludeLoader>[0]): Promise<readonly Record<string, unknown>[]> => {
    const { rows, fields, call } = request
    const { keysPerQuery } = limits
    const atMost = call.client?.limits.answer
    const nodes = nodesOf(request)
    checkKeysAreRead(nodes, request)
    const values = await allInOrder(
      nodes.map(({ relation, filter, countAs }): Promise<readonly unknown[]> => {
        const task = { relation, filter, rows, fields, call, atMost, keysPerQuery }
        return countAs === undefined ? behaviourOf(relation).include(task) : countRelated(task)
      })
    )
    return rows.map((_, at) => relatedAt(nodes, values, at))
  }
  return Object.assign(load, {
    refuse: (request: IncludePlanRequest) => refuseNodes(request, nodesOf)
  })
}

/** What lies beside one row: the value of each include at its place. */
function relatedAt(
  nodes: readonly IncludeNode[],
  values: readonly (readonly unknown[])[],
  at: number
): Record<string, unknown> {
  const related: Record<string, unknown> = {}
  for (const [index, { relation, countAs = relation.name }] of nodes.entries()) {
    const value = values[index]?.[at]
    if (value !== undefined) setOwn(related, countAs, value)
  }
  return related
}
