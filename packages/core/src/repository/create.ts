import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import { InvalidValue } from '../errors.ts'
import { scopeValues } from '../filter/default-scope.ts'
import { beginActions } from '../model/begin-actions.ts'
import { assign } from '../model/build-instance.ts'
import { BareModel } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { WrittenTogether } from '../validation/written-together.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { describe } from '../values/describe.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { acceptData } from './accept-data.ts'
import { prepareRow, showRow } from './prepare-row.ts'
import type { Records } from './records.ts'
import { collectionOf, idOf } from './identify.ts'
import { type Draft, finish, finishDraft, prepareDraft, rowOf, updatesOnLoad } from './write.ts'
import { type Write, writeBy } from './write-within.ts'

/**
 * The data of a record: a plain object or an instance; nothing counts as an empty one.
 * @throws {InvalidValue} it is a list or a scalar
 */
export function toData(model: ModelType, data: unknown): Row {
  if (data === undefined || data === null) return {}
  if (isPlainObject(data) || data instanceof BareModel) return data
  throw new InvalidValue(`a ${model.name} must be an object, not ${describe(data)}`)
}

/** A record that is not stored, made of data; values of the default scope are forced on it. */
export function draftInstance(model: ModelType, data: unknown): ModelInstance {
  const instance = data instanceof model.modelClass ? data : new model.modelClass(toData(model, data))
  const forced = scopeValues(model)
  if (forced !== undefined) assign(model, instance, forced)
  return instance
}

/**
 * A new record, converted, completed and checked.
 * @param together records before it that are written with it
 * @throws {ValidationError} it breaks a rule
 */
export async function prepareNew(
  model: ModelType,
  data: unknown,
  write: Write,
  together?: WrittenTogether
): Promise<Draft> {
  const sent = data instanceof BareModel ? data : acceptNew(model, data, write)
  const instance = draftInstance(model, sent)
  const draft = await prepareDraft(model, instance, write, { sent, isNew: true }, { together })
  return { ...draft, end: await beginActions(model, instance, ['create', 'save'], instance) }
}

/**
 * The data of a new record as a client may send it. A relation accepts it by itself, before it adds keys.
 * @throws {ValidationError} it sets a read-only property
 */
export function acceptNew(model: ModelType, data: unknown, write: Write): Row {
  return acceptData(model, toData(model, data), write, 'new')
}

/** The record of a row that is stored now, once all who observe it know of it. */
export function finishNew(
  model: ModelType,
  draft: Draft,
  row: Row,
  write: Write,
  asStored = false
): Awaitable<ModelInstance> {
  const id = model.idProperty
  if (id !== undefined) draft.instance[id.name] = row[id.name]
  return finishDraft(model, draft, row, write, { takes: asStored || updatesOnLoad(model) })
}

/** Stores one new row; gives it with what the database added. */
export const insertRow = (model: ModelType, row: Row): Awaitable<Row> =>
  andThen(collectionOf(model, 'insert').insert([row]), ([stored = row]) => stored)

/**
 * Stores a new record for an answer: as the stored row, where the model has no observers and so no instance is needed.
 * @throws {ValidationError} it breaks a rule
 * @throws {DuplicateKey} its id or a unique value exists already
 */
export function createForResponse(model: ModelType, data: unknown, call: Call): Awaitable<Records | ModelInstance> {
  return andThen(writeBy(model, call, 'create'), (write): Awaitable<Records | ModelInstance> => {
    const prepared = prepareRow(model, data, write)
    if (prepared === undefined) return createBy(model, data, write)
    return andThen(insertRow(model, prepared), (row) =>
      finish(model, { row, id: idOf(model, row), isNew: true, sent: toData(model, data), show: showRow(model) }, write)
    )
  })
}

/**
 * Stores a new record.
 * @param asStored it shows what observers of `persist` and `loaded` made of it, as LoopBack's `findOrCreate` does
 * @throws {ValidationError} it breaks a rule
 * @throws {DuplicateKey} its id or a unique value exists already
 */
export async function create(
  model: ModelType,
  data?: unknown,
  call: Call = callOf(),
  asStored = false
): Promise<ModelInstance> {
  return createBy(model, data, await writeBy(model, call, 'create'), asStored)
}

/** Stores a new record, by whatever method of the model. */
export async function createBy(
  model: ModelType,
  data: unknown,
  write: Write,
  asStored = false
): Promise<ModelInstance> {
  const draft = await prepareNew(model, data, write)
  const row = await insertRow(model, await rowOf(model, draft, write))
  return finishNew(model, draft, row, write, asStored)
}
