import { type Model, ModelNotFound } from '@modelwire/core'
import { keyOf, repository, type ResolvedRelation } from '@modelwire/core/plugin'
import { isSameKey } from '@modelwire/core/connector'
import { whereOfEmbedded } from '../filter/related-keys.ts'
import { includeEmbeddedMany } from '../include/include-references.ts'
import { selectEmbedded, selectEmbeddedRows } from '../records/select-embedded.ts'
import {
  announce,
  buildInParent,
  changeEmbedded,
  embeddedInstances,
  embeddedRows,
  prepareEmbedded,
  storeEmbedded
} from '../records/embedded.ts'
import { refuseList } from '../records/child-data.ts'
import { targetOf } from '../records/target-of.ts'
import type { RelationKind } from './relation-kind.ts'
import type { Related } from '../related.ts'

async function store(related: Related, records: readonly Model[]): Promise<void> {
  await storeEmbedded(
    related,
    records.map((record) => record.toObject())
  )
}

const notFound = ({ name }: ResolvedRelation, key: unknown): ModelNotFound =>
  new ModelNotFound(`no embedded "${name}" has the id ${JSON.stringify(key)}`)

function partOf(related: Related, records: readonly Model[], target: unknown): Model | undefined {
  const { keyTo } = related.relation
  const key = keyOf(target, keyTo)
  return records.find((record) => isSameKey(record[keyTo], key))
}

/** @throws {ModelNotFound} the parent has no such part */
function find(related: Related, records: readonly Model[], target: unknown): Model {
  const found = partOf(related, records, target)
  if (found === undefined) throw notFound(related.relation, keyOf(target, related.relation.keyTo))
  return found
}

/** @throws {ModelNotFound} the parent has no such part, and the application is one of Modelwire's own */
async function findById(related: Related, id: unknown): Promise<Model | null> {
  const records = embeddedInstances(related)
  return related.relation.from.registry.rules.findsNoEmbeddedAsNull
    ? (partOf(related, records, id) ?? null)
    : find(related, records, id)
}

async function create(related: Related, data: unknown): Promise<Model> {
  await refuseList(targetOf(related.relation), data, related.call)
  const { keyFrom, settings } = related.relation
  const held = (): readonly unknown[] => [related.parent[keyFrom] ?? []].flat()
  let built: Model | undefined
  // Others that are made at the same time find it in the list, which each of them stores whole.
  const hold = (record: Model): void => {
    built = record
    related.parent[keyFrom] = settings.options['prepend'] === true ? [record, ...held()] : [...held(), record]
  }
  try {
    const record = await prepareEmbedded(related, data, hold)
    if (built === undefined) hold(record)
    await store(related, embeddedInstances(related))
    await announce(related, 'after save', { instance: record })
    return record
  } catch (error) {
    related.parent[keyFrom] = held().filter((each) => each !== built)
    throw error
  }
}

async function updateById(related: Related, id: unknown, data: unknown): Promise<Model> {
  const records = embeddedInstances(related)
  const record = find(related, records, id)
  await changeEmbedded(related, record, data)
  await store(related, records)
  await announce(related, 'after save', { instance: record })
  return record
}

async function destroyById(related: Related, id: unknown): Promise<{ count: number }> {
  const records = embeddedInstances(related)
  const record = find(related, records, id)
  await announce(related, 'before delete', { instance: record })
  await store(
    related,
    records.filter((each) => each !== record)
  )
  await announce(related, 'after delete', { instance: record })
  return { count: 1 }
}

async function destroyAll(related: Related, where: unknown): Promise<{ count: number }> {
  const rows = embeddedRows(related)
  const filter = where === undefined || where === null ? undefined : { where }
  const gone = new Set(selectEmbeddedRows(related, rows, filter))
  const model = targetOf(related.relation)
  const left = rows.filter((row) => !gone.has(row)).map((row) => repository.toInstance(model, row))
  await store(related, left)
  return { count: gone.size }
}

/** A list of records embedded in a property of the declaring one. */
export const embedsMany: RelationKind = {
  many: true,
  include: includeEmbeddedMany,
  filter: whereOfEmbedded,
  exposes: ['findById', 'destroyById', 'updateById', 'get', 'create', 'delete', 'count'],
  methods: {
    find: selectEmbedded,
    count: async (related, where) => selectEmbeddedRows(related, embeddedRows(related), { where }).length,
    build: buildInParent,
    create,
    findById,
    updateById,
    destroyById,
    destroyAll,
    at: async (related, index) => embeddedInstances(related)[index] ?? null,
    exists: async (related, id) => {
      const { keyTo } = related.relation
      return embeddedInstances(related).some((record) => isSameKey(record[keyTo], keyOf(id, keyTo)))
    }
  }
}
