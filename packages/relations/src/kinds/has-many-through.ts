import { type Found, isPlainObject, keyText, type Model, repository } from '@modelwire/core'
import { whereOfLinked } from '../filter/related-keys.ts'
import { includeThrough } from '../include/include-through.ts'
import { ownData } from '../records/child-data.ts'
import { createLinked, findLinks, isLinked, link, linkQuery, linkScope, unlink, unlinkAll } from '../records/links.ts'
import { missingChild } from '../records/missing-child.ts'
import { relatedQuery, relatedRights } from '../records/related-query.ts'
import { relationScope } from '../records/relation-scope.ts'
import { targetOf, throughOf } from '../records/target-of.ts'
import type { RelationKind } from '../relation-kind.ts'
import type { Related } from '../related.ts'

interface LinkedQuery {
  readonly scope: repository.QueryScope
  /** Keys in the order in which the records were joined. */
  readonly keys: readonly unknown[]
}

async function linkedQuery(related: Related): Promise<LinkedQuery> {
  const { relation, parent } = related
  const { keyTo } = throughOf(relation)
  const keys = (await findLinks(related)).map((each) => each[keyTo])
  const wanted = { model: targetOf(relation), property: relation.keyTo, values: keys, discriminated: false, parent }
  return { scope: relationScope(relation, wanted), keys }
}

/** LB3: without a filter a record that was joined twice is listed twice; pinned by relations/through-list. */
function inOrderOfLinks<Item>(
  items: readonly Item[],
  keys: readonly unknown[],
  keyAt: (at: number) => unknown
): Item[] {
  const byKey = new Map(items.map((item, at) => [keyText(keyAt(at)), item]))
  return keys.map((key) => byKey.get(keyText(key))).filter((item) => item !== undefined)
}

const asksNothing = (filter: unknown): boolean => !isPlainObject(filter)

async function findLinked(related: Related, filter: unknown): Promise<Model[]> {
  const { relation } = related
  const model = targetOf(relation)
  const { scope, keys } = await linkedQuery(related)
  const found = await repository.findUnder(model, await relatedQuery(related, model, scope, filter))
  return asksNothing(filter) ? inOrderOfLinks(found, keys, (at) => found[at]?.[relation.keyTo]) : found
}

async function findLinkedRows(related: Related, filter: unknown): Promise<Found | Model[]> {
  const { relation } = related
  const model = targetOf(relation)
  const { scope, keys } = await linkedQuery(related)
  const found = await repository.findRowsUnder(model, await relatedQuery(related, model, scope, filter))
  if (!asksNothing(filter)) return found
  if (Array.isArray(found)) return inOrderOfLinks(found, keys, (at) => found[at]?.[relation.keyTo])
  const positions = inOrderOfLinks([...found.rows.keys()], keys, (at) => found.rows[at]?.[relation.keyTo])
  return repository.pickRows(found, positions)
}

/** @throws {RecordNotFound} it does not exist, or nothing joins it to the parent */
async function findLinkedById(related: Related, id: unknown): Promise<Model> {
  const model = targetOf(related.relation)
  if (!(await isLinked(related, id))) throw await missingChild(related, model, id)
  const found = await repository.findById(model, id, undefined, related.call)
  if (found === null) throw await missingChild(related, model, id)
  return found
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
  if (isAboutLinks(related, where) && seesAll)
    return repository.countUnder(throughOf(relation).model, await linkQuery(related, linkScope(related), where))
  const { scope } = await linkedQuery(related)
  return repository.countUnder(model, await relatedQuery(related, model, scope, where))
}

/** Records that a third model joins with the declaring ones. */
export const hasManyThrough: RelationKind = {
  many: true,
  include: includeThrough,
  filter: whereOfLinked,
  exposes: ['findById', 'destroyById', 'updateById', 'link', 'unlink', 'exists', 'get', 'create', 'delete', 'count'],
  methods: {
    find: findLinked,
    findRows: findLinkedRows,
    count: countLinked,
    build: (related, data) =>
      repository.draftInstance(targetOf(related.relation), ownData(targetOf(related.relation), data)),
    create: createLinked,
    findById: findLinkedById,
    updateById: async (related, id, data) =>
      repository.patchInstance(targetOf(related.relation), await findLinkedById(related, id), data, related.call),
    destroyById: async (related, id) => {
      const model = targetOf(related.relation)
      if (!(await isLinked(related, id))) throw await missingChild(related, model, id)
      await findLinkedById(related, id)
      await unlink(related, id)
      return repository.destroyById(model, id, related.call)
    },
    destroyAll: (related) => unlinkAll(related),
    exists: isLinked,
    add: link,
    remove: unlink
  }
}
