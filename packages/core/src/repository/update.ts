import { currentCaller } from '../operations/caller.ts'
import type { Row } from '../connector/connector.ts'
import { IdMismatch, InvalidValue, RecordNotFound, ValidationError } from '../errors.ts'
import { compileOptionalWhere } from '../filter/compile-filter.ts'
import { conditionUnderScope, scopeValues } from '../filter/default-scope.ts'
import { openTrusted } from '../filter/trusted-where.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import { assign, convertPatch, copyRow } from '../model/build-instance.ts'
import { stateOf } from '../model/bare-model.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import { refuseWrongTypes, toDetails, validateInstance } from '../validation/validate-instance.ts'
import { announceChange } from './announce-change.ts'
import { checkAsked } from './check-asked.ts'
import { toData, type Options } from './create.ts'
import { announceSaved } from './announce-saved.ts'
import { findById } from './find.ts'
import { announceAccess } from './run-query.ts'
import { collectionOf, idOf, idPropertyOf, onlyId, whereId } from './identify.ts'
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

/** What the steps of one patch share. */
interface PatchWork {
  readonly id: unknown
  readonly options: Options
  readonly hookState: Record<string, unknown>
  /** Off for the upsert of LoopBack, which stores what it is given. */
  readonly validates: boolean
}

async function announceBeforeSave(model: ModelType, currentInstance: Model, data: Row, work: PatchWork): Promise<Row> {
  const facts = { data, where: whereId(model, work.id), currentInstance, hookState: work.hookState }
  return (await notifyHook(model, 'before save', facts, work.options)).data ?? data
}

async function announcePersist(model: ModelType, currentInstance: Model, data: Row, work: PatchWork): Promise<Row> {
  const { id, hookState, options } = work
  const facts = { data, where: whereId(model, id), currentInstance, isNewInstance: false, hookState }
  return (await notifyHook(model, 'persist', facts, options)).data ?? data
}

/** What a patch changes: everything it names with a value, the id left out, and what the default scope demands. */
function changesOf(model: ModelType, data: Row): Row {
  const { [idPropertyOf(model).name]: _id, ...rest } = data
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), ...scopeValues(model) }
}

/** The stored form of the properties that `data` names. */
function changedProperties(current: Model, data: Row): Row {
  const patch: Row = {}
  for (const key of Object.keys(data)) if (Object.hasOwn(current, key)) setOwn(patch, key, clonePlain(current[key]))
  return patch
}

/** Changes the instance and the stored record; gives what was stored. */
async function storePatch(model: ModelType, current: Model, given: Row, work: PatchWork): Promise<Row> {
  const data = model.hooks.has('before save') ? await announceBeforeSave(model, current, given, work) : given
  assign(model, current, data)
  if (work.validates) await validateInstance(model, current, false, work.options)
  else refuseWrongTypes(model, current)
  const changed = changedProperties(current, data)
  const patch = model.hooks.has('persist') ? await announcePersist(model, current, changed, work) : changed
  const count = await collectionOf(model, 'update').update(onlyId(model, work.id), patch)
  if (count === 0) throw new RecordNotFound(`no ${model.name} has the id ${JSON.stringify(work.id)}`)
  return patch
}

async function applyPatch(
  model: ModelType,
  current: Model,
  data: unknown,
  mode: Pick<PatchWork, 'options' | 'validates'>
): Promise<Model> {
  const work: PatchWork = { ...mode, id: idOf(model, current), hookState: {} }
  const sent = toData(model, data)
  checkSameId(model, sent, work.id)
  const before: Row = Object.assign({}, current)
  let patch: Row
  try {
    patch = await storePatch(model, current, changesOf(model, sent), work)
  } catch (error) {
    // What is not stored does not show in the caller's instance either.
    restore(current, before)
    throw error
  }
  const { hookState, options } = work
  if (!model.hooks.isEmpty)
    await announceSaved(model, { instance: current, row: patch, isNew: false, hookState }, options)
  announceChange(model, { kind: 'update', id: work.id, after: current })
  return current
}

function restore(instance: Model, before: Row): void {
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
  current: Model,
  data: unknown,
  options: Options = currentCaller()
): Promise<Model> {
  return applyPatch(model, current, data, { options, validates: true })
}

/**
 * Changes some properties of the record with this id. Its rules are not asked, as in LoopBack's upsert.
 * @throws {RecordNotFound} there is none
 * @throws {ValidationError} a value cannot become its type
 */
export async function patchById(model: ModelType, id: unknown, data: Row, options: Options): Promise<Model> {
  const current = await findById(model, id, undefined, options)
  if (current === null) throw new RecordNotFound(`no ${model.name} has the id ${JSON.stringify(id)}`)
  return applyPatch(model, current, data, { options, validates: false })
}

/** Converts the data of an update of many. @throws {ValidationError} a value cannot become its type */
function updatePatch(model: ModelType, data: Row): Row {
  const { patch, unusable, undeclared } = convertPatch(model, withoutId(model, { ...data, ...scopeValues(model) }))
  const problems = [...unusable].map(([property, value]) => ({ property, code: value.code, message: value.message }))
  // LB3: an undeclared property of a strict model is stored all the same, though never shown; pinned by crud/strict-true.
  if (model.strict && !model.registry.compat)
    problems.push(
      ...undeclared.map((property) => ({ property, code: 'unknown-property', message: 'is not defined in the model' }))
    )
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
  return patch
}

/**
 * Changes the given properties of every record that matches, without validation rules.
 * @throws {ValidationError} a value cannot become its type
 */
export async function updateAll(
  model: ModelType,
  where?: unknown,
  data?: unknown,
  options: Options = currentCaller()
): Promise<{ count: number }> {
  // Called with one argument, that is the data: all records change.
  const [condition, given] = data === undefined ? [undefined, where] : [where, data]
  const asked = await resolveChangingWhere(model, condition, options)
  if (Array.isArray(given)) throw new InvalidValue(`${model.name} cannot be updated with a list`)
  const hookState = {}
  const trusted = checkAsked(model, ['access', 'before save'], { where: asked }, options)
  // An observer hands back the query it was given, whose where is an object; so is what callers give.
  const wire = (
    model.hooks.has('access')
      ? (await announceAccess(model, { where: asked ?? {} }, options, hookState))['where']
      : asked
  ) as Row | undefined
  // Observers see the condition as it is, and a client's was checked before they did. An object stays one.
  const facts = { where: (openTrusted(wire) ?? {}) as Row, hookState }
  const before = model.hooks.has('before save')
    ? await notifyHook(model, 'before save', { ...facts, data: { ...toData(model, given) } }, options)
    : undefined
  const target = before?.where ?? wire
  const patch = updatePatch(model, before?.data ?? toData(model, given))
  const persisted = model.hooks.has('persist')
    ? ((await notifyHook(model, 'persist', { ...facts, data: patch }, options)).data ?? patch)
    : patch
  const count = await collectionOf(model, 'update').update(
    conditionUnderScope(model, compileOptionalWhere(model, target, trusted)),
    persisted
  )
  if (model.hooks.has('after save'))
    await notifyHook(model, 'after save', { ...facts, data: persisted, info: { count } }, options)
  announceChange(model, { kind: 'update', id: undefined, after: persisted, where: openTrusted(target) })
  return { count }
}
