import type { AccessRule, ModelRegistry } from '@modelwire/core'
import { findModel, methodNames, modelsExtending, AccessRuleSchema, closestName } from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import { fillDefaults } from '@modelwire/server'
import { AclOptionsSchema } from '../options.ts'
import { makeOwnerships } from '../roles/is-owner.ts'
import { builtInRoles } from '../roles/role-table.ts'
import { isUserModel } from '../roles/role-context.ts'
import { checkRights, type RightsContext } from './check-rights.ts'
import { malformedParts, normalRule, memberRules } from '../rules/normal-rule.ts'
import { refused, type RuleProblem, unasked, ignored } from './rule-problem.ts'
import { permissions } from '../rules/rule.ts'
import { principalTypes } from '../rules/weigh-rule.ts'

/** The names that the rules of a model may use. */
interface RuleNames {
  /** The names of the model's methods, without `prototype.`; aliases map to the name that rules use. */
  readonly methods: ReadonlyMap<string, string>
  /** True for methods that the model does not declare yet. */
  readonly isMethod?: ((name: string) => boolean) | undefined
  /** The roles that functions and options define. */
  readonly roles: readonly string[]
  /** True for the name of a user model. */
  readonly isUserModel: (name: string) => boolean
}

const accessTypes = ['READ', 'WRITE', 'EXECUTE', 'REPLICATE', '*']

const keys = [...Object.keys(AccessRuleSchema.properties), 'description']

