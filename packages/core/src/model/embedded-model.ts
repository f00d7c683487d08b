import type { ValueType } from '../types/value-type.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { PropertyType } from '../types/property-type.ts'

function modelWithin(type: ValueType | undefined): string | undefined {
  if (type?.kind === 'array') return modelWithin(type.items)
  return type?.kind === 'model' ? type.model : undefined
}

/** The properties in which records of models, or lists of them, lie, with the names of these models. */
export function embeddedNames(properties: readonly PropertyType[]): ReadonlyMap<string, string> {
  return new Map(
    properties.flatMap(({ name, type }) => {
      const within = modelWithin(type)
      return within === undefined ? [] : [[name, within]]
    })
  )
}

/** The model whose records, or lists of them, lie in a property. */
export function embeddedModel({ embedded, registry }: ModelType, property: string): ModelType | undefined {
  const name = embedded.get(property)
  // Models may be defined after those that embed them.
  return name === undefined ? undefined : registry.find(name)
}
