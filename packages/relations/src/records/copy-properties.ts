import { type ResolvedRelation, type Row, setOwn } from '@modelwire/core'

/**
 * Copies what the relation's `properties` name from a parent to the data of a related record, or the other way round with
 * `invertProperties`.
 * @see LoopBack 3: loopback-datasource-juggler, lib/relation-definition.js, applyProperties
 */
export function copyProperties({ settings }: ResolvedRelation, parent: Row, data: Row): void {
  const { properties, invertProperties } = settings
  if (properties === undefined) return
  const [source, target] = invertProperties ? [data, parent] : [parent, data]
  if (typeof properties === 'function') Object.assign(target, properties(source, target) ?? {})
  else for (const [from, to] of pairsOf(properties)) setOwn(target, to, source[from])
}

function pairsOf(
  properties: readonly string[] | Readonly<Record<string, string>>
): Iterable<readonly [string, string]> {
  // `isArray` does not tell read-only lists from objects.
  const list = Array.isArray(properties) ? (properties as readonly string[]) : undefined
  return list?.map((name) => [name, name] as const) ?? Object.entries(properties)
}
