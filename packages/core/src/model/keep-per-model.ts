import type { ModelType } from './model-type.ts'

/** Gives what was kept for an object and a model; makes it where nothing was. */
export type KeptPerModel<Value> = (key: object, model: ModelType, make: () => Value) => Value

/** Keeps a value per object and model, as long as these are there. */
export function keepPerModel<Value>(): KeptPerModel<Value> {
  const known = new WeakMap<object, WeakMap<ModelType, { readonly value: Value }>>()
  return (key, model, make) => {
    const kept = known.get(key)?.get(model)
    if (kept !== undefined) return kept.value
    const value = make()
    const perModel = known.get(key) ?? new WeakMap<ModelType, { readonly value: Value }>()
    known.set(key, perModel.set(model, { value }))
    return value
  }
}
