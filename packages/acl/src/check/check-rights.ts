import type { AccessRule } from '@modelwire/core'
import { compileMethod, lineageOf, operationsOf } from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { keepsToRecords } from '../guard/compile-guard.ts'
import type { OwnershipOf } from '../roles/is-owner.ts'
import { mayHold } from '../roles/owned-by.ts'
import { isUserModel, type UserModels } from '../roles/role-context.ts'
import { endOfPath } from '../rows/rows-of.ts'
import { ignored, refused, type RuleProblem } from './rule-problem.ts'

/** The context for checking rights by records and properties. */
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
  const reason = `${models[0]?.name ?? ''} has no property or relation for its owner`
  return [ignored(key, reason, 'add a property userId, or a belongsTo relation to a user model')]
}

function leadsToUsers(model: ModelType, path: string, { users }: RightsContext): boolean {
  const end = endOfPath(model, path.split('.'))
  return end !== undefined && isUserModel(end, users)
}

function checkRows(rule: AccessRule, models: readonly ModelType[], context: RightsContext): readonly RuleProblem[] {
  const { rows, permission } = rule
  if (rows === undefined) return []
  if (permission === 'DENY')
    return [
      refused(
        'rows',
        'a DENY rule cannot be limited to a subset of records',
        'use an ALLOW rule for the remaining records'
      )
    ]
  if (typeof rows === 'function') return []
  if (rows === '$owner') return checkOwner('rows', models, context)
  if (models.some((model) => leadsToUsers(model, rows, context))) return []
  const reason = `"${rows}" does not lead from ${models[0]?.name ?? ''} to a user model`
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
    const reason = `the rule can never allow ${name}: which records the method reads is not known in advance`
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
  if (permission === 'DENY')
    return [
      refused(
        'fields',
        'a DENY rule cannot be limited to a subset of properties',
        'use an ALLOW rule for the remaining properties'
      )
    ]
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
