import { keepPerText, type ResolvedRelation } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import type { IncludeNode } from './parse-include.ts'

type Scope = Readonly<Record<string, unknown>>

/** LB3: the key is added to any `fields`, so that leaving names out leaves all others out as well. */
function withKey(fields: unknown, key: string): unknown {
  if (typeof fields === 'string') return [fields, key]
  if (Array.isArray(fields)) return fields.includes(key) ? fields : [...(fields as readonly unknown[]), key] // `isArray` narrows no further
  return isPlainObject(fields) && fields[key] !== true ? { ...fields, [key]: true } : fields
}

/** LB3: a condition on the key is replaced by the one that the include needs. */
function withoutKey(where: unknown, key: string): unknown {
  if (!isPlainObject(where) || !Object.hasOwn(where, key)) return where
  const { [key]: _replaced, ...others } = where
  return others
}

// Scopes are frozen where `rest` keeps them: the same text makes the same object, which is compiled once.
const readScopes = keepPerText<Scope>()

/**
 * The scope of an include as LoopBack reads it, for records that are found by `key`.
 * @see LoopBack 3: loopback-datasource-juggler, lib/include.js, processIncludeItem
 */
export function loopbackScope(scope: Scope | undefined, key: string): Scope | undefined {
  if (scope === undefined) return undefined
  const { fields, where } = scope
  return readScopes(scope, key, () =>
    Object.freeze({ ...scope, fields: withKey(fields, key), where: withoutKey(where, key) })
  )
}

const isPaged = ({ limit, skip, offset }: Scope): boolean => Boolean(limit) || Boolean(skip) || Boolean(offset)

/** The scope of an include through a third model: each record is a page of its own, which loses the order. */
export function loopbackThroughScope(scope: Scope | undefined): Scope | undefined {
  if (scope === undefined || !isPaged(scope)) return scope
  const { order: _lost, limit: _limit, ...others } = scope
  return Object.freeze(others)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** A relation that reads alone is a belongsTo. */
const isBelongsTo = ({ holdsKey }: ResolvedRelation): boolean => holdsKey === 'one'

/**
 * An include whose `fields` keep, and show, the keys of the belongsTo relations that it includes by name.
 * @param below the relations of the included model
 * @see LoopBack 3: loopback-datasource-juggler, lib/include.js, processIncludeItem
 */
export function keepIncludedKeys(node: IncludeNode, below: ReadonlyMap<string, ResolvedRelation>): IncludeNode {
  const { relation, filter } = node
  const { fields, include } = filter ?? {}
  const isList = typeof fields === 'string' || Array.isArray(fields)
  const isObject = isPlainObject(fields) && Boolean(include)
  if (!(isList || isObject) || !(relation.many || isBelongsTo(relation))) return node
  const keys = listOf(include).flatMap((name) => {
    const inner = typeof name === 'string' ? below.get(name) : undefined
    return inner !== undefined && isBelongsTo(inner) ? [inner.keyFrom] : []
  })
  if (isList && keys.length === 0) return node
  // The object becomes an item of a list of names, and names nothing there.
  return { relation, filter: Object.freeze({ ...filter, fields: isList ? [...listOf(fields), ...keys] : keys }) }
}
