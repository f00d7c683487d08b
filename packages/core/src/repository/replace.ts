import { currentCaller } from '../operations/caller.ts'
import type { Row } from '../connector/connector.ts'
import { DuplicateKey, IdMismatch, RecordNotFound } from '../errors.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import { convertAgain, copyRow, toRow } from '../model/build-instance.ts'
import { stateOf } from '../model/bare-model.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import { validateInstance } from '../validation/validate-instance.ts'
import { announceChange } from './announce-change.ts'
import { create, draftInstance, toData, type Options } from './create.ts'
import { announceSaved } from './announce-saved.ts'
import { announceAccess } from './run-query.ts'
import { collectionOf, idOf, idPropertyOf, isOutOfScope, toId, whereId } from './identify.ts'

interface Replacement {
  readonly instance: Model
  readonly hookState: Record<string, unknown>
  readonly row: Row
}

async function prepareReplacement(
  model: ModelType,
  instance: Model,
  id: unknown,
  { options, hookState }: { readonly options: Options; readonly hookState: Record<string, unknown> }
): Promise<Replacement> {
  if (model.hooks.has('before save')) {
    await notifyHook(model, 'before save', { instance, isNewInstance: false, hookState }, options)
    convertAgain(model, instance)
  }
  await validateInstance(model, instance, false, options)
  const row = toRow(model, instance)
  if (!model.hooks.has('persist')) return { instance, hookState, row }
  const context = await notifyHook(
    model,
    'persist',
    { data: row, currentInstance: instance, where: whereId(model, id), isNewInstance: false, hookState },
    options
  )
  return { instance, hookState, row: context.data ?? row }
}

async function finishReplacement(
  model: ModelType,
  { instance, hookState, row }: Replacement,
  options: Options
): Promise<Model> {
  stateOf(instance).persisted = true
  for (const { name, rawDefault } of model.plan) if (rawDefault !== undefined) instance[name] = row[name]
  await announceSaved(model, { instance, row, isNew: false, hookState }, options)
  announceChange(model, { kind: 'update', id: idOf(model, row), after: row })
  return instance
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
  options: Options = currentCaller()
): Promise<Model> {
  const { name } = idPropertyOf(model)
  const key = toId(model, id)
  const given = toData(model, data)
  // LB3: the id of a replacement is compared strictly, so `"1"` is not 1, and null is dropped; pinned by crud/put-instance.
  if (given[name] !== undefined && given[name] !== null && given[name] !== key)
    throw new IdMismatch(`the ${name} of a ${model.name} cannot be changed`)
  const replacement = await prepareReplacement(model, draftInstance(model, { ...given, [name]: key }), key, {
    options,
    hookState: {}
  })
  const isThere = key !== undefined && !(await isOutOfScope(model, key))
  const replaced = isThere && (await collectionOf(model, 'replace').replace(key, replacement.row))
  if (!replaced)
    throw Object.assign(new RecordNotFound(`no ${model.name} has the id ${JSON.stringify(id)}`), { status: 404 })
  return finishReplacement(model, replacement, options)
}

/** Replaces a stored record as a whole; the instance shows the new record afterwards. */
export async function replaceInstance(
  model: ModelType,
  current: Model,
  data: unknown,
  options: Options = currentCaller()
): Promise<Model> {
  const replaced = await replaceById(model, idOf(model, current), data, options)
  for (const key of Object.keys(current)) if (!Object.hasOwn(replaced, key)) delete current[key]
  copyRow(current, replaced)
  return current
}

/**
 * Replaces the record with the data's id, or creates one. Where ids are the database's own, an id that is not stored is an
 * error.
 * @throws {RecordNotFound} the id is not stored and clients may not choose ids
 * @see recordings crud/put-collection and crud/force-id
 */
export async function replaceOrCreate(
  model: ModelType,
  data: unknown,
  options: Options = currentCaller()
): Promise<Model> {
  const given = toData(model, data)
  const id = given[idPropertyOf(model).name]
  if (id === undefined || id === null) return create(model, given, options)
  if (model.forceId) {
    const { [idPropertyOf(model).name]: _id, ...rest } = given
    return replaceById(model, id, rest, options)
  }
  const hookState = {}
  if (model.hooks.has('access')) await announceAccess(model, { where: whereId(model, id) }, options, hookState)
  const replacement = await prepareReplacement(model, draftInstance(model, given), id, { options, hookState })
  const collection = collectionOf(model, 'replace')
  const { name } = idPropertyOf(model)
  const key = toId(model, replacement.row[name])
  if (key !== undefined && (await isOutOfScope(model, key))) throw new DuplicateKey(model.name, name, key)
  if (key === undefined || !(await collection.replace(key, replacement.row))) await collection.insert([replacement.row])
  return finishReplacement(model, replacement, options)
}
