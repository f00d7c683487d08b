import type { ModelType } from '../contract/model-type.ts'
import type { PropertyDefinition } from '../definition/property-definition.ts'
import type { PropertyType, ValueType } from '../types/property-type.ts'
import type { PolymorphicKey } from './draft.ts'

/** How a type is written in a definition. */
function writtenType(type: ValueType): unknown {
  if (type.kind === 'array') return type.items === undefined ? 'array' : [writtenType(type.items)]
  if (type.kind === 'model') return type.model
  return type.kind === 'nested' ? 'object' : type.kind
}

/** The desired property for a key. */
export interface Key {
  /** As it is written in a definition. */
  readonly type: unknown
  /** The property that it refers to; absent if that varies. */
  readonly refersTo?: PropertyDefinition['refersTo']
  /** A declared property takes this type where `retypesKeys` holds. */
  readonly retypes?: boolean
}

/** A key that contains values of one property. */
export function keyFor(model: ModelType, property: string): Key {
  return { type: typeOfKey(model, property), refersTo: { model: model.name, property } }
}

/**
 * The key of a relation whose target has it, or which has it itself. LB3: it takes the type of what it refers to,
 * regardless of the declared one; lib/datasource.js, defineForeignKey
 */
export function ownKeyFor(model: ModelType, property: string): Key {
  return { ...keyFor(model, property), retypes: model.byName.has(property) }
}

/** The written type of a property; number if the model has no such property. */
export function typeOfKey(model: ModelType, property: string): unknown {
  const found = model.byName.get(property)
  return found === undefined ? 'number' : writtenType(found.type)
}

function isIndexed({ id, index, unique }: PropertyType): boolean {
  return id || index || unique
}

/**
 * A key that several models refer to, some by numbers and some by texts, holds texts: they are what all of them can be found by.
 * LB3: the last of them decides; lib/datasource.js, defineForeignKey
 */
function widenKey(model: ModelType, { name, type, definition }: PropertyType, key: Key): void {
  if (type.kind !== 'number' || key.type !== 'string') return
  if (key.refersTo === undefined || definition.refersTo === undefined) return
  model.registry.defineProperty(model, name, { ...definition, type: 'string' })
}

/** Ensures that a model has a property for a key, with an index: related records are looked up by it. */
export function defineKey(model: ModelType, name: string, key: Key): void {
  const { type, refersTo, retypes = false } = key
  const existing = model.byName.get(name)
  const { nullsUnusableKeys, retypesKeys } = model.registry.rules
  const isKey =
    existing !== undefined && isIndexed(existing) && (existing.id || isDefined(existing, nullsUnusableKeys, refersTo))
  if (isKey) return widenKey(model, existing, key)
  const isRetyped = existing === undefined || (retypesKeys && retypes && !existing.id)
  const definition = { ...existing?.definition, ...(isRetyped && { type }) }
  const index = existing?.definition.index ?? true
  const more = { index, nullWhenUnusable: nullsUnusableKeys, ...(refersTo && { refersTo }) }
  model.registry.defineProperty(model, name, { ...definition, ...more })
}

/**
 * Ensures that a model has the two properties of a polymorphic key. LB3: if it refers to several models, the last one
 * determines the type; lib/datasource.js, defineForeignKey.
 */
export function definePolymorphicKey(model: ModelType, { foreignKey, discriminator, idType }: PolymorphicKey): void {
  const { registry, byName } = model
  defineKey(model, discriminator, { type: 'string' })
  const existing = byName.get(foreignKey)?.definition
  if (registry.rules.lastModelTypesKey && existing?.nullWhenUnusable === true && existing.type !== idType)
    registry.defineProperty(model, foreignKey, { ...existing, type: idType })
  defineKey(model, foreignKey, { type: idType })
}

/** A key that was made one before. Of several that it could refer to the first one counts. */
function isDefined({ definition }: PropertyType, nulls: boolean, refersTo: Key['refersTo']): boolean {
  const { nullWhenUnusable, refersTo: referenced } = definition
  return nullWhenUnusable === nulls && (refersTo === undefined || referenced !== undefined)
}
