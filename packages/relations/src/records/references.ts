import type { Model } from '@modelwire/core'
import { acceptedCall, asServer, keyOf, type Records, repository, TrustedWhere } from '@modelwire/core/plugin'
import { isSameKey, keyText } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { NotReferenced } from '../errors.ts'
import type { Related, ToManyMethods } from '../related.ts'
import { copyProperties, missingChild, ownData, refuseList } from './child-data.ts'
import { acceptedData, relatedQuery } from './related-query.ts'
import { relationScope, writtenScope } from './relation-scope.ts'
import { targetOf } from './target-of.ts'

/** The keys that the parent holds. */
function referencedKeys({ relation, parent }: Related): readonly unknown[] {
  const keys: unknown = parent[relation.keyFrom]
  return Array.isArray(keys) ? keys : []
}

function scopeOf(related: Related, values: readonly unknown[]): repository.QueryScope {
  const { relation, parent } = related
  return relationScope(relation, {
    model: targetOf(relation),
    property: relation.keyTo,
    values,
    discriminated: false,
    parent
  })
}

function referenceQuery(related: Related, values: readonly unknown[], filter: unknown): Promise<repository.Query> {
  return relatedQuery(related, targetOf(related.relation), scopeOf(related, values), filter)
}

/** Positions of records in the order of the keys, cut to the requested page. */
function positionsInOrder(keys: readonly unknown[], found: readonly unknown[], filter: unknown): number[] {
  const byKey = new Map(found.map((key, at) => [keyText(key), at]))
  const positions = keys.map((key) => byKey.get(keyText(key))).filter((at) => at !== undefined)
  const { skip, offset, limit } = isPlainObject(filter) ? filter : {}
  const first = Number(skip ?? offset ?? 0)
  return positions.slice(first, first + (Number(limit ?? 0) || Infinity))
}

/** True where the caller or the relation's scope sets the order. */
function isOrdered({ relation, parent }: Related, filter: unknown): boolean {
  return (isPlainObject(filter) && Boolean(filter['order'])) || Boolean(writtenScope(relation, parent)['order'])
}

/** The filter for the database: the page is cut when the records are in the order of the keys. LB3: before that. */
function readingFilter(related: Related, filter: unknown): unknown {
  const { pagesBeforeOrdering } = related.relation.from.registry.rules
  if (!isPlainObject(filter) || pagesBeforeOrdering || isOrdered(related, filter)) return filter
  return { ...filter, limit: undefined, skip: undefined, offset: undefined }
}

/** LB3: without their keys, records cannot be put in order. */
function isSorted(related: Related, filter: unknown, fields: ReadonlySet<string> | undefined): boolean {
  const { relation } = related
  const { needsShownKeys } = relation.from.registry.rules
  return isOrdered(related, filter) || (needsShownKeys && fields !== undefined && !fields.has(relation.keyTo))
}

async function findReferenced(related: Related, filter: unknown): Promise<Records> {
  const { relation } = related
  const keys = referencedKeys(related)
  const { pagesBeforeOrdering } = relation.from.registry.rules
  const query = await referenceQuery(related, keys, readingFilter(related, filter))
  const found = await repository.readRecords(targetOf(relation), { ...query, isList: isOrdered(related, filter) })
  if (isSorted(related, filter, found.fields)) return found
  const names = found.rows.map((row) => row[relation.keyTo])
  return found.pick(positionsInOrder(keys, names, pagesBeforeOrdering ? undefined : filter))
}

/** @throws {RecordNotFound} it does not exist @throws {NotReferenced} the parent does not refer to it */
async function findReference(related: Related, id: unknown): Promise<Model> {
  const { relation } = related
  const model = targetOf(relation)
  const found = (await repository.readRecords(model, await referenceQuery(related, [id], { limit: 1 }))).first()
  if (found === undefined) throw await missingChild(related, model, id)
  if (referencedKeys(related).some((key) => isSameKey(key, found[relation.keyTo]))) return found
  throw new NotReferenced(`${relation.name} does not refer to ${JSON.stringify(id)}`)
}

