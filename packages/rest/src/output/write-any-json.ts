/**
 * `value` as JSON whatever it is: a part that contains itself is written as `[Circular]`, a big integer as text.
 * `indent` is the number of blanks per level, none when absent.
 */
export function writeAnyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null'
  } catch {
    return JSON.stringify(withoutCycles(value, []), undefined, indent)
  }
}

/** `value` as a person reads it: a text as it is, an object as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? writeAnyJson(value) : String(value)
}

function withoutCycles(value: unknown, parents: readonly object[]): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (parents.includes(value)) return '[Circular]'
  const path = [...parents, value]
  if (Array.isArray(value)) return value.map((item) => withoutCycles(item, path))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutCycles(member, path)]))
}
