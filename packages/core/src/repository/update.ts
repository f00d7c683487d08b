import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import { IdMismatch, InvalidValue, RecordNotFound } from '../errors.ts'
import { scopeValues } from '../filter/default-scope.ts'
import type { Condition } from '../contract/condition.ts'
import { conditionWithin } from '../filter/restriction.ts'
import { openTrusted } from '../filter/trusted-where.ts'
import { beginActions, type EndActions } from '../model/begin-actions.ts'
import { assign, copyRow, toRow } from '../model/build-instance.ts'
import { stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { validateEach } from '../validation/validate-each.ts'
import { refuseUnstorable, validateInstance } from '../validation/validate-instance.ts'
import { acceptData } from './accept-data.ts'
import { announce, announceChange, announcePersist, announceWhere } from './announce.ts'
import { assertClientQuery } from './assert-client-query.ts'
import { checkAffected } from './check-affected.ts'
import { checkedPatch } from './checked-patch.ts'
import { completeRow } from './complete-row.ts'
import { checkWithin } from './check-within.ts'
import { toData } from './create.ts'
import { findById } from './find.ts'
import { collectionOf, idOf, idPropertyOf, onlyId, whereId, withoutId } from './identify.ts'
import { toInstance } from './to-instance.ts'
import { finish, showing, type Stored, updatesOnLoad } from './write.ts'
import {
  checkAdmitted,
  isNativeClient,
  notFoundError,
  reachedBy,
  readingToWrite,
  type Write,
  writeBy,
  writeOneBy
} from './write-within.ts'
import { resolveChangingWhere } from './resolve-related.ts'
import { clonePlain, isPlainObject, setOwn } from '../values/clone-plain.ts'

/** Data has no other objects: an id that is one of a database's own is none of these. */
const isStructure = (value: unknown): boolean => Array.isArray(value) || isPlainObject(value)

/** LB3: the id of a patch is compared loosely, so `"1"` is 1, but null is refused; pinned by crud/patch-instance. */
export function keepsId(model: ModelType, data: Row, id: unknown): boolean {
  const { name } = idPropertyOf(model)
  const value = Object.hasOwn(data, name) ? data[name] : undefined
  return value === undefined || (!isStructure(value) && String(value) === String(id))
}

/** @throws {IdMismatch} the data has another id */
export function checkSameId(model: ModelType, data: Row, id: unknown): void {
  if (keepsId(model, data, id)) return
  throw new IdMismatch(`the ${idPropertyOf(model).name} of a ${model.name} cannot be changed`)
}

/** What a patch changes: everything it names with a value, the id left out, and what the default scope demands. */
function changesOf(model: ModelType, data: Row): Row {
  const entries = Object.entries(withoutId(model, data)).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(entries), ...scopeValues(model) }
}

/** The stored form of the properties that `data` names. */
function changedProperties(current: ModelInstance, data: Row): Row {
  const patch: Row = {}
  for (const key of Object.keys(data)) if (Object.hasOwn(current, key)) setOwn(patch, key, clonePlain(current[key]))
  return patch
}

/** A patch of one record: its id, on whose behalf it is written, and what its observers share. */
interface PatchWork {
  readonly id: unknown
  readonly write: Write
  readonly hookState: Row
}

/** Changes the instance as observers of `before save` leave the data, and checks it; gives the data, and what runs afterwards. */
async function preparePatch(
  model: ModelType,
  current: ModelInstance,
  input: Row,
  { id, write: { call }, hookState }: PatchWork,
  validates: boolean
): Promise<{ data: Row; end: EndActions | undefined }> {
  const facts = { data: input, where: whereId(model, id), currentInstance: current, hookState }
  const data = (await announce(model, 'before save', facts, call)).data ?? input
  assign(model, current, data)
  if (validates) await validateInstance(model, current, false, call.options, { data })
  else refuseUnstorable(model, current)
  const end = await beginActions(model, current, ['save', 'update'], data)
  if (end !== undefined) assign(model, current, data)
  return { data, end }
}

/** Stores what `data` changed; gives what was stored. */
async function storePatch(
  model: ModelType,
  current: ModelInstance,
  data: Row,
  { id, write, hookState }: PatchWork
): Promise<Row> {
  const changed = changedProperties(current, data)
  const facts = { data: changed, where: whereId(model, id), currentInstance: current, isNewInstance: false, hookState }
  const patch = await announcePersist(model, facts, write.call)
  if (write.restriction?.admits !== undefined) await checkAdmitted(write, { ...toRow(model, current), ...patch })
  const count = await collectionOf(model, 'update').update(idWithin(model, id, write), patch)
  if (count === 0) throw notFoundError(write, () => noRecord(model, id))
  return patch
}

/** The condition on the one record that a write is about, within what the client may change. */
export const idWithin = (model: ModelType, id: unknown, { restriction }: Write): Condition =>
  conditionWithin(restriction, onlyId(model, id)) ?? onlyId(model, id)

const noRecord = (model: ModelType, id: unknown): RecordNotFound =>
  new RecordNotFound(`no ${model.name} has the id ${JSON.stringify(id)}`)

function restore(instance: ModelInstance, before: Row): void {
  for (const key of Object.keys(instance)) if (!Object.hasOwn(before, key)) delete instance[key]
  copyRow(instance, before)
  stateOf(instance).unusable?.clear()
  delete stateOf(instance).undeclared
}

