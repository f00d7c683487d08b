import { type Model, RecordNotFound } from '@modelwire/core'
import { acceptedCall, asServer, RelationTargetMissing, repository } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { whereOfTarget } from '../filter/related-keys.ts'
import { includeParent } from '../include/include-parent.ts'
import { copyProperties, ownData } from '../records/child-data.ts'
import { acceptedData, relatedQuery } from '../records/related-query.ts'
import { relationScope } from '../records/relation-scope.ts'
import { keyOfTarget, modelOfParent, targetOf } from '../records/target-of.ts'
import type { RelationKind } from './relation-kind.ts'
import type { Related } from '../related.ts'

/** The records that the key leads to; null where it is not known of which model, undefined where there is no key. */
async function findOwners(related: Related, filter = {}): Promise<readonly Model[] | null | undefined> {
  const { relation, parent } = related
  const key = parent[relation.keyFrom]
  const model = modelOfParent(relation, parent)
  if (model === undefined) return null
  if (key === null || key === undefined) return undefined
  const keys = { model, property: keyOfTarget(relation, model), values: [key], discriminated: false, parent }
  const query = await relatedQuery(related, model, relationScope(relation, keys), filter)
  const owners = (await repository.readRecords(model, query)).instances()
  if (owners.length === 0 && query.restriction?.condition !== undefined) throw query.restriction.deny()
  return owners
}

async function findOwner(related: Related): Promise<Model | null | undefined> {
  const owners = await findOwners(related, { limit: 1 })
  return owners && (owners[0] ?? null)
}

/** @throws {RecordNotFound} there is no such record */
async function ownerOf(related: Related): Promise<Model> {
  const owner = await findOwner(related)
  if (owner === null || owner === undefined)
    throw new RecordNotFound(`the ${related.relation.from.name} has no ${related.relation.name}`)
  return owner
}

function ownerModel(related: Related): ModelType {
  const model = modelOfParent(related.relation, related.parent)
  if (model !== undefined) return model
  const { from, name } = related.relation
  throw new RelationTargetMissing(`the record does not name the model of its ${name}`, {
    model: from.name,
    key: name
  })
}

async function createOwner(related: Related, data: unknown): Promise<Model> {
  const { relation, parent, call } = related
  const model = targetOf(relation)
  const accepted = { ...(await acceptedData(related, model, data)) }
  const taken = copyProperties(relation, parent, accepted)
  const owner = await repository.create(model, accepted, acceptedCall(call))
  const changes = { ...taken, [relation.keyFrom]: owner[relation.keyTo] }
  await repository.patchInstance(relation.from, parent, changes, asServer(call))
  return owner
}

/** The declaring record contains the key of one record of another model. */
export const belongsTo: RelationKind = {
  many: false,
  followsKeys: true,
  include: includeParent,
  filter: whereOfTarget,
  exposes: ['get'],
  methods: {
    get: findOwner,
    all: async (related) => (await findOwners(related)) ?? [],
    build: (related, data) =>
      repository.draftInstance(targetOf(related.relation), ownData(targetOf(related.relation), data)),
    create: createOwner,
    update: async (related, data) =>
      repository.patchInstance(ownerModel(related), await ownerOf(related), data, related.call),
    destroy: async (related) => {
      const model = ownerModel(related)
      const owner = await ownerOf(related)
      return repository.destroyById(model, repository.idOf(model, owner), related.call, owner)
    }
  }
}
