import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ModelDefinition } from '../definition/model-definition.ts'

/** Returns the value cached for an object and a model, creating it if necessary. */
export type KeptPerModel<Value> = (key: object, model: ModelType, make: () => Value) => Value

/** Stands for a kept undefined. */
const absent: unique symbol = Symbol('absent')

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

/** All models of an application that extend a model, except itself. */
export function modelsExtending({ registry, name }: ModelType): readonly ModelType[] {
  return registry
    .names()
    .map((one) => registry.typeOf(one))
    .filter((model) => model.name !== name && isOfModel(model, name))
}

/**
 * The model that replaces a built-in one: the first that extends it and has a data source, else itself. All models are
 * searched until no more can be added, then the result is cached.
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

/**
 * Definitions in an order in which bases come before the models that extend them. Models with an unknown base, or that
 * extend each other in a circle, come last, where defining them throws the reason.
 */
export function orderDefinitions(definitions: readonly ModelDefinition[], registry?: Registry): ModelDefinition[] {
  const ordered: ModelDefinition[] = []
  const waiting = new Set(definitions)
  const names = new Set(definitions.map((definition) => definition.name))
  const isReady = ({ base }: ModelDefinition) =>
    typeof base !== 'string' ||
    !names.has(base) ||
    registry?.find(base) !== undefined ||
    ordered.some((done) => done.name === base)
  for (let grown = true; grown;) {
    const ready = [...waiting].filter(isReady)
    for (const definition of ready) {
      ordered.push(definition)
      waiting.delete(definition)
    }
    grown = ready.length > 0
  }
  return [...ordered, ...waiting]
}

/** True for a model whose records control access, such as tokens and roles, and for those that extend one. */
export function isAccessModel(model: ModelType): boolean {
  const { accessModels } = model.registry
  return lineageOf(model).some(({ name }) => accessModels.has(name))
}

/** Makes a cache of values per object and model, which lives as long as they do. */
export function keepPerModel<Value>(): KeptPerModel<Value> {
  // Models first: there are few of them, and many objects.
  const cache = new WeakMap<ModelType, WeakMap<object, Value | typeof absent>>()
  return (key, model, make) => {
    const kept = cache.get(model)?.get(key)
    if (kept !== undefined) return kept === absent ? (undefined as Value) : kept // it was kept for an undefined value
    const value = make()
    const perKey = cache.get(model) ?? new WeakMap<object, Value | typeof absent>()
    cache.set(model, perKey.set(key, value === undefined ? absent : value))
    return value
  }
}
