import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'

/** A model and those that it extends, itself first. */
export function lineageOf(model: ModelType): readonly ModelType[] {
  const lineage: ModelType[] = []
  for (let type: ModelType | undefined = model; type !== undefined; type = type.base) lineage.push(type)
  return lineage
}

/** True for the model of this name and those that extend it. */
export function isOfModel(model: ModelType, name: string): boolean {
  for (let type: ModelType | undefined = model; type !== undefined; type = type.base)
    if (type.name === name) return true
  return false
}

/** All models of an application that extend a model, itself left out. */
export function modelsExtending({ registry, name }: ModelType): readonly ModelType[] {
  return registry
    .names()
    .map((one) => registry.typeOf(one))
    .filter((model) => model.name !== name && isOfModel(model, name))
}

/**
 * The model that replaces a built-in one: the first that extends it and has a data source, else itself. It is looked
 * for among all models until no more can come, then once.
 * @see LoopBack 3: loopback, lib/registry.js, getModelByType
 */
export function modelByType(registry: Registry, name: string): ModelType | undefined {
  const { builtIns, sealed } = registry
  if (builtIns.has(name)) return builtIns.get(name)
  const types = registry.names().map((one) => registry.typeOf(one))
  const extending = types.find((type) => type.name !== name && type.dataSource !== undefined && isOfModel(type, name))
  const found = extending ?? registry.find(name)
  if (sealed) builtIns.set(name, found)
  return found
}

/** Finds the model that replaces the built-in one of this name. */
export type FindBuiltIn = (name: string) => ModelType | undefined

/** Makes the function that does so. */
export function makeFindBuiltIn(registry: Registry): FindBuiltIn {
  return (name) => modelByType(registry, name)
}
