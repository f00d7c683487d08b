import {
  allInOrder,
  isClientQuery,
  type IncludeLoader,
  type IncludePlanRequest,
  type IncludeRequest,
  keepPerModel,
  setOwn
} from '@modelwire/core/plugin'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import type { RelationLimits } from '../options.ts'
import { keepIncludedKeys } from './loopback-scope.ts'
import { checkKeysAreRead, refuseNodes } from './refuse-nodes.ts'
import { boundInclude, type IncludeNode, parseInclude } from './parse-include.ts'

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

  const load = async (request: IncludeRequest): Promise<readonly Record<string, unknown>[]> => {
    const { rows, fields, call } = request
    const { keysPerQuery } = limits
    const atMost = call.client?.limits.answer
    const nodes = nodesOf(request)
    checkKeysAreRead(nodes, request)
    const values = await allInOrder(
      nodes.map(({ relation, filter }) =>
        behaviourOf(relation).include({ relation, filter, rows, fields, call, atMost, keysPerQuery })
      )
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
  for (const [index, { relation }] of nodes.entries()) {
    const value = values[index]?.[at]
    if (value !== undefined) setOwn(related, relation.name, value)
  }
  return related
}
