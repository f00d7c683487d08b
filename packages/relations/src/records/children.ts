import { type Found, type Model, type ModelType, repository, type Row } from '@modelwire/core'
import type { ToManyMethods } from '../relation-kind.ts'
import type { Related } from '../relation.ts'
import { childData, refuseOtherKey } from './child-data.ts'
import { missingChild } from './missing-child.ts'
import { matchesNothing, relationScope } from './relation-scope.ts'
import { targetOf } from './target-of.ts'

/** The scope of the records that hold the parent's key. */
export function childScope({ relation, parent }: Related): repository.QueryScope {
  const values = [parent[relation.keyFrom]]
  return relationScope(relation, {
    model: targetOf(relation),
    property: relation.keyTo,
    values,
    discriminated: true,
    parent
  })
}

/** The child with this id. @throws {RecordNotFound} there is none, or it is another parent's */
export async function findChild(related: Related, id: unknown): Promise<Model> {
  const model = targetOf(related.relation)
  const key = repository.toId(model, id)
  const filter = { where: repository.whereId(model, key), limit: 1 }
  const found = key === undefined ? [] : await repository.findUnder(model, { ...queryOf(related), filter })
  if (found[0] === undefined) throw missingChild(related.relation, model, id)
  return found[0]
}

/** A query of the children for code: what is asked for was checked. */
function queryOf(related: Related): Omit<repository.ScopedQuery, 'filter'> {
  return { scope: childScope(related), options: withoutLimits(related.options) }
}

/** Ids in paths are no filters of clients. */
function withoutLimits(options: Record<string, unknown>): Record<string, unknown> {
  return { ...options, prohibitHiddenPropertiesInQuery: false }
}

function wireOf(related: Related, where: unknown): Record<string, unknown> {
  const { where: scope } = childScope(related).wire()
  return where === undefined || where === null ? { and: [scope] } : { and: [scope, where] }
}

function createIn(related: Related, model: ModelType, data: unknown): Promise<Model | Model[]> {
  if (!Array.isArray(data)) return repository.create(model, childData(related, model, data), related.options)
  const list = data.map((item: unknown) => childData(related, model, item))
  return repository.createAll(model, list, related.options)
}

/** Changes a child in part. @throws {ForeignKeyFixed} it would get another parent */
export async function updateChild(related: Related, child: Model, data: unknown): Promise<Model> {
  refuseOtherKey(related, data)
  return repository.patchInstance(targetOf(related.relation), child, data, related.options)
}

/** What can be done with records that hold their parent's key. */
export const childMethods: ToManyMethods = {
  find: (related, filter) =>
    repository.findUnder(targetOf(related.relation), { scope: childScope(related), filter, options: related.options }),
  findRows: (related, filter): Promise<Found | Model[]> =>
    repository.findRowsUnder(targetOf(related.relation), {
      scope: childScope(related),
      filter,
      options: related.options
    }),
  count: (related, where) =>
    repository.countUnder(targetOf(related.relation), {
      scope: childScope(related),
      filter: where,
      options: related.options
    }),
  build: (related, data) => {
    const model = targetOf(related.relation)
    return repository.draftInstance(model, childData(related, model, data))
  },
  create: (related, data) => createIn(related, targetOf(related.relation), data),
  findById: findChild,
  updateById: async (related, id, data) => updateChild(related, await findChild(related, id), data),
  destroyById: async (related, id) => {
    const child = await findChild(related, id)
    const model = targetOf(related.relation)
    return repository.destroyById(model, repository.idOf(model, child), related.options, child)
  },
  destroyAll: async (related, where) => {
    if (matchesNothing(childScope(related))) return { count: 0 }
    return repository.destroyAll(targetOf(related.relation), wireOf(related, where), withoutLimits(related.options))
  },
  updateAll: async (related, where, data: Row) => {
    refuseOtherKey(related, data)
    if (matchesNothing(childScope(related))) return { count: 0 }
    return repository.updateAll(
      targetOf(related.relation),
      wireOf(related, where),
      data,
      withoutLimits(related.options)
    )
  },
  exists: async (related, id) => {
    const model = targetOf(related.relation)
    const where = repository.whereId(model, repository.toId(model, id) ?? null)
    return (await repository.countUnder(model, { ...queryOf(related), filter: where })) > 0
  }
}
