import { checkStructure, defaultDataDepth } from '@modelwire/core/plugin'

/**
 * `value`, which came out of JSON text, once its texts and depth are checked, and its names unless `refuseNames` is false.
 * @throws {MalformedText} a key or text is not well-formed Unicode
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} more than 32 levels
 */
export function adoptParsed<T extends object>(value: T, refuseNames = true): T {
  checkStructure(value, { names: refuseNames })
  return value
}

/**
 * `value`, which brackets made, as ordinary objects and lists, so that code may call `value.hasOwnProperty`. Brackets
 * bound the depth themselves, and never make a key `__proto__`.
 * @throws {NameRefused} unless `refuseNames` is false: a key belongs to JavaScript's object model
 */
export function adoptBrackets(value: object, refuseNames = true): object {
  if (refuseNames) checkStructure(value, { depth: defaultDataDepth + 1 })
  return withPrototypes(value)
}

function withPrototypes<T>(value: T): T
function withPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => withPrototypes(item))
  if (Object.getPrototypeOf(value) !== null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPrototypes(member)]))
}
