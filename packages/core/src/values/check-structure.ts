import { LimitExceeded, MalformedText, NameRefused } from '../errors.ts'

/** Maximum nesting of objects and lists in external data. LoopBack's `maxDepthOfData`. */
export const defaultDataDepth = 32

/** Names that belong to JavaScript's object model: `__proto__`, `constructor`, `prototype`, `toString`, … */
export const reservedNames: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype'
])

/** What to check. */
export interface StructureOptions {
  /** Maximum nesting of objects and lists. */
  readonly depth?: number
  /** False: names are not checked. */
  readonly names?: boolean
}

/**
 * Checks every key, string and level of `value`, which is data without instances and cycles.
 * @throws {MalformedText} a key or text has half of a surrogate pair: JSON can write such texts, databases do not hold
 * them
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} there are more than 32 levels of objects and lists, or than the options allow
 */
export function checkStructure(
  value: unknown,
  { depth = defaultDataDepth, names = true }: StructureOptions = {}
): void {
  checkValue(value, depth, names)
}

function checkValue(value: unknown, depth: number, names: boolean): void {
  if (typeof value === 'string') checkText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth === 0) throw new LimitExceeded('the data is nested too deeply')
  if (Array.isArray(value)) for (const item of value) checkMember(item, depth, names)
  // Uses for-in, which is faster than a list of keys: data inherits nothing enumerable.
  else for (const key in value) checkEntry(value, key, depth, names)
}

function checkMember(member: unknown, depth: number, names: boolean): void {
  if (typeof member === 'string') checkText(member)
  else if (typeof member === 'object') checkValue(member, depth - 1, names)
}

function checkEntry(holder: object, key: string, depth: number, names: boolean): void {
  if (names && reservedNames.has(key)) throw new NameRefused(`${JSON.stringify(key)} is not allowed as a name`)
  checkText(key)
  // `key` came from the object.
  checkMember((holder as Readonly<Record<string, unknown>>)[key], depth, names)
}

function checkText(text: string): void {
  if (!text.isWellFormed()) throw new MalformedText('a string is not well-formed Unicode: it contains a lone surrogate')
}

/**
 * Parses a JSON object or list; undefined for any other text.
 * @throws {MalformedText} a text in it is not well-formed Unicode
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} it is nested too deeply
 */
export function parseStructure(text: string): object | undefined {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return undefined
  const structure = parse(text)
  checkStructure(structure)
  return structure
}

function parse(text: string): object | undefined {
  try {
    // JSON that starts so is an object or a list.
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
