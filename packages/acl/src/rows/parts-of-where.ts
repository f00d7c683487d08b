import { isPlainObject, logicalKeys } from '@modelwire/core/plugin'
import type { Where } from './rows-question.ts'

/** The keys of a condition, at every depth; what joins others is none, unless it holds no list. */
export function keysIn(where: Where): readonly string[] {
  return Object.entries(where).flatMap(([key, value]) => {
    if (!logicalKeys.has(key) || !Array.isArray(value)) return [key]
    return value.flatMap((part: unknown) => (isPlainObject(part) ? keysIn(part) : []))
  })
}

/** The property that a key starts at. */
export const propertyOf = (key: string): string => key.split('.')[0] ?? key

/** The conditions all of which have to hold. */
export function clausesOf(where: Where): readonly Where[] {
  return Object.entries(where).flatMap(([key, value]) =>
    key === 'and' && Array.isArray(value)
      ? value.flatMap((part: unknown) => (isPlainObject(part) ? clausesOf(part) : []))
      : [{ [key]: value }]
  )
}
