import type { ModelType } from '../contract/model-type.ts'

/** Gives what was kept for an object and a model; makes it where nothing was. */
export type KeptPerModel<Value> = (key: object, model: ModelType, make: () => Value) => Value

/** Stands for a kept undefined. */
const absent: unique symbol = Symbol('absent')

/** Keeps a value per object and model, as long as these are there. */
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
