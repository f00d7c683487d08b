import type { SqlDialect } from '../dialect.ts'

/** What decides about texts. */
export type TextLimits = Pick<SqlDialect, 'holdsNul'>

/**
 * True for a text that the database holds unchanged: it is well-formed Unicode, since drivers write half of a surrogate pair
 * as another character, and it has no U+0000 where the database has none.
 */
export function isStorableText({ holdsNul }: TextLimits, text: string): boolean {
  return text.isWellFormed() && (holdsNul || !text.includes('\0'))
}

/** True where every text in `value`, and every name in its objects, can be stored. */
export function isStorable(limits: TextLimits, value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(limits, value)
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value)) return true
  if (Array.isArray(value)) return value.every((item) => isStorable(limits, item))
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return isStorable(limits, JSON.parse(JSON.stringify(value) ?? 'null'))
  return Object.entries(value).every(([name, item]) => isStorableText(limits, name) && isStorable(limits, item))
}
