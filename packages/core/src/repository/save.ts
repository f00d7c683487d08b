import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import { RecordNotFound } from '../errors.ts'
import { scopeValues } from '../filter/default-scope.ts'
import { beginActions } from '../model/begin-actions.ts'
import { notifyHook } from '../model/notify-hook.ts'
import { assign, convertAgain, toRow } from '../model/build-instance.ts'
import { stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { validateInstance } from '../validation/validate-instance.ts'
import { announceChange } from './announce-change.ts'
import { create } from './create.ts'
import { announceSaved } from './announce-saved.ts'
import { collectionOf, idOf, onlyId, whereId } from './identify.ts'

/** Stores the row of an instance; one that was read with chosen fields leaves the others as they are. */
async function storeWhole(model: ModelType, instance: ModelInstance, id: unknown, row: Row): Promise<boolean> {
  const isWhole = model.plan.every(({ name }) => Object.hasOwn(instance, name))
  // The id of a stored record is of the type that its property declares.
  if (isWhole) return collectionOf(model, 'replace').replace(id as object, row)
  return (await collectionOf(model, 'update').update(onlyId(model, id), row)) > 0
}

/**
 * Stores an instance: as a new record, or every property of the stored one.
 * @throws {ValidationError} it breaks a rule
 * @throws {RecordNotFound} it is not stored any more
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, save
 */
export async function save(model: ModelType, instance: ModelInstance, call: Call = callOf()): Promise<ModelInstance> {
  if (!stateOf(instance).persisted) return create(model, instance, call)
  const id = idOf(model, instance)
  const hookState = {}
  await notifyHook(model, 'before save', { instance, hookState }, call.options)
  convertAgain(model, instance)
  assign(model, instance, scopeValues(model) ?? {})
  await validateInstance(model, instance, false, call.options)
  const data = instance.toObject()
  const end = await beginActions(model, instance, ['save', 'update'], data)
  // LB3: what the functions set in the data is stored, not what they set in the record; lib/dao.js, save.
  if (end !== undefined) assign(model, instance, data)
  const row = toRow(model, instance)
  const facts = { data: row, where: whereId(model, id), currentInstance: instance, hookState }
  const stored = (await notifyHook(model, 'persist', facts, call.options)).data ?? row
  if (!(await storeWhole(model, instance, id, stored))) {
    throw new RecordNotFound(`no ${model.name} has the id ${JSON.stringify(id)}`)
  }
  await announceSaved(model, { instance, row: stored, isNew: false, hookState }, call, true)
  await end?.()
  announceChange(model, { kind: 'update', id, after: stored })
  return instance
}
