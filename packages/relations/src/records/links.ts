import { type Model, ValidationError } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import {
  acceptedCall,
  asServer,
  findProblems,
  keyOf,
  nestedCall,
  type Records,
  repository,
  toDetails,
  TrustedWhere
} from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import type { Related } from '../related.ts'
import { copyProperties, ownData, parentKey } from './child-data.ts'
import { acceptedData, checkReadsKeys, keyCondition, keyWhere } from './related-query.ts'
import { matchesNothing, relationScope } from './relation-scope.ts'
import { targetOf, throughOf } from './target-of.ts'

/** The scope of the records that link the parent to others. */
export function linkScope({ relation, parent }: Related): repository.QueryScope {
  const { model, keyFrom } = throughOf(relation)
  // The relation's own scope is about the related records, not about those between.
  const unscoped = { ...relation, settings: { ...relation.settings, scope: undefined } }
  const values = [parent[relation.keyFrom]]
  return relationScope(unscoped, { model, property: keyFrom, values, discriminated: true, parent })
}

/** The scope of the records that join the parent to one other. */
function oneLinkScope(related: Related, target: unknown): repository.QueryScope {
  const { model, keyTo } = throughOf(related.relation)
  const scope = linkScope(related)
  const value = keyOf(target, related.relation.keyTo)
  const condition = keyCondition(model, keyTo, [value])
  const { where } = scope.filter
  return {
    filter: {
      ...scope.filter,
      where: where === undefined ? condition : { kind: 'and', conditions: [where, condition] }
    },
    // LB3: one object has both keys; pinned by what observers and change streams receive, read by hand.
    wire: () => ({ where: { ...(scope.wire()['where'] as Row), ...keyWhere(keyTo, [value]) } }) // keys of two properties
  }
}

/** A query of the linking records, with the rights of the caller for the relation. */
export async function linkQuery(
  related: Related,
  scope: repository.QueryScope,
  filter: unknown
): Promise<repository.Query> {
  const { model, keyFrom, keyTo } = throughOf(related.relation)
  const call = await nestedCall(related.call, model, 'find')
  checkReadsKeys(related.relation, [keyFrom, keyTo, related.relation.discriminator?.property], call.grant?.restriction)
  return { scope, filter, call, restriction: call.grant?.restriction }
}

/** All records that link the parent to others, and match `where`, in the order of their ids. */
export async function findLinks(related: Related, where: unknown): Promise<Records> {
  const { model } = throughOf(related.relation)
  const filter = (where ?? undefined) === undefined ? undefined : { where }
  return repository.readRecords(model, await linkQuery(related, linkScope(related), filter))
}

/** True if a record links the parent to `target`. */
export async function isLinked(related: Related, target: unknown): Promise<boolean> {
  const { model } = throughOf(related.relation)
  return (await repository.countRecords(model, await linkQuery(related, oneLinkScope(related, target), undefined))) > 0
}

/** Data of the record between; both keys are set whatever the caller sends. */
function linkData(related: Related, target: unknown, data: unknown): Row {
  const { relation, parent } = related
  const { model, keyFrom, keyTo } = throughOf(relation)
  const row = ownData(model, data)
  row[keyFrom] = parentKey(related)
  row[keyTo] = keyOf(target, relation.keyTo)
  copyProperties(relation, parent, row)
  if (relation.discriminator !== undefined) row[relation.discriminator.property] = relation.discriminator.value
  return row
}

/**
 * LB3: what is sent must be valid, after what observers make of it, also where it is not stored.
 * @see loopback-datasource-juggler, lib/dao.js, findOrCreate
 */
async function refuseInvalidLink(related: Related, data: Row): Promise<void> {
  const { model } = throughOf(related.relation)
  const instance = repository.draftInstance(model, data)
  await repository.announce(model, 'before save', { instance, isNewInstance: true }, related.call)
  const problems = await findProblems(model, instance, true, related.call.options)
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
}

/**
 * Links the parent to `target`; if it is already linked, returns the existing link.
 * @throws {ValidationError} the record between would break a rule
 */
export async function link(related: Related, target: unknown, data: unknown): Promise<Model> {
  const { model } = throughOf(related.relation)
  const call = await nestedCall(related.call, model, 'create')
  const scope = oneLinkScope(related, target)
  const links = await linkQuery(related, scope, { limit: 1 })
  const row = linkData(related, target, await acceptedData({ call }, model, data))
  const find = async (): Promise<Model | undefined> => (await repository.readRecords(model, links)).first()
  const insert = async (): Promise<Model> => repository.create(model, row, acceptedCall(call), true)
  // Both sides have the same two keys, so that they wait for each other.
  const made = await repository.doAlone(model, scope.wire()['where'], async () => {
    const found = await find()
    return found === undefined ? repository.insertOrFind(model, insert, find) : { found }
  })
  if ('inserted' in made) return made.inserted
  if (model.registry.rules.validatesRepeatedLinks) await refuseInvalidLink(related, row)
  return made.found
}

async function destroyUnder(
  related: Related,
  scope: repository.QueryScope,
  method: string
): Promise<{ count: number }> {
  const { model } = throughOf(related.relation)
  const call = await nestedCall(related.call, model, method)
  const { where } = scope.wire()
  if (matchesNothing(scope) || !isPlainObject(where)) return { count: 0 }
  return repository.destroyAll(model, new TrustedWhere(where), call)
}

/** Removes the links from the parent to `target`. */
export function unlink(related: Related, target: unknown): Promise<{ count: number }> {
  return destroyUnder(related, oneLinkScope(related, target), 'deleteById')
}

/** Removes all links of the parent; the linked records are kept. */
export function unlinkAll(related: Related): Promise<{ count: number }> {
  return destroyUnder(related, linkScope(related), 'destroyAll')
}

async function linkAll(related: Related, targets: readonly Model[]): Promise<void> {
  const model = targetOf(related.relation)
  try {
    for (const target of targets) await link(related, target, {})
  } catch (error) {
    for (const target of targets)
      await repository.destroyById(model, repository.idOf(model, target), asServer(related.call))
    throw error
  }
}

/** Creates a record, or those of a list, and links it to the parent; a record that cannot be linked is removed again. */
export async function createLinked(related: Related, data: unknown): Promise<Model | Model[]> {
  const model = targetOf(related.relation)
  if (Array.isArray(data)) {
    const made = await repository.createAll(model, data, related.call)
    await linkAll(related, made)
    return made
  }
  const target = await repository.create(model, ownData(model, data), related.call)
  await linkAll(related, [target])
  return target
}
