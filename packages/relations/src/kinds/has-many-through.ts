import { type Found, isPlainObject, type Model, repository } from '@modelwire/core'
import { resolveThrough } from '../definition/resolve-through.ts'
import { whereOfLinked } from '../filter/related-keys.ts'
import { includeThrough } from '../include/include-through.ts'
import { ownData } from '../records/child-data.ts'
import { createLinked, findLinks, isLinked, link, linkScope, unlink, unlinkAll } from '../records/links.ts'
import { missingChild } from '../records/missing-child.ts'
import { relationScope } from '../records/relation-scope.ts'
import { keyText } from '../records/same-key.ts'
import { targetOf, throughOf } from '../records/target-of.ts'
import type { RelationKind } from '../relation-kind.ts'
import type { Related } from '../relation.ts'

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
  const { relation, options } = related
  const { scope, keys } = await linkedQuery(related)
  const found = await repository.findUnder(targetOf(relation), { scope, filter, options })
  return asksNothing(filter) ? inOrderOfLinks(found, keys, (at) => found[at]?.[relation.keyTo]) : found
}

async function findLinkedRows(related: Related, filter: unknown): Promise<Found | Model[]> {
  const { relation, options } = related
  const model = targetOf(relation)
  const { scope, keys } = await linkedQuery(related)
  const found = await repository.findRowsUnder(model, { scope, filter, options })
  if (!asksNothing(filter)) return found
  if (Array.isArray(found)) return inOrderOfLinks(found, keys, (at) => found[at]?.[relation.keyTo])
  const positions = inOrderOfLinks([...found.rows.keys()], keys, (at) => found.rows[at]?.[relation.keyTo])
  return repository.pickRows(found, positions)
}

/** @throws {RecordNotFound} it does not exist, or nothing joins it to the parent */
async function findLinkedById(related: Related, id: unknown): Promise<Model> {
  const { relation, options } = related
  const model = targetOf(relation)
  if (!(await isLinked(related, id))) throw missingChild(relation, model, id)
  const found = await repository.findById(model, id, undefined, options)
  if (found === null) throw missingChild(relation, model, id)
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
  const { relation, options } = related
  if (isAboutLinks(related, where)) {
    return repository.countUnder(throughOf(relation).model, { scope: linkScope(related), filter: where, options })
  }
  const { scope } = await linkedQuery(related)
  return repository.countUnder(targetOf(relation), { scope, filter: where, options })
}

/** Records that a third model joins with the declaring ones. */
export const hasManyThrough: RelationKind = {
  many: true,
  nests: 'list',
  resolve: resolveThrough,
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
      repository.patchInstance(targetOf(related.relation), await findLinkedById(related, id), data, related.options),
    destroyById: async (related, id) => {
      const model = targetOf(related.relation)
      if (!(await isLinked(related, id))) throw missingChild(related.relation, model, id)
      await unlink(related, id)
      return repository.destroyById(model, id, related.options)
    },
    destroyAll: (related) => unlinkAll(related),
    exists: isLinked,
    add: link,
    remove: unlink
  }
}
