import { currentCaller } from '../operations/caller.ts'
import type { Row } from '../connector/connector.ts'
import { InvalidValue, ListNotValid, ValidationError } from '../errors.ts'
import { scopeValues } from '../filter/default-scope.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import { assign, convertAgain, toRow } from '../model/build-instance.ts'
import { BareModel, stateOf } from '../model/bare-model.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import { validateInstance } from '../validation/validate-instance.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { describe } from '../values/coerce-value.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { announceChange } from './announce-change.ts'
import { directRow } from './direct-row.ts'
import { announceSaved } from './announce-saved.ts'
import { findOne } from './find.ts'
import { Found } from './found.ts'
import { collectionOf, idOf } from './identify.ts'
import type { QueryOptions } from '../filter/compile-filter.ts'

/** What the caller of an operation hands to all hooks; the keys of `QueryOptions` mean something to core. */
export type Options = Record<string, unknown> & QueryOptions

/** A new record on its way into the database. */
interface Draft {
  readonly instance: Model
  readonly hookState: Record<string, unknown>
}

/**
 * The data of a record: a plain object or an instance; nothing counts as an empty one.
 * @throws {InvalidValue} it is a list or a scalar
 */
export function toData(model: ModelType, data: unknown): Row {
  if (data === undefined || data === null) return {}
  if (isPlainObject(data) || data instanceof BareModel) return data
  throw new InvalidValue(`a ${model.name} is an object, not ${describe(data)}`)
}

/** A record that is not stored, made of data; values of the default scope are forced on it. */
export function draftInstance(model: ModelType, data: unknown): Model {
  const instance = data instanceof model.modelClass ? data : new model.modelClass(toData(model, data))
  const forced = scopeValues(model)
  if (forced !== undefined) assign(model, instance, forced)
  return instance
}

async function prepare(model: ModelType, data: unknown, options: Options): Promise<Draft> {
  const instance = draftInstance(model, data)
  const hookState = {}
  if (model.hooks.has('before save')) {
    await notifyHook(model, 'before save', { instance, isNewInstance: true, hookState }, options)
    convertAgain(model, instance)
  }
  await validateInstance(model, instance, true, options)
  return { instance, hookState }
}

async function announcePersist(
  model: ModelType,
  { instance, hookState }: Draft,
  row: Row,
  options: Options
): Promise<Row> {
  const facts = { data: row, currentInstance: instance, isNewInstance: true, hookState }
  return (await notifyHook(model, 'persist', facts, options)).data ?? row
}

/** The row to store; observers of `persist` may change it. */
const rowOf = (model: ModelType, draft: Draft, options: Options): Row | Promise<Row> => {
  const row = toRow(model, draft.instance)
  return model.hooks.has('persist') ? announcePersist(model, draft, row, options) : row
}

async function finish(model: ModelType, draft: Draft, row: Row, options: Options): Promise<Model> {
  const { instance } = draft
  const id = model.idProperty
  if (id !== undefined) instance[id.name] = row[id.name]
  stateOf(instance).persisted = true
  if (!model.hooks.isEmpty) await announceSaved(model, { ...draft, row, isNew: true }, options)
  announceChange(model, { kind: 'create', id: idOf(model, row), after: row })
  return instance
}

/**
 * Stores a new record for an answer: as the stored row, where nobody observes the model and so nobody wants an instance.
 * @throws {ValidationError} it breaks a rule
 * @throws {DuplicateKey} its id or a unique value exists already
 */
export function createForAnswer(model: ModelType, data: unknown, options: Options): Awaitable<Found | Model> {
  const row = directRow(model, data, options)
  if (row === undefined) return create(model, data, options)
  return andThen(collectionOf(model, 'insert').insert([row]), (rows) => {
    announceChange(model, { kind: 'create', id: rows[0] && idOf(model, rows[0]), after: rows[0] })
    return new Found(model, { rows }, true)
  })
}

/**
 * Stores a new record.
 * @throws {ValidationError} it breaks a rule
 * @throws {DuplicateKey} its id or a unique value exists already
 */
export async function create(model: ModelType, data?: unknown, options: Options = currentCaller()): Promise<Model> {
  const draft = await prepare(model, data, options)
  const row = await rowOf(model, draft, options)
  const [stored = row] = await collectionOf(model, 'insert').insert([row])
  return finish(model, draft, stored, options)
}

async function tryPrepare(model: ModelType, data: unknown, options: Options): Promise<Draft | ValidationError> {
  try {
    return await prepare(model, data, options)
  } catch (error) {
    if (error instanceof ValidationError) return error
    throw error
  }
}

/**
 * Stores several new records, all or none.
 * @throws {ListNotValid} some break a rule; `details` has an error per record that does
 */
export async function createAll(
  model: ModelType,
  list: readonly unknown[],
  options: Options = currentCaller()
): Promise<Model[]> {
  const outcomes: (Draft | ValidationError)[] = []
  for (const data of list) outcomes.push(await tryPrepare(model, data, options))
  const drafts = outcomes.filter((outcome): outcome is Draft => !(outcome instanceof ValidationError))
  if (drafts.length < list.length) {
    throw new ListNotValid(outcomes.map((outcome) => (outcome instanceof ValidationError ? outcome : null)))
  }
  const rows: Row[] = []
  for (const draft of drafts) rows.push(await rowOf(model, draft, options))
  const stored = rows.length === 0 ? [] : await collectionOf(model, 'insert').insert(rows)
  const created: Model[] = []
  for (const [index, draft] of drafts.entries()) created.push(await finish(model, draft, stored[index] ?? {}, options))
  return created
}

/** The first record that matches `filter`, or a new one of `data`; true when it was created. */
export async function findOrCreate(
  model: ModelType,
  filter: unknown,
  data?: unknown,
  options: Options = currentCaller()
): Promise<[Model, boolean]> {
  const found = await findOne(model, filter, options)
  return found === null ? [await create(model, data, options), true] : [found, false]
}
