import { type Row, isSameKey, type ModelType } from '@modelwire/core/connector'
import { type Call, repository, type ResolvedRelation, validateInstance } from '@modelwire/core/plugin'
import { setOwn } from '@modelwire/server'
import { ForeignKeyFixed, ListNotAllowed, ParentKeyMissing } from '../errors.ts'
import type { Related } from '../related.ts'
import { RecordNotFound } from '@modelwire/core'
import { relatedRights } from './related-query.ts'

/**
 * Copies the relation's `properties` from a parent to the data of a related record, or the other way round with
 * `invertProperties`.
 * @returns what the parent got, to be stored with it
 * @see LoopBack 3: loopback-datasource-juggler, lib/relation-definition.js, applyProperties
 */
export function copyProperties({ settings }: ResolvedRelation, parent: Row, data: Row): Row {
  const { properties, invertProperties } = settings
  if (properties === undefined) return {}
  const [source, target] = invertProperties ? [data, parent] : [parent, data]
  const copied: Row = {}
  if (typeof properties === 'function') Object.assign(copied, properties(source, target) ?? {})
  else for (const [from, to] of pairsOf(properties)) setOwn(copied, to, source[from])
  for (const [name, value] of Object.entries(copied)) setOwn(target, name, value)
  return invertProperties ? copied : {}
}

function pairsOf(
  properties: readonly string[] | Readonly<Record<string, string>>
): Iterable<readonly [string, string]> {
  // `isArray` does not distinguish read-only lists from objects.
  const list = Array.isArray(properties) ? (properties as readonly string[]) : undefined
  return list?.map((name) => [name, name] as const) ?? Object.entries(properties)
}

/**
 * A copy of a record's data that may be changed.
 * @throws {InvalidValue} it is a list or a scalar
 */
export function ownData(model: ModelType, data: unknown): Row {
  return { ...repository.toData(model, data) }
}

/**
 * The key with which records refer to the parent.
 * @throws {ParentKeyMissing} it has none
 */
export function parentKey({ relation, parent }: Related): unknown {
  const key = parent[relation.keyFrom]
  if (key === null || key === undefined)
    throw new ParentKeyMissing(`the ${relation.from.name} has no ${relation.keyFrom} that records could refer to`)
  return key
}

/** The data of a record created through the relation: the parent's key and properties, whatever the caller sends. */
export function childData(related: Related, model: ModelType, data: unknown): Row {
  const { relation, parent } = related
  const child = ownData(model, data)
  child[relation.keyTo] = parentKey(related)
  copyProperties(relation, parent, child)
  if (relation.discriminator !== undefined) child[relation.discriminator.property] = relation.discriminator.value
  return child
}

/** @throws {ForeignKeyFixed} the data would move the record to another parent */
export function refuseOtherKey({ relation, parent }: Related, data: unknown): void {
  const { keyTo, keyFrom, name } = relation
  const key: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, keyTo) : undefined
  if (key === undefined || isSameKey(key, parent[keyFrom])) return
  throw new ForeignKeyFixed(`${keyTo} cannot be changed through ${name}`)
}

/**
 * The 404 of a record that does not exist, or belongs to another parent. A client that may only see some of the records
 * gets the restriction's error instead, which reveals nothing about the others. LB3: without a code, pinned by
 * relations/has-many-write.
 */
export async function missingChild(related: Related, model: ModelType, id: unknown): Promise<Error> {
  const rights = await relatedRights(related, model)
  if (rights?.condition !== undefined) return rights.deny()
  return new RecordNotFound(`no ${model.name} of ${related.relation.name} has the id ${JSON.stringify(id)}`)
}

/**
 * Refuses a list if one record is created at a time. LB3: the list is treated as a record without any property, so that its
 * model's rules apply first; pinned by relations/references-many-numbers and relations/scopes.
 * @throws {ValidationError} a record of the model needs properties
 * @throws {ListNotAllowed} it does not
 */
export async function refuseList(model: ModelType, data: unknown, call: Call): Promise<void> {
  if (!Array.isArray(data)) return
  await validateInstance(model, repository.draftInstance(model, {}), false, call.options)
  throw new ListNotAllowed(`records of ${model.name} must be created one at a time here`)
}
