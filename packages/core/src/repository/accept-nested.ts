import type { Client } from '../caller/client.ts'
import type { Row } from '../contract/row.ts'
import { isReadOnly, type PropertyType } from '../types/property-type.ts'
import { isPlainObject, setOwn } from '../values/clone-plain.ts'
import { compileCoercion } from '../types/coerce-value.ts'
import type { Coercion } from '../values/unusable.ts'
import type { ValueType } from '../types/value-type.ts'
import { isSameOnce } from './is-same-value.ts'

type NestedType = Extract<ValueType, { readonly kind: 'nested' }>

/** Where a value lies, and what a client's write of it needs. */
export interface NestedPlace {
  /** Names of properties from the model's own on, with dots between them. */
  readonly path: string
  /** What is stored there; undefined for a new value. */
  readonly stored: unknown
  readonly client: Client
  /** The value that a guard takes from the caller; undefined where it takes none. */
  readonly callerValue: (property: PropertyType, client: Client) => unknown
  readonly refuse: (path: string, refusal: 'read-only' | 'write-once') => never
}

/** True where a part of a plain object, or of the objects of a list, is not for clients to set. */
export function guardsValue(type: ValueType): boolean {
  if (type.kind === 'array') return type.items !== undefined && guardsValue(type.items)
  return type.kind === 'nested' && type.properties.some((part) => part.guard !== undefined || guardsValue(part.type))
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const coercions = new WeakMap<ValueType, Coercion>()

/** Models within have guards of their own; their values are compared as they are. */
function coercionOf(type: ValueType): Coercion {
  const coerce = coercions.get(type) ?? compileCoercion(type, { findModel: () => undefined })
  coercions.set(type, coerce)
  return coerce
}

/** A guarded part stays as it is stored; a new one comes from the caller, or is not there. */
function keptValue(part: PropertyType, stored: Row | undefined, { client, callerValue }: NestedPlace): unknown {
  return stored === undefined ? callerValue(part, client) : stored[part.name]
}

function acceptPart(part: PropertyType, value: unknown, stored: Row | undefined, place: NestedPlace): unknown {
  const path = `${place.path}.${part.name}`
  const mayBeSet = part.guard === 'writeOnce' && isAbsent(stored?.[part.name])
  if (part.guard === undefined || mayBeSet)
    return acceptNested(part.type, value, { ...place, path, stored: stored?.[part.name] })
  const kept = keptValue(part, stored, place)
  const namesKept = !isAbsent(kept) && String(kept) === String(value)
  if (value !== undefined && !namesKept && !isSameOnce(coercionOf(part.type), stored?.[part.name], value))
    place.refuse(path, isReadOnly(part) ? 'read-only' : 'write-once')
  return kept
}

function acceptObject(type: NestedType, value: Readonly<Row>, place: NestedPlace): Row {
  const stored = isPlainObject(place.stored) ? place.stored : undefined
  const guarded = type.properties.filter(({ guard, name }) => guard !== undefined && !Object.hasOwn(value, name))
  const accepted: Row = {}
  for (const [name, part] of Object.entries(value)) {
    const property = type.byName.get(name)
    const kept = property === undefined ? part : acceptPart(property, part, stored, place)
    if (kept !== undefined) setOwn(accepted, name, kept)
  }
  for (const property of guarded) {
    const kept = keptValue(property, stored, place)
    if (kept !== undefined) setOwn(accepted, property.name, kept)
  }
  return accepted
}

/**
 * A plain object that a client sends, or a list of them, without what it may not set: read-only parts stay as they are
 * stored. Objects of a list replace those that are stored at the same place.
 */
export function acceptNested(type: ValueType, value: unknown, place: NestedPlace): unknown {
  if (!guardsValue(type)) return value
  if (type.kind === 'nested') return isPlainObject(value) ? acceptObject(type, value, place) : value
  if (type.kind !== 'array' || type.items === undefined || !Array.isArray(value)) return value
  const { items } = type
  const stored: readonly unknown[] = Array.isArray(place.stored) ? place.stored : []
  return value.map((item, at) => acceptNested(items, item, { ...place, stored: stored[at] }))
}
