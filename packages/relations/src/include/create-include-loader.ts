import {
  type IncludeLoader,
  type IncludePlanRequest,
  type IncludeRequest,
  keepPerModel,
  type ModelType,
  setOwn
} from '@modelwire/core'
import type { RelationLimits } from '../options.ts'
import type { Relation } from '../relation.ts'
import { keepIncludedKeys } from './loopback-scope.ts'
import { planInclude } from './plan-include.ts'
import { boundInclude, type IncludeNode, parseInclude } from './parse-include.ts'

/** Relations by model. */
export type RelationsOf = (model: ModelType) => ReadonlyMap<string, Relation>

// Code may nest as it likes, but not without end.
const boundsOfCode = { includeDepth: 50, includeCount: 1000 }

function withKeysBelow(node: IncludeNode, relationsOf: RelationsOf): IncludeNode {
  const { to } = node.relation
  return to === undefined ? node : keepIncludedKeys(node, relationsOf(to))
}

/** Makes the loader that core calls for every `include`. */
export function createIncludeLoader(relationsOf: RelationsOf, limits: RelationLimits): IncludeLoader {
  // Includes that `rest` froze because their text is cached: parsed once per model.
  const parsed = keepPerModel<readonly IncludeNode[]>()

  const parse = ({ model, include, options }: IncludePlanRequest): readonly IncludeNode[] => {
    boundInclude(include, options['prohibitHiddenPropertiesInQuery'] === true ? limits : boundsOfCode)
    const nodes = parseInclude(include, relationsOf(model), model)
    return model.registry.compat ? nodes.map((node) => withKeysBelow(node, relationsOf)) : nodes
  }
  const nodesOf = (request: IncludePlanRequest): readonly IncludeNode[] => {
    const { include, model } = request
    if (typeof include !== 'object' || include === null || !Object.isFrozen(include)) return parse(request)
    return parsed(include, model, () => parse(request))
  }

  const load = async (request: IncludeRequest): Promise<readonly Record<string, unknown>[]> => {
    const { rows, fields, options, asRows } = request
    const { keysPerQuery } = limits
    const nodes = nodesOf(request)
    const values = await Promise.all(
      nodes.map(({ relation, filter }) =>
        relation.kind.include({ relation, filter, rows, fields, options, asRows, keysPerQuery })
      )
    )
    return rows.map((_, at) => relatedAt(nodes, values, at))
  }
  return Object.assign(load, {
    plan: (request: IncludePlanRequest) => planInclude(nodesOf(request), request)
  })
}

/** What lies beside one row: the value of each include at its place. */
function relatedAt(
  nodes: readonly IncludeNode[],
  values: readonly (readonly unknown[])[],
  at: number
): Record<string, unknown> {
  const related: Record<string, unknown> = {}
  for (const [index, { relation }] of nodes.entries()) {
    const value = values[index]?.[at]
    if (value !== undefined) setOwn(related, relation.name, value)
  }
  return related
}
