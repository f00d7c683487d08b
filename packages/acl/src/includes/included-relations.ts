import { isPlainObject } from '@modelwire/core'

/** Names of the relations that an `include` asks for at its first level, however it is written. */
export function includedRelations(include: unknown): readonly string[] {
  if (typeof include === 'string') return [include]
  if (Array.isArray(include)) return include.flatMap(includedRelations)
  if (!isPlainObject(include)) return []
  const { relation, rel } = include
  const named = typeof relation === 'string' ? relation : rel
  return typeof named === 'string' ? [named] : Object.keys(include)
}
