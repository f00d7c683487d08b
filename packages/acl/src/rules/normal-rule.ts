import type { AccessRule } from '@modelwire/core'
import type { Call, Rule, WeighedRule } from './rule.ts'
import { weighRule } from './weigh-rule.ts'
import type { ModelType } from '@modelwire/core/connector'

const aclsOf = (member: unknown): unknown => Reflect.get(Object(member), 'acls')

/** A part of a rule that has no valid meaning. */
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
 * A rule of a file or a script as LoopBack reads it: null counts as absent, other values become strings. Anything that is
 * not a rule becomes an empty one.
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
    return isObject(property) ? [{ key: 'property', reason: 'property must be a method name or a list of them' }] : []
  return property.flatMap((name, index) =>
    typeof name === 'object' && name !== null
      ? [{ key: `property.${index}`, reason: 'a list of methods must contain method names' }]
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
  return [
    ...words.map((key) => ({ key, reason: `${key} must be a single word` })),
    ...malformedMethods(written['property'])
  ]
}

/**
 * The rules that match a call, the most specific first: the first that also matches the caller decides. Rules without a
 * principal match no one.
 */
export function orderRules(rules: readonly Rule[], call: Call): readonly WeighedRule[] {
  const weighed = rules.flatMap((rule): WeighedRule[] => {
    const weight = rule.principalType === undefined ? undefined : weighRule(rule, call)
    return weight === undefined ? [] : [{ rule, weight }]
  })
  return weighed.toSorted((a, b) => b.weight - a.weight)
}

/** Merges two ordered lists. */
export function mergeRules(a: readonly WeighedRule[], b: readonly WeighedRule[]): readonly WeighedRule[] {
  if (b.length === 0) return a
  return [...a, ...b].toSorted((first, second) => second.weight - first.weight)
}

/**
 * The rules in `acls` of one of a model's properties or functions: they only apply to the method of that name.
 * @param method without `prototype.`
 * @see LoopBack 3: loopback, common/models/acl.js, getStaticACLs
 */
export function memberRules({ definition, modelClass }: ModelType, method: string): readonly unknown[] {
  const { [method]: property } = Object.hasOwn(definition.properties, method) ? definition.properties : {}
  const ofClass: unknown = Reflect.get(modelClass, method)
  const member = property ?? (ofClass || Reflect.get(modelClass.prototype, method))
  const acls = aclsOf(member)
  return Array.isArray(acls) ? acls : []
}
