import type { ModelType, PropertyType, ValueType } from '@modelwire/core'

/** How a type is written in a definition. */
function writtenType(type: ValueType): unknown {
  if (type.kind === 'array') return type.items === undefined ? 'array' : [writtenType(type.items)]
  if (type.kind === 'model') return type.model
  return type.kind === 'nested' ? 'object' : type.kind
}

/** The type of a property as it is written; numbers where the model has no such property. */
export function typeOfKey(model: ModelType, property: string): unknown {
  const found = model.byName.get(property)
  return found === undefined ? 'number' : writtenType(found.type)
}

function isIndexed({ id, index, unique }: PropertyType): boolean {
  return id || index || unique
}

/** Makes sure that a model has a property for a key, with an index: related records are looked up by it. */
export function defineKey(model: ModelType, name: string, type: unknown): void {
  const known = model.byName.get(name)
  const { compat } = model.registry
  const isKey = known !== undefined && isIndexed(known) && (known.id || known.definition.nullWhenUnusable === compat)
  if (isKey) return
  const definition = known === undefined ? { type } : known.definition
  const index = known?.definition.index ?? true
  model.registry.defineProperty(model.name, name, { ...definition, index, nullWhenUnusable: compat })
}