/**
 * Changes some properties of a stored record; the whole is validated. The instance shows the changes afterwards.
 * @throws {ValidationError} the record would break a rule
 * @throws {IdMismatch} `data` has another id
 * @throws {RecordNotFound} it is not stored any more
 */
export async function patchInstance(
  model: ModelType,
  current: ModelInstance,
  data: unknown,
  call: Call = callOf()
): Promise<ModelInstance> {
  const write = await writeOneBy(model, call, 'patchAttributes')
  // Errors of the data would reveal a record that the client may not change.
  await checkWithin(model, idOf(model, current), write.restriction)
  return patchInstanceBy(model, current, data, write)
}

/**
 * Like `patchInstance`, by whatever method of the model.
 * @param validates off for an upsert by code, and for that of LoopBack: they store what they are given
 */
export async function patchInstanceBy(
  model: ModelType,
  current: ModelInstance,
  data: unknown,
  write: Write,
  validates = true
): Promise<ModelInstance> {
  const work = { id: idOf(model, current), write, hookState: {} }
  const input = toData(model, data)
  checkSameId(model, input, work.id)
  const before: Row = Object.assign({}, current)
  const changes = changesOf(model, acceptData(model, input, write, 'part', before))
  let stored: Stored<ModelInstance>
  try {
    const prepared = await preparePatch(model, current, changes, work, validates)
    const row = await storePatch(model, current, prepared.data, work)
    const show = showing(model, current, row, updatesOnLoad(model))
    stored = { ...work, row, end: prepared.end, after: current, isNew: false, sent: input, show }
  } catch (error) {
    // What is not stored does not show in the caller's instance either.
    restore(current, before)
    throw error
  }
  return finish(model, stored, write)
}

/**
 * Changes some properties of the record with this id, as an upsert does: its rules are checked for clients, unless
 * `updatesWithoutRules` holds, and not for code.
 * @throws {RecordNotFound} there is none
 * @throws {ValidationError} a value cannot become its type, or the record would break a rule
 */
export async function patchById(model: ModelType, id: unknown, data: Row, write: Write): Promise<ModelInstance> {
  const current = await findById(model, id, undefined, readingToWrite(model, write))
  if (current === null) throw noRecord(model, id)
  return patchInstanceBy(model, current, data, write, isNativeClient(model, write))
}

/** What an update of many sets. @throws {ValidationError} a value cannot become its type, or is not declared */
const updatePatch = (model: ModelType, data: Row): Row =>
  checkedPatch(model, withoutId(model, { ...data, ...scopeValues(model) }), 'stored')

/** @throws the restriction's error for denied records: some of them would not be the client's to change any more */
async function checkAllAdmitted({ restriction }: Write, patch: Row): Promise<void> {
  if (restriction?.admitsPatch !== undefined && !(await restriction.admitsPatch(patch))) throw restriction.deny()
}

async function storeEach(model: ModelType, where: Condition | undefined, patch: Row, write: Write): Promise<number> {
  if (isNativeClient(model, write)) {
    const toRecord = (row: Row): ModelInstance => toInstance(model, completeRow(model, row))
    await validateEach(model, { patch, where, toRecord, options: write.call.options })
  }
  return collectionOf(model, 'update').update(where, patch)
}

/**
 * Changes the given properties of every record that matches. Rules of validation are asked where a client writes, unless
 * `updatesWithoutRules` holds, and not where code does.
 * @throws {ValidationError} a value cannot become its type, or a record would break a rule
 */
export async function updateAll(
  model: ModelType,
  where?: unknown,
  data?: unknown,
  call: Call = callOf()
): Promise<{ count: number }> {
  // Called with one argument, that is the data: all records change.
  const [condition, input] = data === undefined ? [undefined, where] : [where, data]
  const write = await writeBy(model, call, 'updateAll')
  const { restriction } = write
  const resolved = await resolveChangingWhere(model, condition, call)
  if (Array.isArray(input)) throw new InvalidValue(`${model.name} cannot be updated with a list`)
  const sent = acceptData(model, toData(model, input), write, 'each')
  const hookState = {}
  const trusted = assertClientQuery(model, ['access', 'before save'], { where: resolved }, call, restriction)
  // An observer returns the query it was called with, whose where is an object; so is that of callers.
  const wire = (await announceWhere(model, resolved, call, hookState)) as Row | undefined
  // Observers see the condition as it is, and a client's was checked before they did. An object stays one.
  const facts = { where: (openTrusted(wire) ?? {}) as Row, hookState }
  const before = await announce(model, 'before save', { ...facts, data: { ...sent } }, call)
  const target = model.hooks.has('before save') ? (before.where ?? wire) : wire
  const patch = updatePatch(model, before.data ?? sent)
  const persisted = await announcePersist(model, { ...facts, data: patch }, call)
  await checkAllAdmitted(write, persisted)
  const reached = reachedBy(model, target, trusted, write)
  await checkAffected(model, reached, call)
  const count = await storeEach(model, reached, persisted, write)
  await announce(model, 'after save', { ...facts, data: persisted, info: { count } }, call)
  announceChange(model, { kind: 'update', id: undefined, after: persisted, where: openTrusted(target) })
  return { count }
}
