/**
 * What `compile` makes of a filter or a condition, kept as long as that is: the same object is passed in again for the
 * same query string, so that connectors compile it once.
 */
export function keepCompiled<Key extends object, Result>(compile: (key: Key) => Result): (key: Key) => Result {
  const kept = new WeakMap<Key, Result>()
  return (key) => {
    const cached = kept.get(key)
    if (cached !== undefined) return cached
    const result = compile(key)
    kept.set(key, result)
    return result
  }
}
