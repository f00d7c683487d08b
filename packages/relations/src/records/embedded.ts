import { randomBytes } from 'node:crypto'
import { Model, ValidationError } from '@modelwire/core'
import type { Row, ModelType } from '@modelwire/core/connector'
import {
  acceptedCall,
  asServer,
  type Call,
  findProblems,
  makesNoEmbeddedIds,
  repository,
  toDetails
} from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import type { Related } from '../related.ts'
import { copyProperties, ownData } from './child-data.ts'
import { targetOf } from './target-of.ts'

/** The id of a new embedded record: the next number, or 24 hex digits. */
function makeId({ idProperty }: ModelType, siblings: readonly Row[]): unknown {
  if (idProperty?.type.kind !== 'number') return randomBytes(12).toString('hex')
  const ids = siblings.map((row) => row[idProperty.name]).filter((id) => typeof id === 'number')
  return Math.max(0, ...ids) + 1
}

const rowOf = (value: unknown): unknown => (value instanceof Model ? value.toObject() : value)

/** The stored embedded records of the parent, including those that were built for it. */
export function embeddedRows({ relation, parent }: Related): readonly Row[] {
  const value: unknown = parent[relation.keyFrom]
  return (Array.isArray(value) ? value : [value]).map(rowOf).filter(isPlainObject)
}

/** Builds an embedded record in its parent, which stores it when it is saved. */
export function buildInParent(related: Related, data: unknown): Model {
  const { relation, parent } = related
  const record = buildEmbedded(related, data)
  const held: unknown = parent[relation.keyFrom]
  // The instance itself: what is set in it until the parent is saved is stored as well.
  parent[relation.keyFrom] = relation.many ? [...(Array.isArray(held) ? (held as unknown[]) : []), record] : record
  return record
}

/** The embedded records of the parent as instances. */
export function embeddedInstances(related: Related): Model[] {
  return embeddedRows(related).map((row) => repository.toInstance(targetOf(related.relation), row))
}

/** A new embedded record that is not stored yet. */
function buildEmbedded(related: Related, data: unknown): Model {
  const { relation, parent } = related
  const model = targetOf(relation)
  const own = ownData(model, data)
  copyProperties(relation, parent, own)
  const { options } = relation.settings
  const { name, generated } = model.idProperty ?? { name: 'id', generated: false }
  // LB3: null counts as an id
  const isAbsent = own[name] === undefined || (own[name] === null && !model.registry.rules.takesNullForId)
  const isSupplied = !isAbsent && options['forceId'] !== true
  // LB3: where the data source makes no ids, embedsMany counts numbers; all else needs an id of the caller's.
  const isMade = !makesNoEmbeddedIds(model) || (relation.many && model.idProperty?.type.kind === 'number')
  const wantsId = model.idProperty !== undefined && (relation.many || generated) && isMade
  if (!isSupplied && wantsId && options['persistent'] !== true) own[name] = makeId(model, embeddedRows(related))
  return new model.modelClass(own)
}

/** @throws {ValidationError} the record breaks a rule of its model */
async function validateEmbedded(model: ModelType, record: Model, call: Call): Promise<void> {
  const problems = await findProblems(model, record, false, call.options)
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
}

/** Runs a hook of the embedded record's model. */
export async function announce(
  { relation, call }: Related,
  name: Parameters<typeof repository.announce>[1],
  facts: repository.HookFacts
): Promise<void> {
  await repository.announce(targetOf(relation), name, facts, call)
}

/**
 * Stores the new embedded value of the parent.
 * @throws {ValidationError} the parent breaks a rule with it
 */
export async function storeEmbedded(related: Related, value: unknown): Promise<void> {
  const { relation, parent, call } = related
  if (parent.isNewRecord()) {
    parent.setAttributes({ [relation.keyFrom]: value })
    await repository.create(relation.from, parent, asServer(call))
  } else await repository.patchInstance(relation.from, parent, { [relation.keyFrom]: value }, asServer(call))
}

/**
 * Creates an embedded record; with `persistent` it is also stored as a separate record.
 * @param onBuilt called with the record before anything is awaited
 */
export async function prepareEmbedded(
  related: Related,
  data: unknown,
  onBuilt: (record: Model) => void = () => {}
): Promise<Model> {
  const model = targetOf(related.relation)
  // Parts of a record have no access rules of their own, but properties that are not for clients to set.
  const accepted = repository.acceptNew(model, data, { call: related.call, restriction: undefined })
  const record = buildEmbedded(related, accepted)
  if (related.relation.settings.options['persistent'] === true)
    return repository.create(model, record, acceptedCall(related.call))
  onBuilt(record)
  await announce(related, 'before save', { instance: record, isNewInstance: true })
  await validateEmbedded(model, record, related.call)
  return record
}

/** Partially updates an embedded record, without storing it. */
export async function changeEmbedded(related: Related, record: Model, sent: unknown): Promise<void> {
  const model = targetOf(related.relation)
  const write = { call: related.call, restriction: undefined }
  const data = repository.acceptData(model, ownData(model, sent), write, 'part', record)
  const facts = { currentInstance: record, data }
  await announce(related, 'before save', facts)
  record.setAttributes(facts.data)
  await validateEmbedded(model, record, related.call)
}
