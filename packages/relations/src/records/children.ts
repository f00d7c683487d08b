import type { Model } from '@modelwire/core'
import type { Row, ModelType } from '@modelwire/core/connector'
import { acceptedCall, repository, TrustedWhere } from '@modelwire/core/plugin'
import { allInOrder, isPlainObject } from '@modelwire/server'
import type { Related, ToManyMethods } from '../related.ts'
import { childData, refuseOtherKey, missingChild } from './child-data.ts'
import { acceptedData, filterById, relatedQuery } from './related-query.ts'
import { matchesNothing, relationScope } from './relation-scope.ts'
import { targetOf } from './target-of.ts'

/** The scope of the records that hold the parent's key. */
function childScope({ relation, parent }: Related): repository.QueryScope {
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
async function findChild(related: Related, id: unknown): Promise<Model> {
  const model = targetOf(related.relation)
  const key = repository.toId(model, id)
  const query = key === undefined ? undefined : await childQuery(related, filterById(model, key))
  const found = query && (await repository.readRecords(model, query)).first()
  if (found === undefined) throw await missingChild(related, model, id)
  return found
}

/** A query of the children with the rights of the caller. */
export function childQuery(related: Related, filter: unknown): Promise<repository.Query> {
  return relatedQuery(related, targetOf(related.relation), childScope(related), filter)
}

function wireOf(related: Related, where: unknown): Record<string, unknown> {
  const { where: scope } = childScope(related).wire()
  return {
    and: [
      isPlainObject(scope) ? new TrustedWhere(scope) : {},
      ...(where === undefined || where === null ? [] : [where])
    ]
  }
}

async function createIn(related: Related, model: ModelType, data: unknown): Promise<Model | Model[]> {
  const call = acceptedCall(related.call)
  const childOf = async (item: unknown): Promise<Row> =>
    childData(related, model, await acceptedData(related, model, item))
  if (!Array.isArray(data)) return repository.create(model, await childOf(data), call)
  return repository.createAll(model, await allInOrder(data.map(childOf)), call)
}

/**
 * Partially updates a child.
 * @throws {ForeignKeyFixed} it would get another parent
 */
export async function updateChild(related: Related, child: Model, data: unknown): Promise<Model> {
  refuseOtherKey(related, data)
  return repository.patchInstance(targetOf(related.relation), child, data, related.call)
}

/** The methods of relations whose records contain their parent's key. */
export const childMethods: ToManyMethods = {
  find: async (related, filter) =>
    repository.readRecords(targetOf(related.relation), { ...(await childQuery(related, filter)), isList: true }),
  list: async (related, filter) =>
    repository.readList(targetOf(related.relation), { ...(await childQuery(related, filter)), isList: true }),
  count: async (related, where) =>
    repository.countRecords(targetOf(related.relation), await childQuery(related, where)),
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
    return repository.destroyById(model, repository.idOf(model, child), related.call, child)
  },
  destroyAll: async (related, where) => {
    if (matchesNothing(childScope(related))) return { count: 0 }
    return repository.destroyAll(targetOf(related.relation), wireOf(related, where), related.call)
  },
  updateAll: async (related, where, data) => {
    refuseOtherKey(related, data)
    if (matchesNothing(childScope(related))) return { count: 0 }
    return repository.updateAll(targetOf(related.relation), wireOf(related, where), data, related.call)
  },
  exists: async (related, id) => {
    const model = targetOf(related.relation)
    const where = new TrustedWhere(repository.whereId(model, repository.toId(model, id) ?? null))
    return (await repository.countRecords(model, await childQuery(related, where))) > 0
  }
}
