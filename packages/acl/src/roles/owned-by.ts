import type { Principal } from '@modelwire/core'
import type { ModelType, ValueType } from '@modelwire/core/connector'
import { isId } from '../identity/same-id.ts'
import { decidingKeys, decidingNames, type OwnerKey, type OwnershipOf } from './is-owner.ts'
import { isUserModel, type UserModels } from './role-context.ts'

type Where = Readonly<Record<string, unknown>>

/** Returns the condition for the records of a caller; undefined if there are none. */
export type OwnedBy = (model: ModelType, principal: Principal | undefined) => Where | undefined

/** Makes the function that turns `$owner` into a condition on records. */
export function makeOwnedBy(users: UserModels, ownershipFor: OwnershipOf): OwnedBy {
  return (model, principal) => {
    const { userId, userModel } = principal ?? {}
    if (!isId(userId)) return undefined
    if (isUserModel(model, users) && (userModel === undefined || userModel === model.name))
      return { [model.idProperty?.name ?? 'id']: userId }
    const ownership = ownershipFor(model)
    const names = decidingNames(ownership, userModel).filter((name) => mayHold(model, name))
    const byKey = decidingKeys(ownership, userModel).map((key) => ownedByKey(model, key, users, userId))
    return combine(model, names, byKey, userId)
  }
}

function ownedByKey(
  model: ModelType,
  { relation, property, primaryKey, userModel }: OwnerKey,
  { registry }: UserModels,
  userId: unknown
): Where {
  if (primaryKey === undefined) return named(model, property, userId)
  return { [`${relation}.${registry.typeOf(userModel).idProperty?.name ?? 'id'}`]: userId }
}

/**
 * Whether records may hold a property of this name, declared or not; for a relation of this name they have a function
 * instead.
 */
export function mayHold({ byName, strict, dataSource, relations }: ModelType, name: string): boolean {
  if (relations.has(name)) return false
  return byName.has(name) || (!strict && dataSource?.connector.capabilities.storesUndeclared === true)
}

/**
 * A property holds an id: where nothing is declared, as a number or as a text. What is equal to it in JavaScript's way alone, such
 * as `"01"` or true, is another one.
 */
function named({ byName }: ModelType, name: string, userId: unknown): Where {
  const kind = byName.get(name)?.type.kind
  if (kind !== undefined && kind !== 'any') return { [name]: userId }
  const text = String(userId)
  const isText = { [name]: { like: text.replaceAll(/[\\%_]/g, String.raw`\$&`) } }
  return { and: [{ [name]: text }, isText] }
}

const unsetValues: Readonly<Partial<Record<ValueType['kind'], readonly unknown[]>>> = {
  string: [null, ''],
  text: [null, ''],
  dateString: [null, ''],
  number: [null, 0],
  integer: [null, 0],
  boolean: [null, false],
  any: [null, '', 0, false]
}

/** LB3: a value that is false to JavaScript names no owner: the next property decides. */
function isUnset({ byName }: ModelType, name: string): Where {
  const values = unsetValues[byName.get(name)?.type.kind ?? 'any'] ?? [null]
  return { or: values.map((value) => ({ [name]: value })) }
}

/** Texts of ids that may be stored as values which identify no user. */
const falsyIds: ReadonlySet<string> = new Set(['0', 'false', 'NaN'])

/** A name that is set decides before the next one, and all names before the keys. */
function combine(
  model: ModelType,
  names: readonly string[],
  byKey: readonly Where[],
  userId: unknown
): Where | undefined {
  const [name, ...others] = names
  if (name === undefined) return byKey.length === 0 ? undefined : { or: byKey }
  const rest = combine(model, others, byKey, userId)
  const isNamed = named(model, name, userId)
  const own = falsyIds.has(String(userId)) ? { and: [isNamed, { nor: [isUnset(model, name)] }] } : isNamed
  return rest === undefined ? own : { or: [own, { and: [isUnset(model, name), rest] }] }
}
