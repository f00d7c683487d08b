import { isDeepStrictEqual } from 'node:util'
import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Id, Row } from '../contract/row.ts'
import { DuplicateKey, IdMismatch, RecordNotFound } from '../errors.ts'
import { notifyHook } from '../model/notify-hook.ts'
import { convertAgain, copyRow, toRow } from '../model/build-instance.ts'
import { stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { validateInstance } from '../validation/validate-instance.ts'
import { acceptData } from './accept-data.ts'
import { announceChange } from './announce-change.ts'
import { createBy, draftInstance, toData } from './create.ts'
import { insertOrFind } from './overtaken.ts'
import { announceSaved } from './announce-saved.ts'
import { checkAdmitted, isFree, notFoundError, showAfter, storedToWrite, type Write, writeBy } from './write-within.ts'
import { findAnnounced } from './find-matching.ts'
import { announceAccess } from './read-plan.ts'
import { collectionOf, idOf, idPropertyOf, isOutOfScope, toId, whereId, withoutId } from './identify.ts'

interface Replacement {
  readonly instance: ModelInstance
  readonly hookState: Record<string, unknown>
  readonly row: Row
}

/** What preparing a replacement needs. */
interface Replacing {
  readonly write: Write
  readonly hookState: Record<string, unknown>
}

async function prepareReplacement(
  model: ModelType,
  instance: ModelInstance,
  id: unknown,
  { write, hookState }: Replacing
): Promise<Replacement> {
  const { options } = write.call
  if (model.hooks.has('before save')) {
    await notifyHook(model, 'before save', { instance, isNewInstance: false, hookState }, options)
    convertAgain(model, instance)
  }
  await validateInstance(model, instance, false, options)
  const made = toRow(model, instance)
  const facts = {
    data: made,
    currentInstance: instance,
    where: whereId(model, id),
    isNewInstance: false,
    hookState
  }
  const row = model.hooks.has('persist') ? ((await notifyHook(model, 'persist', facts, options)).data ?? made) : made
  await checkAdmitted(write, row)
  return { instance, hookState, row }
}

async function finishReplacement(
  model: ModelType,
  { instance, hookState, row }: Replacement,
  write: Write,
  { sent, isNew = false }: { readonly sent: Row; readonly isNew?: boolean }
): Promise<ModelInstance> {
  stateOf(instance).persisted = true
  for (const { name, rawDefault } of model.plan) if (rawDefault !== undefined) instance[name] = row[name]
  await announceSaved(model, { instance, row, isNew, hookState }, write.call, true)
  announceChange(model, { kind: isNew ? 'create' : 'update', id: idOf(model, row), after: row })
  return showAfter(model, instance, write, { row, sent })
}

/** The data of a replacement: what a client leaves out and may not set stays as it is stored. */
async function acceptWhole(model: ModelType, key: Id | undefined, given: Row, write: Write): Promise<Row> {
  if (isFree(model, write) || key === undefined) return given
  const stored = await storedToWrite(model, key, write)
  return stored === undefined ? given : acceptData(model, given, write, 'whole', stored)
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
  return replaceBy(model, id, data, await writeBy(model, call, 'replaceById'))
}

async function replaceBy(model: ModelType, id: unknown, data: unknown, write: Write): Promise<ModelInstance> {
  const { name } = idPropertyOf(model)
  const key = toId(model, id)
  const given = toData(model, data)
  // LB3: the id of a replacement is compared strictly, so `"1"` is not 1, and null is dropped; pinned by crud/put-instance.
  if (given[name] !== undefined && given[name] !== null && given[name] !== key)
    throw new IdMismatch(`the ${name} of a ${model.name} cannot be changed`)
  const accepted = await acceptWhole(model, key, given, write)
  const draft = draftInstance(model, { ...accepted, [name]: key })
  const replacement = await prepareReplacement(model, draft, key, { write, hookState: {} })
  const isThere = key !== undefined && !(await isOutOfScope(model, key))
  const { condition } = write.restriction ?? {}
  const replaced = isThere && (await collectionOf(model, 'replace').replace(key, replacement.row, condition))
  if (!replaced) throw notFoundError(write, () => missing(model, id))
  return finishReplacement(model, replacement, write, { sent: given })
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

async function replaceMatching(model: ModelType, where: unknown, given: Row, write: Write): Promise<ModelInstance> {
  const current = await findAnnounced(model, where, write)
  if (current === undefined) return createBy(model, withoutId(model, given), write)
  return replaceBy(model, idOf(model, current), given, write)
}

/**
 * Replaces the record with the data's id, or creates one. Where ids are the database's own, an id that is not stored is an
 * error.
 * @throws {RecordNotFound} the id is not stored and clients may not choose ids
 * @see recordings crud/put-collection and crud/force-id
 */
export async function replaceOrCreate(model: ModelType, data: unknown, call: Call = callOf()): Promise<ModelInstance> {
  const given = toData(model, data)
  const { name } = idPropertyOf(model)
  const id = given[name]
  const write = await writeBy(model, call, 'replaceOrCreate')
  if (id === undefined || id === null) return createBy(model, given, write)
  if (model.forceId) return replaceBy(model, id, withoutId(model, given), write)
  const hookState = {}
  if (model.hooks.has('access')) {
    const where = whereId(model, id)
    const { where: wanted } = await announceAccess(model, { where }, call, hookState)
    // LB3: where observers change which record is meant, it is looked for.
    if (!isDeepStrictEqual(wanted, where)) return replaceMatching(model, wanted, given, write)
  }
  const accepted = await acceptUpsert(model, toId(model, id), given, write)
  const replacement = await prepareReplacement(model, draftInstance(model, accepted), id, { write, hookState })
  const collection = collectionOf(model, 'replace')
  const key = toId(model, replacement.row[name])
  if (key !== undefined && (await isOutOfScope(model, key))) throw new DuplicateKey(model.name, name, key)
  const { condition } = write.restriction ?? {}
  const { row } = replacement
  const replace = async (): Promise<true | undefined> =>
    key !== undefined && (await collection.replace(key, row, condition)) ? true : undefined
  const isStored = (await replace()) === true
  const isNew =
    !isStored && 'inserted' in (await insertOrFind(model, async () => insertWithin(model, row, write), replace))
  return finishReplacement(model, replacement, write, { sent: given, isNew })
}

/** The data of a record with an id of the client's: it replaces the stored one, or is a new one. */
async function acceptUpsert(model: ModelType, key: Id | undefined, given: Row, write: Write): Promise<Row> {
  if (isFree(model, write)) return given
  const stored = key === undefined ? undefined : await storedToWrite(model, key, write)
  return acceptData(model, given, write, stored === undefined ? 'new' : 'whole', stored)
}

/** A client who may change some of the records alone makes none with an id of his own: it would tell which ids there are. */
async function insertWithin(model: ModelType, row: Row, { restriction }: Write): Promise<void> {
  if (restriction?.condition !== undefined) throw restriction.deny()
  await collectionOf(model, 'insert').insert([row])
}
