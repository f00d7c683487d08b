import { ApiError } from '@modelwire/core'
import {
  type AccessQuestion,
  type IncludePlanRequest,
  isPlainObject,
  type ModelType,
  type ResolvedRelation
} from '@modelwire/core/plugin'
import { checkKeyIsRead } from './include-rights.ts'
import type { IncludeNode } from './parse-include.ts'

/** Reads what a request includes. @throws {InvalidFilter} it is malformed */
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
 * Refuses what a client may not include whatever the rows are, at any depth.
 * @throws what access control refuses it with
 */
export async function refuseNodes(request: IncludePlanRequest, nodesOf: NodesOf): Promise<void> {
  const nodes = readNodes(request, nodesOf)
  checkKeysAreRead(nodes, request)
  for (const node of nodes) await refuseNode(node, request, nodesOf)
}
