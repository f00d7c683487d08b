import { type Call, callOf } from '../caller/call.ts'
import type { Row } from '../connector/connector.ts'
import { InvalidValue, ListNotValid, ValidationError } from '../errors.ts'
import { scopeValues } from '../filter/default-scope.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import { assign, convertAgain, toRow } from '../model/build-instance.ts'
import { BareModel, stateOf } from '../model/bare-model.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import { validateInstance } from '../validation/validate-instance.ts'
import { makeWrittenTogether, type WrittenTogether } from '../validation/written-together.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { describe } from '../values/describe.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { acceptData } from './accept-data.ts'
import { announceChange } from './announce-change.ts'
import { directRow } from './direct-row.ts'
import { announceSaved, updatesOnLoad } from './announce-saved.ts'
import { findOne } from './find.ts'
import { Found } from './found.ts'
import { collectionOf, idOf } from './identify.ts'
import { insertOrFind } from './overtaken.ts'
import { checkAdmitted, isFree, showAfter, type Write, writeBy } from './write-within.ts'

/** A new record on its way into the database. */
interface Draft {
  readonly instance: Model
  readonly hookState: Record<string, unknown>
  /** What the caller gave. */
  readonly sent: Row
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

async function prepare(model: ModelType, data: unknown, write: Write, together?: WrittenTogether): Promise<Draft> {
  const { options } = write.call
  const sent = data instanceof BareModel ? data : acceptNew(model, data, write)
  const instance = draftInstance(model, sent)
  const hookState = {}
  if (model.hooks.has('before save')) {
    await notifyHook(model, 'before save', { instance, isNewInstance: true, hookState }, options)
    convertAgain(model, instance)
  } else if (model.embedded.size > 0) convertAgain(model, instance) // records may have been built in it
  await validateInstance(model, instance, true, options, together)
  return { instance, hookState, sent }
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
async function rowOf(model: ModelType, draft: Draft, write: Write): Promise<Row> {
  const made = toRow(model, draft.instance)
  const row = model.hooks.has('persist') ? await announcePersist(model, draft, made, write.call) : made
  await checkAdmitted(write, row)
  return row
}

async function finish(model: ModelType, draft: Draft, row: Row, write: Write, asStored = false): Promise<Model> {
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
export function createForAnswer(model: ModelType, data: unknown, call: Call): Awaitable<Found | Model> {
  return andThen(writeBy(model, call, 'create'), (write): Awaitable<Found | Model> => {
    const row = isFree(model, write) ? directRow(model, data, call.options) : undefined
    if (row === undefined) return createBy(model, data, write)
    return andThen(collectionOf(model, 'insert').insert([row]), (rows) => {
      const [stored = row] = rows
      announceChange(model, { kind: 'create', id: idOf(model, stored), after: stored })
      return showAfter(model, new Found(model, { rows }, true), write, { row: stored, sent: toData(model, data) })
    })
  })
}

/**
 * Stores a new record.
 * @throws {ValidationError} it breaks a rule
 * @throws {DuplicateKey} its id or a unique value exists already
 */
export async function create(model: ModelType, data?: unknown, call: Call = callOf()): Promise<Model> {
  return createBy(model, data, await writeBy(model, call, 'create'))
}

/** Stores a new record that shows what observers of `persist` and `loaded` made of it, as LoopBack's `findOrCreate` does. */
export async function createAsStored(model: ModelType, data: unknown, call: Call): Promise<Model> {
  return createBy(model, data, await writeBy(model, call, 'create'), true)
}

/** Stores a new record, by whatever method of the model. */
export async function createBy(model: ModelType, data: unknown, write: Write, asStored = false): Promise<Model> {
  const draft = await prepare(model, data, write)
  const row = await rowOf(model, draft, write)
  const [stored = row] = await collectionOf(model, 'insert').insert([row])
  return finish(model, draft, stored, write, asStored)
}

const isRefusal = (outcome: Draft | ValidationError): outcome is ValidationError => outcome instanceof ValidationError

/** The new records of a list, each checked beside the sound ones before it; in the place of a broken one its error. */
async function prepareEach(
  model: ModelType,
  list: readonly unknown[],
  write: Write
): Promise<(Draft | ValidationError)[]> {
  const outcomes: (Draft | ValidationError)[] = []
  const together = makeWrittenTogether(model)
  for (const data of list) {
    const outcome = await prepare(model, data, write, together).catch((error: unknown) => {
      if (error instanceof ValidationError) return error
      throw error
    })
    if (!isRefusal(outcome)) together.add(outcome.instance)
    outcomes.push(outcome)
  }
  return outcomes
}

/**
 * Stores several new records, all or none. A value that has to be unique may stand in one of them alone: the first that has it
 * keeps it.
 * @throws {ListNotValid} some break a rule; `details` has an error per record that does
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, create, which looks for stored records alone
 */
export async function createAll(model: ModelType, list: readonly unknown[], call: Call = callOf()): Promise<Model[]> {
  const write = await writeBy(model, call, 'create')
  const outcomes = await prepareEach(model, list, write)
  const drafts = outcomes.filter((outcome): outcome is Draft => !isRefusal(outcome))
  if (drafts.length < list.length)
    throw new ListNotValid(outcomes.map((outcome) => (isRefusal(outcome) ? outcome : null)))
  const rows: Row[] = []
  for (const draft of drafts) rows.push(await rowOf(model, draft, write))
  const stored = rows.length === 0 ? [] : await collectionOf(model, 'insert').insert(rows)
  const created: Model[] = []
  for (const [index, draft] of drafts.entries()) created.push(await finish(model, draft, stored[index] ?? {}, write))
  return created
}

/**
 * The first record that matches `filter`, or a new one of `data`; true when it was created. Of several at once one creates it,
 * where its id or a unique value tells them apart.
 */
export async function findOrCreate(
  model: ModelType,
  filter: unknown,
  data?: unknown,
  call: Call = callOf()
): Promise<[Model, boolean]> {
  const find = async (): Promise<Model | undefined> => (await findOne(model, filter, call)) ?? undefined
  const known = await find()
  if (known !== undefined) return [known, false]
  const made = await insertOrFind(model, async () => createAsStored(model, data, call), find)
  return 'inserted' in made ? [made.inserted, true] : [made.found, false]
}
