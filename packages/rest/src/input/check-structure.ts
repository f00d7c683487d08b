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
  if (Array.isArray(value)) for (const item of value) checkStructure(item, depth - 1)
  else for (const [key, member] of Object.entries(value)) checkMember(key, member, depth)
}

function checkMember(key: string, value: unknown, depth: number): void {
  if (isReservedName(key)) throw new NameRefused(`${JSON.stringify(key)} is not allowed as a name`)
  checkStructure(value, depth - 1)
}
