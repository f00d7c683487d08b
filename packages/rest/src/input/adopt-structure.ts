import { checkStructure, defaultDataDepth } from './check-structure.ts'

/**
 * `value`, which brackets or JSON text made, as ordinary objects and lists, so that code may call
 * `value.hasOwnProperty`. Checks names and depth unless `refuseNames` is false.
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} more than 32 levels
 */
export function adoptStructure(value: object, refuseNames = true): object {
  if (refuseNames) checkStructure(value, defaultDataDepth)
  return withPrototypes(value)
}

/** Objects without a prototype come from brackets, where depth is bounded and `__proto__` is left out. */
function withPrototypes<T>(value: T): T
function withPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withPrototypes)
  if (Object.getPrototypeOf(value) !== null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPrototypes(member)]))
}
