/** What stands for a key when keys are compared: 1 and "1" are the same; undefined for no key. */
export function keyText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return value instanceof Date ? value.toISOString() : String(value)
}

/** True where two keys are the same. */
export function isSameKey(first: unknown, second: unknown): boolean {
  const text = keyText(first)
  return text !== undefined && text === keyText(second)
}

/** The key of whatever names a record: the record's own, or the value itself. */
export function keyOf(target: unknown, property: string): unknown {
  if (typeof target !== 'object' || target === null || !Object.hasOwn(target, property)) return target
  // The line above checks that the object has it.
  return (target as Record<string, unknown>)[property]
}
