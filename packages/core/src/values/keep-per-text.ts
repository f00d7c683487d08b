/** Gives what was kept for an object and a text; makes it where nothing was. */
export type KeptPerText<Value> = (key: object, text: string, make: () => Value) => Value

/** Keeps a value per object and text, as long as the object is there. */
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
