import { type Model, ValidationError } from '@modelwire/core'
import { whereOfEmbedded } from '../filter/related-keys.ts'
import { includeEmbeddedOne } from '../include/include-references.ts'
import {
  announce,
  buildInParent,
  changeEmbedded,
  embeddedInstances,
  prepareEmbedded,
  storeEmbedded
} from '../records/embedded.ts'
import { targetOf } from '../records/target-of.ts'
import type { RelationKind } from './relation-kind.ts'
import type { Related } from '../related.ts'

async function create(related: Related, data: unknown): Promise<Model> {
  const record = await prepareEmbedded(related, data)
  await storeEmbedded(related, record.toObject())
  await announce(related, 'after save', { instance: record })
  return record
}

/** LB3: a record whose id was generated cannot be changed where it is validated, pinned by relations/embeds-one. */
function refuseGeneratedId({ relation }: Related, record: Model): void {
  const { registry, idProperty, forceId } = targetOf(relation)
  if (
    !registry.rules.locksGeneratedEmbeddedIds ||
    idProperty === undefined ||
    !forceId ||
    relation.settings.options['validate'] === false ||
    record[idProperty.name] === undefined
  )
    return
  const messages = { [relation.name]: [`is invalid: ${idProperty.name} cannot be set`] }
  throw new ValidationError({ context: relation.from.name, codes: { [relation.name]: ['invalid'] }, messages })
}

async function update(related: Related, data: unknown): Promise<Model> {
  const [record] = embeddedInstances(related)
  if (record === undefined) return create(related, data)
  await changeEmbedded(related, record, data)
  refuseGeneratedId(related, record)
  await storeEmbedded(related, record.toObject())
  await announce(related, 'after save', { instance: record })
  return record
}

/** One record embedded in a property of the declaring one. */
export const embedsOne: RelationKind = {
  many: false,
  include: includeEmbeddedOne,
  filter: whereOfEmbedded,
  exposes: ['get', 'create', 'update', 'destroy'],
  methods: {
    get: async (related) => embeddedInstances(related)[0] ?? missing(related),
    all: async (related) => embeddedInstances(related),
    build: buildInParent,
    create,
    update,
    destroy: async (related) => {
      const [record] = embeddedInstances(related)
      if (record === undefined) return { count: 0 }
      await announce(related, 'before delete', { instance: record })
      await storeEmbedded(related, null)
      await announce(related, 'after delete', { instance: record })
      return { count: 1 }
    }
  }
}

/** LB3: never set is nothing, removed is null; pinned by relations/embeds-one. */
function missing({ relation, parent }: Related): null | undefined {
  return parent[relation.keyFrom] === null ? null : undefined
}
