/** A short word for what a value is, for error messages. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return value.length > 40 ? 'a text' : JSON.stringify(value)
  return typeof value === 'object' ? 'an object' : String(value)
}
