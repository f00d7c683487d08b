import { type Model, RecordNotFound, repository, validateInstance } from '@modelwire/core'
import { RelatedRecordExists } from '../errors.ts'
import { whereOfChildren } from '../filter/related-keys.ts'
import { includeChild } from '../include/include-children.ts'
import { resolveChildren } from '../definition/resolve-children.ts'
import { childData, parentKey } from '../records/child-data.ts'
import { childScope, updateChild } from '../records/children.ts'
import { targetOf } from '../records/target-of.ts'
import type { RelationKind } from '../relation-kind.ts'
import type { Related } from '../relation.ts'

async function findOnly(related: Related): Promise<Model | null> {
  const { relation, options } = related
  // LB3: without a key there is nothing to look for, and no answer either
  if (relation.from.registry.compat) parentKey(related)
  const query = { scope: childScope(related), filter: { limit: 1 }, options }
  return (await repository.findUnder(targetOf(relation), query))[0] ?? null
}

/** @throws {RecordNotFound} there is none. LB3: a 500, pinned by relations/has-one */
async function onlyOf(related: Related): Promise<Model> {
  const only = await findOnly(related)
  if (only === null) throw new RecordNotFound(`the ${related.relation.from.name} has no ${related.relation.name}`)
  return only
}

/** One record of the other model holds the key of the declaring one. */
export const hasOne: RelationKind = {
  many: false,
  nests: 'one',
  resolve: resolveChildren,
  include: includeChild,
  filter: whereOfChildren,
  exposes: ['get', 'create', 'update', 'destroy'],
  methods: {
    get: findOnly,
    build: (related, data) => {
      const model = targetOf(related.relation)
      return repository.draftInstance(model, childData(related, model, data))
    },
    create: async (related, data) => {
      const model = targetOf(related.relation)
      const child = childData(related, model, data)
      if ((await findOnly(related)) === null) return repository.create(model, child, related.options)
      await validateInstance(model, repository.draftInstance(model, child), true, related.options)
      throw new RelatedRecordExists(`the ${related.relation.from.name} has a ${related.relation.name} already`)
    },
    update: async (related, data) => updateChild(related, await onlyOf(related), data),
    destroy: async (related) => {
      const model = targetOf(related.relation)
      const child = await onlyOf(related)
      return repository.destroyById(model, repository.idOf(model, child), related.options, child)
    }
  }
}
