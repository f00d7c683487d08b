import { randomBytes } from 'node:crypto'
import {
  findProblems,
  isPlainObject,
  type Model,
  type ModelType,
  repository,
  type Row,
  toDetails,
  ValidationError
} from '@modelwire/core'
import type { Related } from '../relation.ts'
import { ownData } from './child-data.ts'
import { copyProperties } from './copy-properties.ts'
import { targetOf } from './target-of.ts'

/** The id of a new embedded record: the next number, or 24 hex digits. */
function makeId({ idProperty }: ModelType, siblings: readonly Row[]): unknown {
  if (idProperty?.type.kind !== 'number') return randomBytes(12).toString('hex')
  const ids = siblings.map((row) => row[idProperty.name]).filter((id) => typeof id === 'number')
  return Math.max(0, ...ids) + 1
}

/** The embedded records of the parent as they are stored. */
export function embeddedRows({ relation, parent }: Related): readonly Row[] {
  const value: unknown = parent[relation.keyFrom]
  return (Array.isArray(value) ? value : [value]).filter(isPlainObject)
}

/** The embedded records of the parent as instances. */
export function embeddedInstances(related: Related): Model[] {
  return embeddedRows(related).map((row) => repository.toInstance(targetOf(related.relation), row))
}

/** A new embedded record that is not stored yet. */
export function buildEmbedded(related: Related, data: unknown): Model {
  const { relation, parent } = related
  const model = targetOf(relation)
  const given = ownData(model, data)
  copyProperties(relation, parent, given)
  const { options } = relation.settings
  const { name, generated } = model.idProperty ?? { name: 'id', generated: false }
  // LB3: null is an id that was given
  const isAbsent = given[name] === undefined || (given[name] === null && !model.registry.compat)
  const isGiven = !isAbsent && options['forceId'] !== true
  const wantsId = model.idProperty !== undefined && (relation.kind.many || generated)
  if (!isGiven && wantsId && options['persistent'] !== true) given[name] = makeId(model, embeddedRows(related))
  return new model.modelClass(given)
}

/** @throws {ValidationError} the record breaks a rule of its model */
export async function validateEmbedded(
  model: ModelType,
  record: Model,
  options: Record<string, unknown>
): Promise<void> {
  const problems = await findProblems(model, record, false, options)
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
}

/** Runs a hook of the embedded record's model. */
export async function announce(related: Related, hook: string, facts: Record<string, unknown>): Promise<void> {
  const { modelClass, hooks } = targetOf(related.relation)
  if (!hooks.has(hook)) return
  await modelClass.notifyObserversOf(hook, { Model: modelClass, hookState: {}, options: related.options, ...facts })
}

/** Stores what is embedded in the parent from now on. @throws {ValidationError} the parent breaks a rule with it */
export async function storeEmbedded(related: Related, value: unknown): Promise<void> {
  const { relation, parent, options } = related
  if (parent.isNewRecord()) {
    parent.setAttributes({ [relation.keyFrom]: value })
    await repository.create(relation.from, parent, options)
  } else await repository.patchInstance(relation.from, parent, { [relation.keyFrom]: value }, options)
}

/** Makes an embedded record; with `persistent` it is a record of its own as well. */
export async function prepareEmbedded(related: Related, data: unknown): Promise<Model> {
  const model = targetOf(related.relation)
  const record = buildEmbedded(related, data)
  if (related.relation.settings.options['persistent'] === true) return repository.create(model, record, related.options)
  await announce(related, 'before save', { instance: record, isNewInstance: true })
  await validateEmbedded(model, record, related.options)
  return record
}

/** Changes an embedded record in part, without storing it. */
export async function changeEmbedded(related: Related, record: Model, data: unknown): Promise<void> {
  const model = targetOf(related.relation)
  const facts = { currentInstance: record, data: ownData(model, data) }
  await announce(related, 'before save', facts)
  record.setAttributes(facts.data)
  await validateEmbedded(model, record, related.options)
}
