import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import { IdMismatch, InvalidValue, RecordNotFound } from '../errors.ts'
import { compileOptionalWhere } from '../filter/compile-filter.ts'
import { conditionUnderScope, scopeValues } from '../filter/default-scope.ts'
import type { Condition } from '../contract/condition.ts'
import { checkReadable, conditionWithin } from '../filter/restriction.ts'
import { openTrusted } from '../filter/trusted-where.ts'
import { beginActions, type EndActions } from '../model/begin-actions.ts'
import { notifyHook } from '../model/notify-hook.ts'
import { assign, copyRow, toRow } from '../model/build-instance.ts'
import { stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { validateEach } from '../validation/validate-each.ts'
import { refuseUnstorable, validateInstance } from '../validation/validate-instance.ts'
import { acceptData } from './accept-data.ts'
import { announceChange } from './announce-change.ts'
import { checkAsked } from './check-asked.ts'
import { checkedPatch } from './checked-patch.ts'
import { completeRow } from './complete-row.ts'
import { checkWithin } from './check-within.ts'
import { toData } from './create.ts'
import { announceSaved, updatesOnLoad } from './announce-saved.ts'
import { findById } from './find.ts'
import { announceAccess } from './read-plan.ts'
import { collectionOf, idOf, idPropertyOf, onlyId } from './identify.ts'
import { announceBeforeSave, announcePersist, type PatchWork } from './patch-work.ts'
import { toInstance } from './to-instance.ts'
import {
  checkAdmitted,
  isNativeClient,
  notFoundError,
  readingToWrite,
  showAfter,
  type Write,
  writeBy
} from './write-within.ts'
import { resolveChangingWhere } from './resolve-related.ts'
import { clonePlain, isPlainObject, setOwn } from '../values/clone-plain.ts'

/** Data has no other objects: an id that is one of a database's own is none of these. */
const isStructure = (value: unknown): boolean => Array.isArray(value) || isPlainObject(value)

/** LB3: the id of a patch is compared loosely, so `"1"` is 1, but null is refused; pinned by crud/patch-instance. */
export function keepsId(model: ModelType, data: Row, id: unknown): boolean {
  const { name } = idPropertyOf(model)
  const given = Object.hasOwn(data, name) ? data[name] : undefined
  return given === undefined || (!isStructure(given) && String(given) === String(id))
}

/** @throws {IdMismatch} the data has another id */
export function checkSameId(model: ModelType, data: Row, id: unknown): void {
  if (keepsId(model, data, id)) return
  throw new IdMismatch(`the ${idPropertyOf(model).name} of a ${model.name} cannot be changed`)
}

const withoutId = (model: ModelType, data: Row): Row => {
  const { [idPropertyOf(model).name]: _id, ...rest } = data
  return rest
}

/** What a patch changes: everything it names with a value, the id left out, and what the default scope demands. */
function changesOf(model: ModelType, data: Row): Row {
  const { [idPropertyOf(model).name]: _id, ...rest } = data
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), ...scopeValues(model) }
}

/** The stored form of the properties that `data` names. */
function changedProperties(current: ModelInstance, data: Row): Row {
  const patch: Row = {}
  for (const key of Object.keys(data)) if (Object.hasOwn(current, key)) setOwn(patch, key, clonePlain(current[key]))
  return patch
}

/** Changes the instance and the stored record; gives what was stored, and what runs afterwards. */
async function storePatch(
  model: ModelType,
  current: ModelInstance,
  given: Row,
  work: PatchWork
): Promise<{ patch: Row; end: EndActions | undefined }> {
  const data = model.hooks.has('before save') ? await announceBeforeSave(model, current, given, work) : given
  assign(model, current, data)
  if (work.validates) await validateInstance(model, current, false, work.write.call.options, { data })
  else refuseUnstorable(model, current)
  const end = await beginActions(model, current, ['save', 'update'], data)
  if (end !== undefined) assign(model, current, data)
  const changed = changedProperties(current, data)
  const patch = model.hooks.has('persist') ? await announcePersist(model, current, changed, work) : changed
  const { id, write } = work
  if (write.restriction?.admits !== undefined) await checkAdmitted(write, { ...toRow(model, current), ...patch })
  const count = await collectionOf(model, 'update').update(idWithin(model, id, write), patch)
  if (count === 0) throw notFoundError(write, () => noRecord(model, id))
  return { patch, end }
}

/** The condition on the one record that a write is about, within what the client may change. */
export const idWithin = (model: ModelType, id: unknown, { restriction }: Write): Condition =>
  conditionWithin(restriction, onlyId(model, id)) ?? onlyId(model, id)

