/** Returns the value cached for an object and a string, creating it if necessary. */
export type KeptPerText<Value> = (key: object, text: string, make: () => Value) => Value

/** A map that keeps the most recently used entries. */
export interface BoundedCache<Key, Value> {
  get: (key: Key) => Value | undefined
  set: (key: Key, value: Value) => void
  readonly size: number
}

/** A cache of at most `limit` entries; a new one replaces the least recently used. */
export function createBoundedCache<Key, Value extends object>(limit: number): BoundedCache<Key, Value> {
  const entries = new Map<Key, Value>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      // A Map lists keys as they were added: adding again makes this one the youngest.
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > limit) entries.delete(entries.keys().next().value as Key) // the map is not empty
    },
    get size() {
      return entries.size
    }
  }
}

/** Makes a cache of values per object and string, which lives as long as the object. */
export function keepPerText<Value extends object | string | boolean>(): KeptPerText<Value> {
  const cache = new WeakMap<object, Map<string, Value>>()
  return (key, text, make) => {
    const kept = cache.get(key)?.get(text)
    if (kept !== undefined) return kept
    const value = make()
    // What makes a value may have kept another one.
    const perText = cache.get(key) ?? new Map<string, Value>()
    cache.set(key, perText.set(text, value))
    return value
  }
}
