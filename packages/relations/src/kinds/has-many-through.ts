import type { Model } from '@modelwire/core'
import { type Records, repository } from '@modelwire/core/plugin'
import { keyText } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { whereOfLinked } from '../filter/related-keys.ts'
import { includeThrough } from '../include/include-through.ts'
import { ownData, missingChild } from '../records/child-data.ts'
import { createLinked, findLinks, isLinked, link, linkQuery, linkScope, unlink, unlinkAll } from '../records/links.ts'
import { relatedQuery, relatedRights } from '../records/related-query.ts'
import { relationScope } from '../records/relation-scope.ts'
import { targetOf, throughOf } from '../records/target-of.ts'
import type { RelationKind } from './relation-kind.ts'
import type { Related } from '../related.ts'

interface LinkedQuery {
  readonly scope: repository.QueryScope
  /** Keys in the order in which the records were linked. */
  readonly keys: readonly unknown[]
}

/** @param where a condition on the records between */
async function linkedQuery(related: Related, where?: unknown): Promise<LinkedQuery> {
  const { relation, parent } = related
  const { keyTo } = throughOf(relation)
  const keys = (await findLinks(related, where)).rows.map((each) => each[keyTo])
  const wanted = { model: targetOf(relation), property: relation.keyTo, values: keys, discriminated: false, parent }
  return { scope: relationScope(relation, wanted), keys }
}

/** Positions of records. LB3: without a filter a record that was joined twice is listed twice; pinned by relations/through-list. */
function inOrderOfLinks({ rows }: Records, keys: readonly unknown[], keyTo: string): number[] {
  const byKey = new Map(rows.map((row, at) => [keyText(row[keyTo]), at]))
  return keys.map((key) => byKey.get(keyText(key))).filter((at) => at !== undefined)
}

/** A record comes once, however often it was joined, unless LoopBack's answer is asked for. */
const listsEachLink = ({ relation }: Related): boolean => relation.from.registry.rules.listsEachLink

async function findLinked(related: Related, filter: unknown): Promise<Records> {
  const { relation } = related
  const model = targetOf(relation)
  const { scope, keys } = await linkedQuery(related)
  const query = await relatedQuery(related, model, scope, filter)
  const isByLinks = listsEachLink(related) && !isPlainObject(filter)
  const found = await repository.readRecords(model, { ...query, isList: !isByLinks })
  return isByLinks ? found.pick(inOrderOfLinks(found, keys, relation.keyTo)) : found
}

/** True where the relation's own scope has conditions, or may have some. */
function isNarrowed({ relation }: Related): boolean {
  const { scope } = relation.settings
  return typeof scope === 'function' || (isPlainObject(scope) && scope['where'] !== undefined)
}

/** The record with this id that something joins to the parent and the scope of the relation shows; null where there is none. */
async function linkedWithId(related: Related, id: unknown): Promise<Model | null> {
  const model = targetOf(related.relation)
  if (!isNarrowed(related)) return repository.findById(model, id, undefined, related.call)
  const found = await findLinked(related, { where: { [related.relation.keyTo]: id }, limit: 1 })
  return found.first() ?? null
}

/** @throws {RecordNotFound} it does not exist, or nothing joins it to the parent */
async function findLinkedById(related: Related, id: unknown): Promise<Model> {
  const model = targetOf(related.relation)
  const found = (await isLinked(related, id)) ? await linkedWithId(related, id) : null
  if (found === null) throw await missingChild(related, model, id)
  return found
}

/** True where the list of the relation shows the record with this id. */
async function existsLinked(related: Related, id: unknown): Promise<boolean> {
  return (await isLinked(related, id)) && (!isNarrowed(related) || (await linkedWithId(related, id)) !== null)
}

/** True where a condition names nothing but properties that the records between alone have. */
function isAboutLinks({ relation }: Related, where: unknown): boolean {
  if (where === undefined || where === null) return true
  const [target, between] = [targetOf(relation).byName, throughOf(relation).model.byName]
  return isPlainObject(where) && Object.keys(where).every((name) => between.has(name) && !target.has(name))
}

/** A condition is about the related records. LB3: about those between, pinned by relations/through-list. */
async function countLinked(related: Related, where: unknown): Promise<number> {
  const { relation } = related
  const model = targetOf(relation)
  // Links to records that the client may not see are not counted.
  const seesAll = (await relatedRights(related, model))?.condition === undefined
  const isOfLinks = isAboutLinks(related, where)
  if (listsEachLink(related) && isOfLinks && seesAll && !isNarrowed(related))
    return repository.countRecords(throughOf(relation).model, await linkQuery(related, linkScope(related), where))
  const { scope } = await linkedQuery(related, isOfLinks ? where : undefined)
  return repository.countRecords(model, await relatedQuery(related, model, scope, isOfLinks ? undefined : where))
}

/** Destroys a related record and what joins the parent to it, which may lead to nothing any more. */
async function destroyLinked(related: Related, id: unknown): Promise<{ count: number }> {
  const model = targetOf(related.relation)
  if (!(await isLinked(related, id))) throw await missingChild(related, model, id)
  const found = await linkedWithId(related, id)
  // A client that may not see all records does not learn which ones exist.
  const seesAll = (await relatedRights(related, model))?.condition === undefined && !isNarrowed(related)
  if (found === null && !seesAll) throw await missingChild(related, model, id)
  await unlink(related, id)
  return found === null ? { count: 0 } : repository.destroyById(model, id, related.call)
}

/** Records that a third model links to the declaring ones. */
export const hasManyThrough: RelationKind = {
  many: true,
  followsKeys: true,
  include: includeThrough,
  filter: whereOfLinked,
  exposes: ['findById', 'destroyById', 'updateById', 'link', 'unlink', 'exists', 'get', 'create', 'delete', 'count'],
  methods: {
    find: findLinked,
    count: countLinked,
    build: (related, data) =>
      repository.draftInstance(targetOf(related.relation), ownData(targetOf(related.relation), data)),
    create: createLinked,
    findById: findLinkedById,
    updateById: async (related, id, data) =>
      repository.patchInstance(targetOf(related.relation), await findLinkedById(related, id), data, related.call),
    destroyById: destroyLinked,
    destroyAll: (related) => unlinkAll(related),
    exists: existsLinked,
    add: link,
    remove: unlink
  }
}
