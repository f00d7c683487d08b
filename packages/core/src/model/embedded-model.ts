import type { ValueType, PropertyType } from '../types/property-type.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject, setOwn } from '@modelwire/server'

function modelWithin(type: ValueType | undefined): string | undefined {
  if (type?.kind === 'array') return modelWithin(type.items)
  return type?.kind === 'model' ? type.model : undefined
}

/** The properties that contain records of models, or lists of them, with the names of these models. */
export function embeddedNames(properties: readonly PropertyType[]): ReadonlyMap<string, string> {
  return new Map(
    properties.flatMap(({ name, type }) => {
      const within = modelWithin(type)
      return within === undefined ? [] : [[name, within]]
    })
  )
}

/** The model whose records, or lists of them, a property contains. */
export function embeddedModel({ embedded, registry }: ModelType, property: string): ModelType | undefined {
  const name = embedded.get(property)
  // Models may be defined after those that embed them.
  return name === undefined ? undefined : registry.find(name)
}

function hideEmbedded(model: ModelType, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => hideEmbedded(model, item))
  if (!isPlainObject(value)) return value
  const shown: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (!model.hidden.has(key) && !model.protected.has(key)) setOwn(shown, key, hideWithin(model, key, inner))
  }
  return shown
}

/**
 * The value of a property, without the hidden and protected properties of embedded records: an embedded record shows
 * neither.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model.js, toObject
 */
export function hideWithin(model: ModelType, key: string, value: unknown): unknown {
  const within = embeddedModel(model, key)
  return within === undefined ? value : hideEmbedded(within, value)
}
