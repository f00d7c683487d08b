import { type Model, type ModelType, RecordNotFound, repository } from '@modelwire/core'
import { findModel } from '../definition/find-target.ts'
import { resolveBelongsTo } from '../definition/resolve-belongs-to.ts'
import { whereOfTarget } from '../filter/related-keys.ts'
import { includeParent } from '../include/include-parent.ts'
import { copyProperties } from '../records/copy-properties.ts'
import { ownData } from '../records/child-data.ts'
import { relationScope } from '../records/relation-scope.ts'
import { targetOf } from '../records/target-of.ts'
import { RelationTargetMissing } from '../errors.ts'
import type { RelationKind } from '../relation-kind.ts'
import type { Related } from '../relation.ts'

/** The model that the record belongs to; null where its discriminator names none. */
function modelOf({ relation, parent }: Related): ModelType | null {
  if (relation.to !== undefined) return relation.to
  const name = parent[relation.discriminator?.property ?? '']
  return typeof name === 'string' ? (findModel(relation.from.registry, name) ?? null) : null
}

async function findOwner(related: Related): Promise<Model | null | undefined> {
  const { relation, parent, options } = related
  const key = parent[relation.keyFrom]
  const model = modelOf(related)
  if (model === null) return null
  if (key === null || key === undefined) return undefined
  const keys = { model, property: relation.keyTo, values: [key], discriminated: false, parent }
  const query = { scope: relationScope(relation, keys), filter: { limit: 1 }, options }
  return (await repository.findUnder(model, query))[0] ?? null
}

/** @throws {RecordNotFound} there is no such record */
async function ownerOf(related: Related): Promise<Model> {
  const owner = await findOwner(related)
  if (owner === null || owner === undefined)
    throw new RecordNotFound(`the ${related.relation.from.name} has no ${related.relation.name}`)
  return owner
}

function ownerModel(related: Related): ModelType {
  const model = modelOf(related)
  if (model !== null) return model
  const { from, name } = related.relation
  throw new RelationTargetMissing(`the record does not say of which model its ${name} is`, {
    model: from.name,
    key: name
  })
}

async function createOwner(related: Related, data: unknown): Promise<Model> {
  const { relation, parent, options } = related
  const model = targetOf(relation)
  const given = ownData(model, data)
  copyProperties(relation, parent, given)
  const owner = await repository.create(model, given, options)
  await repository.patchInstance(relation.from, parent, { [relation.keyFrom]: owner[relation.keyTo] }, options)
  return owner
}

/** The declaring record holds the key of one record of another model. */
export const belongsTo: RelationKind = {
  many: false,
  holdsKey: 'one',
  nests: 'one',
  resolve: resolveBelongsTo,
  include: includeParent,
  filter: whereOfTarget,
  exposes: ['get'],
  methods: {
    get: findOwner,
    build: (related, data) =>
      repository.draftInstance(targetOf(related.relation), ownData(targetOf(related.relation), data)),
    create: createOwner,
    update: async (related, data) =>
      repository.patchInstance(ownerModel(related), await ownerOf(related), data, related.options),
    destroy: async (related) => {
      const model = ownerModel(related)
      const owner = await ownerOf(related)
      return repository.destroyById(model, repository.idOf(model, owner), related.options, owner)
    }
  }
}