const orList = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`

/** A problem with a rule, and its location. */
export interface FoundProblem extends RuleProblem {
  readonly model: ModelType
  /** The rule as interpreted. */
  readonly rule: AccessRule
  /** The rule as written in the model's list. */
  readonly written: unknown
  /** The list that contains the rule: `acls`, or `find.acls` for a rule of one of the model's members. */
  readonly list: string
  /** The index of the rule in its own list, inherited rules not counted. */
  readonly index: number
}

/** The path of a problem: `acls.1.permission`. */
export const pathOf = ({ list, index, key }: Pick<FoundProblem, 'list' | 'index' | 'key'>): string =>
  [list, index, key].filter((part) => part !== undefined).join('.')

/** The context for checking the rules of an application. */
export interface RuleChecking {
  /** The base model of all users; the default of the option when absent. */
  readonly userModel?: string | undefined
  /** The roles that functions and options define, in addition to the built-in ones. */
  readonly roles: readonly string[]
  /** True for methods that the models do not declare yet. */
  readonly isMethod?: (name: string) => boolean
}

function shortNames(models: readonly ModelType[]): ReadonlyMap<string, string> {
  const names = models.flatMap((model) => [...methodNames(model)])
  return new Map(names.map(([name, meaning]) => [shortName(name), shortName(meaning)]))
}

/** True for a model without records of its own that others embed: what clients may do with them is decided by the rules of these. */
function isOnlyEmbedded({ name, dataSource, definition, registry }: ModelType): boolean {
  if (dataSource !== undefined || definition.public === true) return false
  const models = registry.names().map((each) => registry.typeOf(each))
  return models.some(
    ({ embedded, relations }) =>
      [...embedded.values()].includes(name) ||
      [...relations.values()].some(({ embeds, to }) => embeds && to?.name === name)
  )
}

/** Finds what is wrong with the rules that a model states itself. They hold for models that extend it as well. */
function problemsOf(model: ModelType, { roles, isMethod }: RuleChecking, context: RightsContext): FoundProblem[] {
  const lists = writtenRules(model)
  const [first] = lists
  if (first === undefined) return []
  if (isOnlyEmbedded(model)) return [{ ...unasked(model.name), ...first, model, rule: normalRule(first.written) }]
  const models = [model, ...modelsExtending(model)]
  const names: RuleNames = {
    methods: shortNames(models),
    isMethod,
    roles: [...new Set([...builtInRoles, ...roles])],
    isUserModel: (name) => {
      const named = findModel(model.registry, name)
      return named !== undefined && isUserModel(named, context.users)
    }
  }
  return lists.flatMap((place) => {
    const rule = normalRule(place.written)
    const malformed = malformedParts(place.written).map(({ key, reason }) => refused(key, reason, ruleForm))
    const problems =
      malformed.length > 0 ? malformed : [...checkWords(rule, names), ...checkRights(rule, models, context)]
    return problems.map((problem) => ({ ...problem, ...place, model, rule }))
  })
}

const ruleForm = 'write rules as objects of principalType, principalId, permission, accessType and property'

type WrittenRule = Pick<FoundProblem, 'written' | 'list' | 'index'>

/** The rules that a model states itself, those of its members included. */
function writtenRules(model: ModelType): WrittenRule[] {
  const inherited = model.base?.definition.acls ?? []
  const own = (model.definition.acls ?? []).filter((rule, index) => rule !== inherited[index])
  const ofModel = own.map((written, index) => ({ written, list: 'acls', index }))
  const members = new Set(Array.from(methodNames(model).values(), shortName))
  const ofMembers = [...members].flatMap((name) =>
    memberRules(model, name).map((written, index) => ({ written, list: `${name}.acls`, index }))
  )
  return [...ofModel, ...ofMembers]
}

/** The problems of all rules of an application. Call it once all models, relations and methods are declared. */
export function problemsOfRules(registry: ModelRegistry, checking: RuleChecking): readonly FoundProblem[] {
  const { userModel: root = fillDefaults(AclOptionsSchema, {}).userModel } = checking
  const users = { registry, root }
  const context = { users, ownershipOf: makeOwnerships(users) }
  return registry.names().flatMap((name) => problemsOf(registry.typeOf(name), checking, context))
}

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
  return [{ key: 'principalId', reason: `undefined role "${role}"`, advice, kind: 'unstored' }]
}

function checkPrincipal({ principalType, principalId }: AccessRule, names: RuleNames): readonly RuleProblem[] {
  if (principalType === undefined)
    return [ignored('principalType', 'the rule has no principal', `add principalType: ${orList(principalTypes)}`)]
  if (principalId === undefined || principalId === '')
    return [ignored('principalId', 'the rule has no principal', 'add principalId')]
  if (principalType === 'ROLE') return checkRole(String(principalId), names)
  return names.isUserModel(principalType) ? [] : checkWord(principalType, 'principalType', principalTypes)
}

function checkMethod(written: string, key: string, { methods, isMethod }: RuleNames): readonly RuleProblem[] {
  const named = methods.get(written)
  if (written === '*' || named === written || isMethod?.(written) === true) return []
  if (named !== undefined) return [ignored(key, `rules use another name for the method ${written}`, `use ${named}`)]
  const short = shortName(written)
  const suggestion = methods.has(short) ? short : closestName(short, [...methods.keys()])
  const advice =
    suggestion === undefined ? 'correct the name: `modelwire routes` lists the methods' : `use ${suggestion}`
  return [ignored(key, `unknown method "${written}"`, advice)]
}

function checkMethods({ property }: AccessRule, names: RuleNames): readonly RuleProblem[] {
  if (property === undefined || property === '') return []
  if (!Array.isArray(property)) return checkMethod(property, 'property', names)
  if (property.length === 0)
    return [ignored('property', 'the list of methods is empty', 'name methods, or leave property out')]
  return property.flatMap((name, index) => {
    const key = `property.${index}`
    return name === '*'
      ? [ignored(key, 'a list of methods cannot contain "*"', 'use property: "*"')]
      : checkMethod(name, key, names)
  })
}

/** What is wrong with the words of a rule: those that LoopBack's rules have as well. */
function checkWords(rule: AccessRule, names: RuleNames): readonly RuleProblem[] {
  return [
    ...checkKeys(rule),
    ...checkWord(rule.permission, 'permission', permissions),
    ...checkWord(rule.accessType, 'accessType', accessTypes),
    ...checkPrincipal(rule, names),
    ...checkMethods(rule, names)
  ]
}