async function storeKeys({ relation, parent, call }: Related, keys: readonly unknown[]): Promise<void> {
  await repository.patchInstance(relation.from, parent, { [relation.keyFrom]: keys }, asServer(call))
}

async function addKey(related: Related, target: Model): Promise<void> {
  const { relation, parent } = related
  const key = target[relation.keyTo]
  const keys = referencedKeys(related)
  const all = relation.settings.options['prepend'] === true ? [key, ...keys] : [...keys, key]
  // Others that are added at the same time find it in the list, which each of them stores whole.
  parent[relation.keyFrom] = all
  try {
    await storeKeys(related, all)
  } catch (error) {
    parent[relation.keyFrom] = referencedKeys(related).filter((each) => !isSameKey(each, key))
    throw error
  }
}

/** Makes the parent refer to a record; null where there is none. */
async function addReference(related: Related, target: unknown): Promise<Model | null> {
  const { relation } = related
  const model = targetOf(relation)
  const query = await referenceQuery(related, [keyOf(target, relation.keyTo)], { limit: 1 })
  const found = (await repository.readRecords(model, query)).first()
  if (found === undefined) return null
  await addKey(related, found)
  return found
}

async function removeReference(related: Related, target: unknown): Promise<{ count: number }> {
  const keys = referencedKeys(related)
  const removed = keyOf(target, related.relation.keyTo)
  const left = keys.filter((key) => !isSameKey(key, removed))
  if (left.length < keys.length) await storeKeys(related, left)
  return { count: keys.length - left.length }
}

async function createReferenced(related: Related, data: unknown): Promise<Model> {
  const { relation, parent, call } = related
  const model = targetOf(relation)
  await refuseList(model, data, call)
  const accepted = { ...(await acceptedData(related, model, data)) }
  copyProperties(relation, parent, accepted)
  const made = await repository.create(model, accepted, acceptedCall(call))
  await addKey(related, made)
  return made
}

/** Only what the parent refers to goes. LB3: every record of the model, pinned by relations/references-many-numbers. */
async function destroyReferenced(related: Related, where: unknown): Promise<{ count: number }> {
  const found = await findReferenced(related, where === undefined || where === null ? undefined : { where })
  const model = targetOf(related.relation)
  const gone = found.rows.map((each) => each[related.relation.keyTo])
  const count = await repository.destroyAll(
    model,
    new TrustedWhere({ [related.relation.keyTo]: { inq: gone } }),
    related.call
  )
  const left = referencedKeys(related).filter((key) => !gone.some((each) => isSameKey(each, key)))
  await storeKeys(related, where === undefined || where === null ? [] : left)
  return count
}

/** The methods of relations whose parents contain a list of keys. */
export const referenceMethods: ToManyMethods = {
  find: findReferenced,
  count: async (related, where) =>
    repository.countRecords(targetOf(related.relation), await referenceQuery(related, referencedKeys(related), where)),
  build: (related, data) =>
    repository.draftInstance(targetOf(related.relation), ownData(targetOf(related.relation), data)),
  create: createReferenced,
  findById: findReference,
  updateById: async (related, id, data) =>
    repository.patchInstance(targetOf(related.relation), await findReference(related, id), data, related.call),
  destroyById: async (related, id) => {
    const target = await findReference(related, id)
    await removeReference(related, target)
    const model = targetOf(related.relation)
    return repository.destroyById(model, repository.idOf(model, target), related.call, target)
  },
  destroyAll: destroyReferenced,
  at: async (related, index) => {
    const key = referencedKeys(related)[index]
    return key === undefined ? null : findReference(related, key)
  },
  exists: async (related, id) => {
    const key = keyOf(id, related.relation.keyTo)
    return referencedKeys(related).some((each) => isSameKey(each, key))
  },
  add: addReference,
  remove: removeReference
}
