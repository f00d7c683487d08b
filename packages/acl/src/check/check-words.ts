import type { AccessRule } from '@modelwire/core'
import { AccessRuleSchema, closestName, shortName } from '@modelwire/core/plugin'
import { permissions } from '../rules/rule.ts'
import { principalTypes } from '../rules/weigh-rule.ts'
import { ignored, type RuleProblem } from './rule-problem.ts'

/** What the rules of a model may name. */
export interface RuleNames {
  /** The names of the model's methods, without `prototype.`; aliases lead to the name that rules use. */
  readonly methods: ReadonlyMap<string, string>
  /** True for methods that the model does not know of yet. */
  readonly isMethod?: ((name: string) => boolean) | undefined
  /** The roles that functions and options define. */
  readonly roles: readonly string[]
  /** True for the name of a model of users. */
  readonly isUserModel: (name: string) => boolean
}

const accessTypes = ['READ', 'WRITE', 'EXECUTE', 'REPLICATE', '*']
const keys = [...Object.keys(AccessRuleSchema.properties), 'description']

const orList = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`

function useInstead(written: string, words: readonly string[]): string {
  const suggestion = closestName(written, words)
  return suggestion === undefined ? `use ${orList(words)}` : `use ${suggestion}`
}

function checkKeys(rule: AccessRule): readonly RuleProblem[] {
  return Object.keys(rule).flatMap((key) =>
    keys.includes(key) ? [] : ignored(key, `unknown key "${key}"`, useInstead(key, keys))
  )
}

function checkWord(value: unknown, key: string, words: readonly string[]): readonly RuleProblem[] {
  if (value === undefined || words.includes(String(value))) return []
  return [ignored(key, `unknown ${key} "${String(value)}"`, useInstead(String(value), words))]
}

function checkRole(role: string, { roles }: RuleNames): readonly RuleProblem[] {
  if (roles.includes(role)) return []
  if (role.startsWith('$')) return [ignored('principalId', `unknown role "${role}"`, useInstead(role, roles))]
  const advice = 'register a resolver for it, store a record of the model Role, or name it in the option roles of acl'
  return [{ key: 'principalId', reason: `nothing defines the role "${role}"`, advice, kind: 'unstored' }]
}

function checkPrincipal({ principalType, principalId }: AccessRule, names: RuleNames): readonly RuleProblem[] {
  if (principalType === undefined)
    return [ignored('principalType', 'the rule names no principal', `add principalType: ${orList(principalTypes)}`)]
  if (principalId === undefined || principalId === '')
    return [ignored('principalId', 'the rule names no principal', 'add principalId')]
  if (principalType === 'ROLE') return checkRole(String(principalId), names)
  return names.isUserModel(principalType) ? [] : checkWord(principalType, 'principalType', principalTypes)
}

function checkMethod(written: string, key: string, { methods, isMethod }: RuleNames): readonly RuleProblem[] {
  const named = methods.get(written)
  if (written === '*' || named === written || isMethod?.(written) === true) return []
  if (named !== undefined) return [ignored(key, `rules know the method ${written} by another name`, `use ${named}`)]
  const short = shortName(written)
  const suggestion = methods.has(short) ? short : closestName(short, [...methods.keys()])
  const advice =
    suggestion === undefined ? 'correct the name: `modelwire routes` lists the methods' : `use ${suggestion}`
  return [ignored(key, `no method is named "${written}"`, advice)]
}

function checkMethods({ property }: AccessRule, names: RuleNames): readonly RuleProblem[] {
  if (property === undefined || property === '') return []
  if (!Array.isArray(property)) return checkMethod(property, 'property', names)
  if (property.length === 0)
    return [ignored('property', 'the list names no method', 'name methods, or leave property out')]
  return property.flatMap((name, index) => {
    const key = `property.${index}`
    return name === '*'
      ? [ignored(key, 'a list of methods cannot hold "*"', 'use property: "*"')]
      : checkMethod(name, key, names)
  })
}

/** What is wrong with the words of a rule: those that LoopBack's rules have as well. */
export function checkWords(rule: AccessRule, names: RuleNames): readonly RuleProblem[] {
  return [
    ...checkKeys(rule),
    ...checkWord(rule.permission, 'permission', permissions),
    ...checkWord(rule.accessType, 'accessType', accessTypes),
    ...checkPrincipal(rule, names),
    ...checkMethods(rule, names)
  ]
}
