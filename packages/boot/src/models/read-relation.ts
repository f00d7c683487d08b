import { isPlainObject } from '@modelwire/core/plugin'

type Drop = (key: string) => void

/** Keys that name something, and mean the default where they are null, false or empty. */
const names = ['model', 'foreignKey', 'primaryKey', 'through', 'keyThrough', 'property'] as const

/** What is known to the registry of deletions; LoopBack reads the key nowhere. */
const deletions: ReadonlySet<unknown> = new Set(['restrict', 'cascade', 'setNull'])

function readNames(relation: Record<string, unknown>): void {
  for (const key of names.filter((name) => name in relation)) {
    const value = relation[key]
    if (!value) Reflect.deleteProperty(relation, key)
    else if (Array.isArray(value)) relation[key] = String(value)
  }
}

function readRelation(written: unknown, drop: Drop): unknown {
  if (!isPlainObject(written)) return written
  const { options, onDelete, invert, ...relation } = written
  readNames(relation)
  const isKnown = deletions.has(onDelete)
  if (!isKnown && onDelete) drop('onDelete')
  return {
    ...relation,
    ...(isKnown ? { onDelete } : {}),
    ...(isPlainObject(options) ? { options } : {}),
    ...(invert ? { invert: true } : {})
  }
}

/** The relations of a definition in the shapes that the registry knows; a list has them by their places. */
export function readRelations(written: unknown, drop: Drop): unknown {
  if (!isPlainObject(written) && !Array.isArray(written)) return undefined
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, readRelation(value, (key) => drop(`${name}.${key}`))])
  )
}
