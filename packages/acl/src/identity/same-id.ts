import { isPlainObject } from '@modelwire/core/plugin'

/**
 * Ids are the same when they read the same: databases give numbers, rules and mappings hold texts. Structures are not
 * ids.
 */
export function sameId(a: unknown, b: unknown): boolean {
  if (!isId(a) || !isId(b)) return false
  return String(a) === String(b)
}

/** Whether a value can be an id. An object may be one of a database's own, which has a text of its own; plain objects and lists have none. */
export function isId(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !Array.isArray(value) && !isPlainObject(value)
}
