import type { AccessRule, ModelRegistry } from '@modelwire/core'
import {
  fillDefaults,
  findModel,
  methodNames,
  type ModelType,
  modelsExtending,
  shortName
} from '@modelwire/core/plugin'
import { AclOptionsSchema } from '../options.ts'
import { makeOwnerships } from '../roles/owner-keys.ts'
import { builtInRoles } from '../roles/role-table.ts'
import { isUserModel } from '../roles/user-models.ts'
import { checkRights, type RightsContext } from './check-rights.ts'
import { checkWords, type RuleNames } from './check-words.ts'
import { malformedParts, normalRule } from '../rules/normal-rule.ts'
import { memberRules } from '../rules/member-rules.ts'
import { refused, type RuleProblem, unasked } from './rule-problem.ts'

/** Something wrong with a rule, and where it stands. */
export interface FoundProblem extends RuleProblem {
  readonly model: ModelType
  /** As it is understood. */
  readonly rule: AccessRule
  /** As it stands in the model's list. */
  readonly written: unknown
  /** The place of the list: `acls`, or `find.acls` of a rule that a member of the model has. */
  readonly list: string
  /** The place of the rule among those that the model, or the member, states itself. */
  readonly index: number
}

/** The place of a problem: `acls.1.permission`. */
export const pathOf = ({ list, index, key }: Pick<FoundProblem, 'list' | 'index' | 'key'>): string =>
  [list, index, key].filter((part) => part !== undefined).join('.')

/** What the rules of an application are checked against. */
export interface RuleChecking {
  /** The model that users are of, with all that extend it; the default of the option when absent. */
  readonly userModel?: string | undefined
  /** The roles that functions and options define besides the built-in ones. */
  readonly roles: readonly string[]
  /** True for methods that the models do not know of yet. */
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

/** The problems of all rules of an application. Call it when all models, relations and methods are declared. */
export function problemsOfRules(registry: ModelRegistry, checking: RuleChecking): readonly FoundProblem[] {
  const { userModel: root = fillDefaults(AclOptionsSchema, {}).userModel } = checking
  const users = { registry, root }
  const context = { users, ownershipOf: makeOwnerships(users) }
  return registry.names().flatMap((name) => problemsOf(registry.typeOf(name), checking, context))
}
