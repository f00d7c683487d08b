import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import { InvalidValue } from '../errors.ts'
import { scopeValues } from '../filter/default-scope.ts'
import { beginActions, type EndActions } from '../model/begin-actions.ts'
import { notifyHook } from '../model/notify-hook.ts'
import { assign, convertAgain, toRow } from '../model/build-instance.ts'
import { BareModel, stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { validateInstance } from '../validation/validate-instance.ts'
import type { WrittenTogether } from '../validation/written-together.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { describe } from '../values/describe.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { acceptData } from './accept-data.ts'
import { announceChange } from './announce-change.ts'
import { directRow } from './direct-row.ts'
import { announceSaved, updatesOnLoad } from './announce-saved.ts'
import { Records } from './records.ts'
import { collectionOf, idOf } from './identify.ts'
import { checkAdmitted, isFree, showAfter, type Write, writeBy } from './write-within.ts'

/** A new record on its way into the database. */
export interface Draft {
  readonly instance: ModelInstance
  readonly hookState: Record<string, unknown>
  /** What the caller gave. */
  readonly sent: Row
  /** What runs once it is stored. */
  readonly end: EndActions | undefined
}

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
export async function prepareDraft(
  model: ModelType,
  data: unknown,
  write: Write,
  together?: WrittenTogether
): Promise<Draft> {
  const { options } = write.call
  const sent = data instanceof BareModel ? data : acceptNew(model, data, write)
  const instance = draftInstance(model, sent)
  const hookState = {}
  if (model.hooks.has('before save')) {
    await notifyHook(model, 'before save', { instance, isNewInstance: true, hookState }, options)
    convertAgain(model, instance)
  } else if (model.embedded.size > 0) convertAgain(model, instance) // records may have been built in it
  await validateInstance(model, instance, true, options, { together })
  return { instance, hookState, sent, end: await beginActions(model, instance, ['create', 'save'], instance) }
}

/**
 * The data of a new record as a client may send it. A relation accepts it by itself, before it adds keys.
 * @throws {ValidationError} it sets a read-only property
 */
export function acceptNew(model: ModelType, data: unknown, write: Write): Row {
  return acceptData(model, toData(model, data), write, 'new')
}

async function announcePersist(model: ModelType, { instance, hookState }: Draft, row: Row, call: Call): Promise<Row> {
  const facts = { data: row, currentInstance: instance, isNewInstance: true, hookState }
  return (await notifyHook(model, 'persist', facts, call.options)).data ?? row
}

/** The row to store; observers of `persist` may change it. */
export async function rowOf(model: ModelType, draft: Draft, write: Write): Promise<Row> {
  const made = toRow(model, draft.instance)
  const row = model.hooks.has('persist') ? await announcePersist(model, draft, made, write.call) : made
  await checkAdmitted(write, row)
  return row
}

/** The record of a row that is stored now, once all who observe it know of it. */
export async function finishDraft(
  model: ModelType,
  draft: Draft,
  row: Row,
  write: Write,
  asStored = false
): Promise<ModelInstance> {
  const { instance, sent } = draft
  const id = model.idProperty
  if (id !== undefined) instance[id.name] = row[id.name]
  stateOf(instance).persisted = true
  if (!model.hooks.isEmpty)
    await announceSaved(model, { ...draft, row, isNew: true }, write.call, asStored || updatesOnLoad(model))
  announceChange(model, { kind: 'create', id: idOf(model, row), after: row })
  return showAfter(model, instance, write, { row, sent })
}

/**
 * Stores a new record for an answer: as the stored row, where nobody observes the model and so nobody wants an instance.
 * @throws {ValidationError} it breaks a rule
 * @throws {DuplicateKey} its id or a unique value exists already
 */
export function createForAnswer(model: ModelType, data: unknown, call: Call): Awaitable<Records | ModelInstance> {
  return andThen(writeBy(model, call, 'create'), (write): Awaitable<Records | ModelInstance> => {
    const row = isFree(model, write) ? directRow(model, data, call.options) : undefined
    if (row === undefined) return createBy(model, data, write)
    return andThen(collectionOf(model, 'insert').insert([row]), (rows) => {
      const [stored = row] = rows
      announceChange(model, { kind: 'create', id: idOf(model, stored), after: stored })
      return showAfter(model, new Records(model, { rows }, true), write, { row: stored, sent: toData(model, data) })
    })
  })
}

/**
 * Stores a new record.
 * @throws {ValidationError} it breaks a rule
 * @throws {DuplicateKey} its id or a unique value exists already
 */
export async function create(model: ModelType, data?: unknown, call: Call = callOf()): Promise<ModelInstance> {
  return createBy(model, data, await writeBy(model, call, 'create'))
}

/** Stores a new record that shows what observers of `persist` and `loaded` made of it, as LoopBack's `findOrCreate` does. */
export async function createAsStored(model: ModelType, data: unknown, call: Call): Promise<ModelInstance> {
  return createBy(model, data, await writeBy(model, call, 'create'), true)
}

/** Stores a new record, by whatever method of the model. */
export async function createBy(
  model: ModelType,
  data: unknown,
  write: Write,
  asStored = false
): Promise<ModelInstance> {
  const draft = await prepareDraft(model, data, write)
  const row = await rowOf(model, draft, write)
  const [stored = row] = await collectionOf(model, 'insert').insert([row])
  return finishDraft(model, draft, stored, write, asStored)
}
