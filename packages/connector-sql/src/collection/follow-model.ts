import type { Collection, ModelType } from '@modelwire/core/connector'

/**
 * A collection that is made anew when its model has got other properties: relations declare keys after a model has been
 * attached, and scripts declare more.
 */
export function followModel(model: ModelType, make: () => Collection): Collection {
  let { properties } = model
  let made = make()
  const current = (): Collection => {
    if (properties !== model.properties) {
      made = make()
      properties = model.properties
    }
    return made
  }
  const forward = (name: keyof Collection): unknown => {
    return (...args: readonly unknown[]) => {
      // The caller gives what the method takes.
      const method = current()[name] as (...args: readonly unknown[]) => unknown
      return method(...args)
    }
  }
  // The keys of a collection are the names of its methods.
  const names = Object.keys(made) as (keyof Collection)[]
  const forwarding: unknown = Object.fromEntries(names.map((name) => [name, forward(name)]))
  // It has every method of a collection.
  return forwarding as Collection
}
