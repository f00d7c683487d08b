import type { AccessRule } from '@modelwire/core'

/** Something in a rule that has no meaning at all. */
export interface MalformedPart {
  /** Undefined: the rule as a whole. */
  readonly key: string | undefined
  readonly reason: string
}

/** Keys whose values are words. */
const wordKeys = ['principalType', 'principalId', 'accessType', 'permission'] as const

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

/** Scripts may push records of the model ACL as well as plain objects. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** LB3: values become text as those of the model ACL do; a list of one element is that element. Undefined: there is none. */
function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length > 1 ? undefined : textOf(value[0] ?? '')
  return isAbsent(value) || typeof value === 'object' ? undefined : String(value)
}

/** LB3: what is false leaves the method out, and so means every one; a list holds names, and nothing else in it counts. */
function methodsIn(property: unknown): string | string[] | undefined {
  if (Array.isArray(property)) return property.filter((name) => typeof name === 'string')
  return property ? textOf(property) : undefined
}

/**
 * A rule of a file or a script as LoopBack understands it: null is absent, and other values are text. What is not a
 * rule becomes an empty one.
 * @see LoopBack 3: loopback, common/models/acl.js, getStaticACLs
 */
export function normalRule(written: unknown): AccessRule {
  if (!isObject(written)) return {}
  const { property, accessType, ...others } = written
  const words = wordKeys.map(
    (key) => [key, key === 'accessType' && !accessType ? undefined : textOf(written[key])] as const
  )
  const rule: Record<string, unknown> = { ...others, property: methodsIn(property) }
  for (const [key, word] of words) rule[key] = word
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined))
}

function malformedMethods(property: unknown): MalformedPart[] {
  if (!Array.isArray(property))
    return isObject(property) ? [{ key: 'property', reason: 'an object names no method' }] : []
  return property.flatMap((name, index) =>
    typeof name === 'object' && name !== null
      ? [{ key: `property.${index}`, reason: 'a list of methods holds their names' }]
      : []
  )
}

/** The malformed parts of a rule: LoopBack fails on them, or never applies them. */
export function malformedParts(written: unknown): readonly MalformedPart[] {
  if (!isObject(written)) {
    // LB3: a text matches no caller; on null every call fails, and a list may hold rules that would never be applied.
    const isHarmless = !isAbsent(written) && (!Array.isArray(written) || written.length === 0)
    return isHarmless ? [] : [{ key: undefined, reason: 'a rule must be an object' }]
  }
  const words = wordKeys.filter((key) => !isAbsent(written[key]) && textOf(written[key]) === undefined)
  return [...words.map((key) => ({ key, reason: `${key} must be one word` })), ...malformedMethods(written['property'])]
}
