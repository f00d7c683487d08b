/** A map that keeps the entries used last. */
export interface BoundedCache<Key, Value> {
  get: (key: Key) => Value | undefined
  set: (key: Key, value: Value) => void
  readonly size: number
}

/** A cache of at most `limit` entries; a new one drives out the one that was used longest ago. */
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
