import type { Row } from '@modelwire/core/connector'
import { type ResolvedRelation, setOwn } from '@modelwire/core/plugin'

/**
 * Copies what the relation's `properties` name from a parent to the data of a related record, or the other way round with
 * `invertProperties`.
 * @returns what the parent got, to be stored with it
 * @see LoopBack 3: loopback-datasource-juggler, lib/relation-definition.js, applyProperties
 */
export function copyProperties({ settings }: ResolvedRelation, parent: Row, data: Row): Row {
  const { properties, invertProperties } = settings
  if (properties === undefined) return {}
  const [source, target] = invertProperties ? [data, parent] : [parent, data]
  const copied: Row = {}
  if (typeof properties === 'function') Object.assign(copied, properties(source, target) ?? {})
  else for (const [from, to] of pairsOf(properties)) setOwn(copied, to, source[from])
  for (const [name, value] of Object.entries(copied)) setOwn(target, name, value)
  return invertProperties ? copied : {}
}

function pairsOf(
  properties: readonly string[] | Readonly<Record<string, string>>
): Iterable<readonly [string, string]> {
  // `isArray` does not distinguish read-only lists from objects.
  const list = Array.isArray(properties) ? (properties as readonly string[]) : undefined
  return list?.map((name) => [name, name] as const) ?? Object.entries(properties)
}
