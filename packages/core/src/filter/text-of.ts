const deepest = 20

/**
 * The text that `like` looks at: what JavaScript's `String` gives, but it never calls code that hides in data, such as
 * an own property named `toString`.
 * @see recording filter/patterns, where `like: "null"` finds null
 */
export function textOf(value: unknown): string {
  return textAt(value, 0)
}

function textAt(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (value instanceof Date) return Date.prototype.toString.call(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (Array.isArray(value)) return textOfList(value, depth)
  if (typeof value === 'object' && value !== null) return '[object Object]'
  return String(value)
}

function textOfList(list: readonly unknown[], depth: number): string {
  if (depth > deepest) return ''
  return list.map((item) => (item === null || item === undefined ? '' : textAt(item, depth + 1))).join(',')
}
