import type { AccessRule } from '@modelwire/core'
import {
  compileMethod,
  isPlainObject,
  lineageOf,
  type ModelType,
  operationsOf,
  shortName
} from '@modelwire/core/plugin'
import { keepsToRecords } from '../guard/compile-guard.ts'
import type { OwnershipOf } from '../roles/owner-keys.ts'
import { mayHold } from '../roles/owned-by.ts'
import { isUserModel, type UserModels } from '../roles/user-models.ts'
import { endOfPath } from '../rows/rows-of.ts'
import { ignored, refused, type RuleProblem } from './rule-problem.ts'

/** What rights by records and properties are checked against. */
export interface RightsContext {
  readonly users: UserModels
  readonly ownershipOf: OwnershipOf
}

function hasOwners(model: ModelType, { users, ownershipOf }: RightsContext): boolean {
  if (isUserModel(model, users)) return true
  const { names, keys } = ownershipOf(model)
  return keys.length > 0 || names.some((name) => mayHold(model, name))
}

function checkOwner(key: string, models: readonly ModelType[], context: RightsContext): readonly RuleProblem[] {
  if (models.some((model) => hasOwners(model, context))) return []
  const reason = `nothing says who owns a ${models[0]?.name ?? ''}`
  return [ignored(key, reason, 'add a property userId, or a relation that belongs to a model of users')]
}

function leadsToUsers(model: ModelType, path: string, { users }: RightsContext): boolean {
  const end = endOfPath(model, path.split('.'))
  return end !== undefined && isUserModel(end, users)
}

function checkRows(rule: AccessRule, models: readonly ModelType[], context: RightsContext): readonly RuleProblem[] {
  const { rows, permission } = rule
  if (rows === undefined) return []
  if (permission === 'DENY')
    return [refused('rows', 'a rule that denies denies all records', 'allow the other records')]
  if (typeof rows === 'function') return []
  if (rows === '$owner') return checkOwner('rows', models, context)
  if (models.some((model) => leadsToUsers(model, rows, context))) return []
  const reason = `"${rows}" does not lead from a ${models[0]?.name ?? ''} to a model of users`
  return [
    refused('rows', reason, 'name relations that lead to the caller, such as organisation.members, or use $owner')
  ]
}

/** The methods of the application that no rule keeps to records: they are functions that read what they like. */
function methodsWithoutRecord(models: readonly ModelType[]): ReadonlySet<string> {
  const operations = models
    .flatMap(lineageOf)
    .flatMap((model) => [
      ...Array.from(model.methods.specs, ([name, spec]) => compileMethod(model, name, spec)),
      ...operationsOf(model)
    ])
  return new Set(operations.filter((operation) => !keepsToRecords(operation)).map(({ name }) => shortName(name)))
}

/** A function in `rows` may allow everything to some callers, and so a method of this kind as well. */
function checkRowsOfMethods({ rows, permission, property }: AccessRule, models: readonly ModelType[]): RuleProblem[] {
  if (rows === undefined || typeof rows === 'function' || permission === 'DENY' || property === undefined) return []
  const refusing = methodsWithoutRecord(models)
  return [property].flat().flatMap((name, index) => {
    if (!refusing.has(name)) return []
    const reason = `the rule can never allow ${name}: nothing says which records the method reads`
    const key = Array.isArray(property) ? `property.${index}` : 'property'
    return refused(key, reason, 'give the method an id in its path, or a rule without rows')
  })
}

/** The names in `fields`, each with its key. */
function fieldNames(fields: unknown, key: string): readonly { readonly key: string; readonly name: string }[] {
  if (Array.isArray(fields)) return fields.map((name, index) => ({ key: `${key}.${index}`, name: String(name) }))
  return isPlainObject(fields)
    ? Object.entries(fields).flatMap(([part, names]) => fieldNames(names, `${key}.${part}`))
    : []
}

function checkFields({ fields, permission }: AccessRule, models: readonly ModelType[]): readonly RuleProblem[] {
  if (fields === undefined) return []
  if (permission === 'DENY') return [refused('fields', 'a rule that denies denies all properties', 'allow the others')]
  return fieldNames(fields, 'fields').flatMap(({ key, name }) =>
    models.some(({ byName }) => byName.has(name))
      ? []
      : refused(key, `${models[0]?.name ?? ''} has no property "${name}"`, 'name declared properties')
  )
}

/**
 * The problems of the `rows` and `fields` of a rule.
 * @param models the model of the rule, then those that extend it
 */
export function checkRights(
  rule: AccessRule,
  models: readonly ModelType[],
  context: RightsContext
): readonly RuleProblem[] {
  const isOwners = rule.principalType === 'ROLE' && rule.principalId === '$owner'
  return [
    ...(isOwners ? checkOwner('principalId', models, context) : []),
    ...checkRows(rule, models, context),
    ...checkRowsOfMethods(rule, models),
    ...checkFields(rule, models)
  ]
}
