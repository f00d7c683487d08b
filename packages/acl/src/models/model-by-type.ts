import type { ModelRegistry, ModelType } from '@modelwire/core'

/** True for the model of this name and those that extend it. */
export function isOfModel(model: ModelType, name: string): boolean {
  for (let type: ModelType | undefined = model; type !== undefined; type = type.base)
    if (type.name === name) return true
  return false
}

/**
 * The model that takes the place of a built-in one: the first that extends it and has a data source, else itself.
 * @see LoopBack 3: loopback, lib/registry.js, getModelByType
 */
export function modelByType(registry: ModelRegistry, name: string): ModelType | undefined {
  const types = registry.names().map((one) => registry.typeOf(one))
  const extending = types.find((type) => type.name !== name && type.dataSource !== undefined && isOfModel(type, name))
  return extending ?? registry.find(name)
}

/** Finds the model that takes the place of the built-in one of this name. */
export type FindBuiltIn = (name: string) => ModelType | undefined

/** Makes the function that does so; what it finds it remembers once no more models can come. */
export function makeFindBuiltIn(registry: ModelRegistry): FindBuiltIn {
  const known = new Map<string, ModelType | undefined>()
  return (name) => {
    if (known.has(name)) return known.get(name)
    const model = modelByType(registry, name)
    if (registry.sealed) known.set(name, model)
    return model
  }
}
