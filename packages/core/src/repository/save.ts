import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import { RecordNotFound } from '../errors.ts'
import { scopeValues } from '../filter/default-scope.ts'
import { beginActions } from '../model/begin-actions.ts'
import { assign } from '../model/build-instance.ts'
import { stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { create } from './create.ts'
import { collectionOf, idOf, whereId } from './identify.ts'
import { idWithin } from './update.ts'
import { withinCallersVersion } from './version-within.ts'
import { finishDraft, prepareDraft, rowOf } from './write.ts'
import { notFoundError, type Write } from './write-within.ts'

/** Stores the row of an instance; one that was read with chosen fields leaves the others as they are. */
async function storeWhole(model: ModelType, instance: ModelInstance, row: Row, write: Write): Promise<boolean> {
  const id = idOf(model, instance)
  const isWhole = model.plan.every(({ name }) => Object.hasOwn(instance, name))
  // The id of a stored record is of the type that its property declares.
  if (isWhole) return collectionOf(model, 'replace').replace(id as object, row, write.restriction?.condition)
  return (await collectionOf(model, 'update').update(idWithin(model, id, write), row)) > 0
}

/**
 * Stores an instance: as a new record, or every property of the stored one.
 * @throws {ValidationError} it breaks a rule
 * @throws {RecordNotFound} it is not stored any more
 * @throws {PreconditionFailed} it has another version than the option `ifVersion` names
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, save
 */
export async function save(model: ModelType, instance: ModelInstance, call: Call = callOf()): Promise<ModelInstance> {
  if (!stateOf(instance).persisted) return create(model, instance, call)
  const id = idOf(model, instance)
  const write: Write = withinCallersVersion(model, { call, restriction: undefined })
  const drafting = { sent: {}, where: whereId(model, id) }
  const draft = await prepareDraft(model, instance, write, drafting, { forced: scopeValues(model) })
  const data = instance.toObject()
  const end = await beginActions(model, instance, ['save', 'update'], data)
  // LB3: what the functions set in the data is stored, not what they set in the record; lib/dao.js, save.
  if (end !== undefined) assign(model, instance, data)
  const row = await rowOf(model, draft, write)
  if (!(await storeWhole(model, instance, row, write)))
    throw notFoundError(write, () => new RecordNotFound(`no ${model.name} has the id ${JSON.stringify(id)}`))
  await finishDraft(model, draft, row, write)
  // LB3: they run after observers of `after save`, where a record saves itself.
  await end?.()
  return instance
}
