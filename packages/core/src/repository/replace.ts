import { isDeepStrictEqual } from 'node:util'
import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Id, Row } from '../contract/row.ts'
import { DuplicateKey, IdMismatch, RecordNotFound } from '../errors.ts'
import { copyRow } from '../model/build-instance.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Awaitable } from '../values/awaitable.ts'
import { acceptData } from './accept-data.ts'
import { announceWhere } from './announce.ts'
import { createBy, draftInstance, toData } from './create.ts'
import { insertOrFind } from './overtaken.ts'
import { type Draft, finishDraft, prepareDraft, rowOf } from './write.ts'
import { isFree, notFoundError, storedToWrite, type Write, writeBy, writeOneBy } from './write-within.ts'
import { findOrInsert } from './upsert-found.ts'
import { collectionOf, idOf, idPropertyOf, isOutOfScope, toId, whereId, withoutId } from './identify.ts'

/** A stored record that shows what it was replaced by. */
function finishReplacement(
  model: ModelType,
  draft: Draft,
  row: Row,
  write: Write,
  isNew = false
): Awaitable<ModelInstance> {
  for (const { name, rawDefault } of model.plan) if (rawDefault !== undefined) draft.instance[name] = row[name]
  return finishDraft(model, draft, row, write, { isNew })
}

/** The data of a replacement: what a client leaves out and may not set stays as it is stored. */
async function acceptWhole(model: ModelType, key: Id | undefined, input: Row, write: Write): Promise<Row> {
  if (isFree(model, write) || key === undefined) return input
  const stored = await storedToWrite(model, key, write)
  return stored === undefined ? input : acceptData(model, input, write, 'whole', stored)
}

/**
 * Replaces the record with this id as a whole; absent properties get their defaults.
 * @throws {RecordNotFound} there is none
 * @throws {IdMismatch} `data` has another id
 * @throws {ValidationError} it breaks a rule
 */
export async function replaceById(
  model: ModelType,
  id: unknown,
  data: unknown,
  call: Call = callOf()
): Promise<ModelInstance> {
  return replaceBy(model, id, data, await writeOneBy(model, call, 'replaceById'))
}

async function replaceBy(model: ModelType, id: unknown, data: unknown, write: Write): Promise<ModelInstance> {
  const { name } = idPropertyOf(model)
  const key = toId(model, id)
  const input = toData(model, data)
  // LB3: the id of a replacement is compared strictly, so `"1"` is not 1, and null is dropped; pinned by crud/put-instance.
  if (input[name] !== undefined && input[name] !== null && input[name] !== key)
    throw new IdMismatch(`the ${name} of a ${model.name} cannot be changed`)
  const accepted = await acceptWhole(model, key, input, write)
  const drafting = { sent: input, where: whereId(model, key), isNew: false }
  const draft = await prepareDraft(model, draftInstance(model, { ...accepted, [name]: key }), write, drafting)
  const row = await rowOf(model, draft, write)
  const isThere = key !== undefined && !(await isOutOfScope(model, key))
  const { condition } = write.restriction ?? {}
  const replaced = isThere && (await collectionOf(model, 'replace').replace(key, row, condition))
  if (!replaced) throw notFoundError(write, () => missing(model, id))
  return finishReplacement(model, draft, row, write)
}

const missing = (model: ModelType, id: unknown): Error =>
  Object.assign(new RecordNotFound(`no ${model.name} has the id ${JSON.stringify(id)}`), { status: 404 })

/** Replaces a stored record as a whole; the instance shows the new record afterwards. */
export async function replaceInstance(
  model: ModelType,
  current: ModelInstance,
  data: unknown,
  call: Call = callOf()
): Promise<ModelInstance> {
  const replaced = await replaceById(model, idOf(model, current), data, call)
  for (const key of Object.keys(current)) if (!Object.hasOwn(replaced, key)) delete current[key]
  copyRow(current, replaced)
  return current
}

async function replaceMatching(model: ModelType, where: unknown, input: Row, write: Write): Promise<ModelInstance> {
  const made = await findOrInsert(model, where, input, write)
  return 'inserted' in made ? made.inserted : replaceBy(model, idOf(model, made.found), input, write)
}

/**
 * Replaces the record with the data's id, or creates one. Where ids are the database's own, an id that is not stored is an
 * error.
 * @throws {RecordNotFound} the id is not stored and clients may not choose ids
 * @see recordings crud/put-collection and crud/force-id
 */
export async function replaceOrCreate(model: ModelType, data: unknown, call: Call = callOf()): Promise<ModelInstance> {
  const input = toData(model, data)
  const { name } = idPropertyOf(model)
  const id = input[name]
  const write = await writeBy(model, call, 'replaceOrCreate')
  if (id === undefined || id === null) return createBy(model, input, write)
  if (model.forceId) return replaceBy(model, id, withoutId(model, input), write)
  const hookState = {}
  const where = whereId(model, id)
  const wanted = await announceWhere(model, where, call, hookState)
  // LB3: where observers change which record is meant, it is looked for.
  if (!isDeepStrictEqual(wanted, where)) return replaceMatching(model, wanted, input, write)
  const accepted = await acceptUpsert(model, toId(model, id), input, write)
  const drafting = { sent: input, where, isNew: false, hookState }
  const draft = await prepareDraft(model, draftInstance(model, accepted), write, drafting)
  const row = await rowOf(model, draft, write)
  const collection = collectionOf(model, 'replace')
  const key = toId(model, row[name])
  if (key !== undefined && (await isOutOfScope(model, key))) throw new DuplicateKey(model.name, name, key)
  const { condition } = write.restriction ?? {}
  const replace = async (): Promise<true | undefined> =>
    key !== undefined && (await collection.replace(key, row, condition)) ? true : undefined
  const isStored = (await replace()) === true
  const isNew =
    !isStored && 'inserted' in (await insertOrFind(model, async () => insertWithin(model, row, write), replace))
  // Some ids of clients count as none.
  if (isNew) draft.instance[name] = row[name]
  return finishReplacement(model, draft, row, write, isNew)
}

/** The data of a record with an id of the client's: it replaces the stored one, or is a new one. */
async function acceptUpsert(model: ModelType, key: Id | undefined, input: Row, write: Write): Promise<Row> {
  if (isFree(model, write)) return input
  const stored = key === undefined ? undefined : await storedToWrite(model, key, write)
  return acceptData(model, input, write, stored === undefined ? 'new' : 'whole', stored)
}

/**
 * A client that may change only some of the records cannot create one with an id of its choice: that would reveal which
 * ids exist.
 */
async function insertWithin(model: ModelType, row: Row, { restriction }: Write): Promise<void> {
  if (restriction?.condition !== undefined) throw restriction.deny()
  const { name } = idPropertyOf(model)
  const [stored = row] = await collectionOf(model, 'insert').insert([row])
  row[name] = stored[name]
}
