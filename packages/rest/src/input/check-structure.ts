import { LimitExceeded, NameRefused } from '@modelwire/core'
import { isReservedName } from './reserved-names.ts'

/** Levels of objects and lists that data from outside may have. LoopBack's `maxDepthOfData`. */
export const defaultDataDepth = 32

/**
 * Looks at every key and level of `value`, which is data without instances and cycles.
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} there are more than `depth` levels of objects and lists
 */
export function checkStructure(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === 0) throw new LimitExceeded('The data is nested too deeply')
  if (Array.isArray(value)) checkItems(value, depth - 1)
  else checkMembers(value as Readonly<Record<string, unknown>>, depth - 1) // data has no other objects
}

function checkItems(items: readonly unknown[], depth: number): void {
  for (const item of items) if (typeof item === 'object') checkStructure(item, depth)
}

/** Uses for-in, which is faster than a list of keys: data inherits nothing enumerable. */
function checkMembers(members: Readonly<Record<string, unknown>>, depth: number): void {
  for (const key in members) {
    if (isReservedName(key)) throw new NameRefused(`${JSON.stringify(key)} is not allowed as a name`)
    const member = members[key]
    if (typeof member === 'object') checkStructure(member, depth)
  }
}
