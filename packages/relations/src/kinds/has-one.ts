import { type Model, RecordNotFound } from '@modelwire/core'
import { acceptedCall, asServer, type Records, repository, validateInstance } from '@modelwire/core/plugin'
import { RelatedRecordExists } from '../errors.ts'
import { whereOfChildren } from '../filter/related-keys.ts'
import { includeChild } from '../include/include-children.ts'
import { childData, parentKey } from '../records/child-data.ts'
import { childQuery, updateChild } from '../records/children.ts'
import { acceptedData, relatedRights } from '../records/related-query.ts'
import { targetOf } from '../records/target-of.ts'
import type { RelationKind } from './relation-kind.ts'
import type { Related } from '../related.ts'

async function findAll(related: Related, filter = {}): Promise<Records> {
  const { relation } = related
  // LB3: without a key there is nothing to look for, and no answer either
  if (relation.from.registry.rules.refusesKeylessParents) parentKey(related)
  return repository.readRecords(targetOf(relation), await childQuery(related, filter))
}

const findOnly = async (related: Related): Promise<Model | null> =>
  (await findAll(related, { limit: 1 })).first() ?? null

/** The record, for a client: one that may see only some of the records is refused where there is none. */
async function getOnly(related: Related): Promise<Model | null> {
  const only = await findOnly(related)
  const rights = only === null ? await relatedRights(related, targetOf(related.relation)) : undefined
  if (rights?.condition !== undefined) throw rights.deny()
  return only
}

/** @throws {RecordNotFound} there is none. LB3: a 500, pinned by relations/has-one */
async function onlyOf(related: Related): Promise<Model> {
  const only = await getOnly(related)
  if (only === null) throw new RecordNotFound(`the ${related.relation.from.name} has no ${related.relation.name}`)
  return only
}

/** One record of the other model contains the key of the declaring one. */
export const hasOne: RelationKind = {
  many: false,
  followsKeys: true,
  include: includeChild,
  filter: whereOfChildren,
  exposes: ['get', 'create', 'update', 'destroy'],
  methods: {
    get: getOnly,
    all: async (related) => (await findAll(related)).instances(),
    build: (related, data) => {
      const model = targetOf(related.relation)
      return repository.draftInstance(model, childData(related, model, data))
    },
    create: async (related, data) => {
      const model = targetOf(related.relation)
      const child = childData(related, model, await acceptedData(related, model, data))
      // Others' records count, too, though the client may not see them.
      const only = await findOnly({ ...related, call: asServer(related.call) })
      if (only === null) return repository.create(model, child, acceptedCall(related.call), true)
      await validateInstance(model, repository.draftInstance(model, child), true, related.call.options)
      throw new RelatedRecordExists(`the ${related.relation.from.name} already has a ${related.relation.name}`)
    },
    update: async (related, data) => updateChild(related, await onlyOf(related), data),
    destroy: async (related) => {
      const model = targetOf(related.relation)
      const child = await onlyOf(related)
      return repository.destroyById(model, repository.idOf(model, child), related.call, child)
    }
  }
}
