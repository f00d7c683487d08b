/** The normalized form of a key for comparisons: 1 and "1" are equal; undefined for no key. */
export function keyText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return value instanceof Date ? value.toISOString() : String(value)
}

/** True if two keys are equal. */
export function isSameKey(first: unknown, second: unknown): boolean {
  const text = keyText(first)
  return text !== undefined && text === keyText(second)
}

/** The key of a record, or the value itself if it is a key. */
export function keyOf(target: unknown, property: string): unknown {
  if (typeof target !== 'object' || target === null || !Object.hasOwn(target, property)) return target
  // The line above checks that the object has it.
  return (target as Record<string, unknown>)[property]
}
