import {
  findProblems,
  type Model,
  type ModelType,
  repository,
  type Row,
  toDetails,
  ValidationError
} from '@modelwire/core'
import type { Related } from '../relation.ts'
import { ownData, parentKey } from './child-data.ts'
import { copyProperties } from './copy-properties.ts'
import { keyCondition, keyWhere } from './key-condition.ts'
import { matchesNothing, relationScope } from './relation-scope.ts'
import { keyOf } from './same-key.ts'
import { targetOf, throughOf } from './target-of.ts'

const unlimited = (options: Record<string, unknown>): Record<string, unknown> => ({
  ...options,
  prohibitHiddenPropertiesInQuery: false
})

/** The scope of the records that join the parent to others. */
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
    // LB3: one object has both keys; pinned by what observers and change streams are told, read by hand.
    wire: () => ({ where: { ...(scope.wire()['where'] as Row), ...keyWhere(keyTo, [value]) } }) // keys of two properties
  }
}

/** All records that join the parent to others, in the order of their ids. */
export function findLinks(related: Related): Promise<Model[]> {
  const { model } = throughOf(related.relation)
  return repository.findUnder(model, {
    scope: linkScope(related),
    filter: undefined,
    options: unlimited(related.options)
  })
}

/** True where a record joins the parent to `target`. */
export async function isLinked(related: Related, target: unknown): Promise<boolean> {
  const { model } = throughOf(related.relation)
  const scope = oneLinkScope(related, target)
  return (await repository.countUnder(model, { scope, filter: undefined, options: unlimited(related.options) })) > 0
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

/** LB3: what is sent must be valid also where it is not stored. @see loopback-datasource-juggler, lib/dao.js, findOrCreate */
async function refuseInvalidLink(related: Related, data: Row): Promise<void> {
  const { model } = throughOf(related.relation)
  const problems = await findProblems(model, repository.draftInstance(model, data), true, related.options)
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
}

/**
 * Joins the parent to `target`; where it is joined already, the record that does so.
 * @throws {ValidationError} the record between would break a rule
 */
export async function link(related: Related, target: unknown, data: unknown): Promise<Model> {
  const { model } = throughOf(related.relation)
  const query = { scope: oneLinkScope(related, target), filter: { limit: 1 }, options: unlimited(related.options) }
  const [known] = await repository.findUnder(model, query)
  const row = linkData(related, target, data)
  if (known === undefined) return repository.create(model, row, related.options)
  if (model.registry.compat) await refuseInvalidLink(related, row)
  return known
}

function destroyUnder(model: ModelType, scope: repository.QueryScope, options: Record<string, unknown>) {
  if (matchesNothing(scope)) return Promise.resolve({ count: 0 })
  return repository.destroyAll(model, scope.wire()['where'], unlimited(options))
}

/** Removes what joins the parent to `target`. */
export function unlink(related: Related, target: unknown): Promise<{ count: number }> {
  return destroyUnder(throughOf(related.relation).model, oneLinkScope(related, target), related.options)
}

/** Removes everything that joins the parent to others; the others stay. */
export function unlinkAll(related: Related): Promise<{ count: number }> {
  return destroyUnder(throughOf(related.relation).model, linkScope(related), related.options)
}

async function linkAll(related: Related, targets: readonly Model[]): Promise<void> {
  const model = targetOf(related.relation)
  try {
    for (const target of targets) await link(related, target, {})
  } catch (error) {
    for (const target of targets) await repository.destroyById(model, repository.idOf(model, target), related.options)
    throw error
  }
}

/** Makes a record, or those of a list, and joins it to the parent; what cannot be joined is not kept. */
export async function createLinked(related: Related, data: unknown): Promise<Model | Model[]> {
  const model = targetOf(related.relation)
  if (Array.isArray(data)) {
    const made = await repository.createAll(model, data, related.options)
    await linkAll(related, made)
    return made
  }
  const target = await repository.create(model, ownData(model, data), related.options)
  await linkAll(related, [target])
  return target
}