const noRecord = (model: ModelType, id: unknown): RecordNotFound =>
  new RecordNotFound(`no ${model.name} has the id ${JSON.stringify(id)}`)

async function applyPatch(
  model: ModelType,
  current: ModelInstance,
  data: unknown,
  mode: Pick<PatchWork, 'write' | 'validates'>
): Promise<ModelInstance> {
  const work: PatchWork = { ...mode, id: idOf(model, current), hookState: {} }
  const given = toData(model, data)
  checkSameId(model, given, work.id)
  const before: Row = Object.assign({}, current)
  const sent = acceptData(model, given, work.write, 'part', before)
  let stored: Awaited<ReturnType<typeof storePatch>>
  try {
    stored = await storePatch(model, current, changesOf(model, sent), work)
  } catch (error) {
    // What is not stored does not show in the caller's instance either.
    restore(current, before)
    throw error
  }
  const { hookState, write } = work
  if (!model.hooks.isEmpty)
    await announceSaved(
      model,
      { instance: current, row: stored.patch, isNew: false, hookState, end: stored.end },
      write.call,
      updatesOnLoad(model)
    )
  announceChange(model, { kind: 'update', id: work.id, after: current })
  return showAfter(model, current, write, { row: current, sent: given })
}

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
  const write = await writeBy(model, call, 'patchAttributes')
  // What is wrong with the data would tell of a record that the client may not change.
  await checkWithin(model, idOf(model, current), write.restriction)
  return patchInstanceBy(model, current, data, write)
}

/** The same by whatever method of the model. */
export function patchInstanceBy(
  model: ModelType,
  current: ModelInstance,
  data: unknown,
  write: Write
): Promise<ModelInstance> {
  return applyPatch(model, current, data, { write, validates: true })
}

/**
 * Changes some properties of the record with this id, as an upsert does: its rules are asked where a client writes, unless
 * `updatesWithoutRules` holds, and not where code does.
 * @throws {RecordNotFound} there is none
 * @throws {ValidationError} a value cannot become its type, or the record would break a rule
 */
export async function patchById(model: ModelType, id: unknown, data: Row, write: Write): Promise<ModelInstance> {
  const current = await findById(model, id, undefined, readingToWrite(model, write))
  if (current === null) throw noRecord(model, id)
  return applyPatch(model, current, data, { write, validates: isNativeClient(model, write) })
}

/** What an update of many sets. @throws {ValidationError} a value cannot become its type, or is not declared */
const updatePatch = (model: ModelType, data: Row): Row =>
  checkedPatch(model, withoutId(model, { ...data, ...scopeValues(model) }), 'stored')

/** @throws what the restriction denies records with: some of them would not be the client's to change any more */
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
  const [condition, given] = data === undefined ? [undefined, where] : [where, data]
  const write = await writeBy(model, call, 'updateAll')
  const { restriction } = write
  const asked = await resolveChangingWhere(model, condition, call)
  if (Array.isArray(given)) throw new InvalidValue(`${model.name} cannot be updated with a list`)
  const sent = acceptData(model, toData(model, given), write, 'each')
  const hookState = {}
  const trusted = checkAsked(model, ['access', 'before save'], { where: asked }, call, restriction)
  // An observer hands back the query it was given, whose where is an object; so is what callers give.
  const wire = (
    model.hooks.has('access') ? (await announceAccess(model, { where: asked ?? {} }, call, hookState))['where'] : asked
  ) as Row | undefined
  // Observers see the condition as it is, and a client's was checked before they did. An object stays one.
  const facts = { where: (openTrusted(wire) ?? {}) as Row, hookState }
  const before = model.hooks.has('before save')
    ? await notifyHook(model, 'before save', { ...facts, data: { ...sent } }, call.options)
    : undefined
  const target = before?.where ?? wire
  const patch = updatePatch(model, before?.data ?? sent)
  const persisted = model.hooks.has('persist')
    ? ((await notifyHook(model, 'persist', { ...facts, data: patch }, call.options)).data ?? patch)
    : patch
  await checkAllAdmitted(write, persisted)
  const compiled = compileOptionalWhere(model, target, trusted)
  if (trusted === call) checkReadable(model, { where: compiled }, restriction)
  const reached = conditionWithin(restriction, conditionUnderScope(model, compiled))
  const count = await storeEach(model, reached, persisted, write)
  if (model.hooks.has('after save'))
    await notifyHook(model, 'after save', { ...facts, data: persisted, info: { count } }, call.options)
  announceChange(model, { kind: 'update', id: undefined, after: persisted, where: openTrusted(target) })
  return { count }
}
