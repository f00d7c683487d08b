import {
  type AccessRule,
  findModel,
  methodNames,
  type ModelRegistry,
  type ModelType,
  modelsExtending,
  shortName
} from '@modelwire/core'
import { makeOwnerships } from '../roles/owner-keys.ts'
import { builtInRoles } from '../roles/role-table.ts'
import { isUserModel } from '../roles/user-models.ts'
import { checkRights, type RightsContext } from './check-rights.ts'
import { checkWords, type RuleNames } from './check-words.ts'
import type { RuleProblem } from './rule-problem.ts'

/** Something wrong with a rule, and where it stands. */
export interface FoundProblem extends RuleProblem {
  readonly model: ModelType
  readonly rule: AccessRule
  /** The place of the rule among those that the model states itself. */
  readonly index: number
}

/** What the rules of an application are checked against. */
export interface RuleChecking {
  /** The model that users are of, with all that extend it. Default `User`. */
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

/** Finds what is wrong with the rules that a model states itself. They hold for models that extend it as well. */
function problemsOf(model: ModelType, { roles, isMethod }: RuleChecking, context: RightsContext): FoundProblem[] {
  const own = (model.definition.acls ?? []).slice(model.base?.definition.acls?.length ?? 0)
  if (own.length === 0) return []
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
  return own.flatMap((rule, index) =>
    [...checkWords(rule, names), ...checkRights(rule, models, context)].map((problem) => ({
      ...problem,
      model,
      rule,
      index
    }))
  )
}

/** Finds what is wrong with all rules of an application. Ask when all models, relations and methods are declared. */
export function problemsOfRules(registry: ModelRegistry, checking: RuleChecking): readonly FoundProblem[] {
  const users = { registry, root: checking.userModel ?? 'User' }
  const context = { users, ownershipOf: makeOwnerships(users) }
  return registry.names().flatMap((name) => problemsOf(registry.typeOf(name), checking, context))
}
