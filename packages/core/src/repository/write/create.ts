import { andThen, type Awaitable, isPlainObject } from '@modelwire/server'
import type { Call } from '../../contract/call.ts'
import { callOf, restrictionFor } from '../../access/call.ts'
import type { Row } from '../../contract/row.ts'
import { InvalidArgument, InvalidValue, ListNotValid, ValidationError } from '../../errors.ts'
import { scopeValues } from '../../filter/default-scope.ts'
import { assign } from '../../model/build-instance.ts'
import { BareModel, type ModelInstance } from '../../contract/model-instance.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { readsValueAlone } from '../../rules/rules.ts'
import { makeWrittenTogether, type WrittenTogether } from '../../validation/written-together.ts'
import { describe } from '../../values/describe.ts'
import { acceptData } from '../records/accept-data.ts'
import { limitedToOne, takeLock } from '../read/find.ts'
import { collectionOf } from '../records/identify.ts'
import { insertOnce } from './insert-once.ts'
import { compiledRead } from '../read/read.ts'
import { finishPrepared, prepare, type Prepared, showStored, type Writing } from './write.ts'
import { type Write, writeBy } from '../records/rights.ts'

/**
 * The data of a record: a plain object or an instance; absent data counts as an empty one.
 * @throws {InvalidValue} it is a list or a scalar
 */
export function toData(model: ModelType, data: unknown): Row {
  if (data === undefined || data === null) return {}
  if (isPlainObject(data) || data instanceof BareModel) return data
  throw new InvalidValue(`a ${model.name} must be an object, not ${describe(data)}`)
}

/** Creates a record from data without storing it; values of the default scope override it. */
export function draftInstance(model: ModelType, data: unknown): ModelInstance {
  const instance = data instanceof model.modelClass ? data : new model.modelClass(toData(model, data))
  const forced = scopeValues(model)
  if (forced !== undefined) assign(model, instance, forced)
  return instance
}

/**
 * The data of a new record that a client may send. A relation checks it itself, before it adds keys.
 * @throws {ValidationError} it sets a read-only property
 */
export function acceptNew(model: ModelType, data: unknown, write: Write): Row {
  return acceptData(model, toData(model, data), write, 'new')
}

/** A new record of the data. */
function writingOf(model: ModelType, data: unknown, write: Write, together?: WrittenTogether): Writing {
  const sent = data instanceof BareModel ? data : acceptNew(model, data, write)
  return { instance: draftInstance(model, sent), sent, isNew: true, actions: ['create', 'save'], together }
}

/** Announces a new record; returns it as it is stored. @param stored the row with what the database added */
function finishNew(
  model: ModelType,
  prepared: Prepared,
  stored: Row,
  write: Write,
  asStored = false
): Awaitable<ModelInstance> {
  const { instance, row } = prepared
  for (const { name } of model.key) instance[name] = stored[name]
  showStored(model, instance, row, stored)
  return finishPrepared(model, prepared, write, asStored ? { stored, takes: true } : { stored })
}

/** Stores one new row; returns it with values added by the database. */
export async function insertRow(model: ModelType, row: Row): Promise<Row> {
  const [stored = row] = await collectionOf(model, 'insert').insert([row])
  return stored
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

/** Turns that a write takes before its statement: more than that of any other method. */
const turnsOfWrites = 8

/**
 * Lets writes that were called before and are not waited for go first, such as a `destroyAll`: also where nothing that observes a
 * record makes its creation wait.
 */
async function passTurns({ hooks }: ModelType): Promise<void> {
  // Observers take turns of their own.
  if (!hooks.isEmpty) return
  for (let turn = 0; turn < turnsOfWrites; turn++) await Promise.resolve()
}

/** Stores a new record, through any method of the model. */
export async function createBy(
  model: ModelType,
  data: unknown,
  write: Write,
  asStored = false
): Promise<ModelInstance> {
  await passTurns(model)
  // Without a turn of its own, so that creations which are not waited for keep the order of their calls.
  return andThen(prepare(model, writingOf(model, data, write), write), async (prepared) =>
    finishNew(model, prepared, await insertRow(model, prepared.row), write, asStored)
  )
}

/** The progress of one record in a list. */
interface Outcome {
  /** Its data is readable and valid. */
  readonly isValid: boolean
  /** Absent if the record cannot be stored: then `error` has the reason. */
  readonly prepared?: Prepared
  readonly error?: unknown
}

/** Records whose rules look at other records are prepared one after the other, so that each sees the valid ones before it. */
async function forEachOf(
  model: ModelType,
  list: readonly unknown[],
  work: (data: unknown, index: number) => Awaitable<void>
): Promise<void> {
  if (model.rules.every(readsValueAlone)) {
    await Promise.all(list.map(work).filter((working) => working instanceof Promise))
    return
  }
  for (const [index, data] of list.entries()) await work(data, index)
}

/** Prepares one record of a list; calls `done` in the moment in which it is ready, or cannot be stored. */
function prepareOne(
  model: ModelType,
  data: unknown,
  { write, together }: { readonly write: Write; readonly together: WrittenTogether },
  done: (outcome: Outcome) => void
): Awaitable<void> {
  let isValid = false
  const onValid = (record: ModelInstance): void => {
    isValid = true
    together.add(record)
  }
  const failed = (error: unknown): Outcome => ({ isValid, error })
  let preparing: Awaitable<Prepared>
  try {
    preparing = prepare(model, writingOf(model, data, write, together), write, onValid)
  } catch (error) {
    return done(failed(error))
  }
  return preparing instanceof Promise ? settle(preparing, failed, done) : done({ isValid, prepared: preparing })
}

async function settle(
  preparing: Promise<Prepared>,
  failed: (error: unknown) => Outcome,
  done: (outcome: Outcome) => void
): Promise<void> {
  let outcome: Outcome
  try {
    outcome = { isValid: true, prepared: await preparing }
  } catch (error) {
    outcome = failed(error)
  }
  done(outcome)
}

/**
 * The outcomes of a list, and what the database stored of it; undefined where a record cannot be stored. The rows are stored in the
 * moment in which the last one is ready, so that a list that is not waited for keeps its place before the records created after it.
 */
async function storeEach(
  model: ModelType,
  list: readonly unknown[],
  write: Write
): Promise<{ outcomes: readonly Outcome[]; stored: readonly Row[] | undefined }> {
  await passTurns(model)
  const together = makeWrittenTogether(model)
  const outcomes: Outcome[] = []
  let waiting = list.length
  let storing: readonly Row[] | Promise<readonly Row[]> | undefined
  const store = (): void => {
    const rows = outcomes.map(({ prepared }) => prepared?.row).filter((row) => row !== undefined)
    if (rows.length === list.length) storing = collectionOf(model, 'insert').insert(rows)
  }
  await forEachOf(model, list, (data, index) =>
    prepareOne(model, data, { write, together }, (outcome) => {
      outcomes[index] = outcome
      if (--waiting === 0) store()
    })
  )
  return { outcomes, stored: await storing }
}

/** Refuses a list of which a record cannot be stored. @throws what is wrong with its data, with its values, or with storing it */
function refuse(outcomes: readonly Outcome[]): never {
  const failed = outcomes.filter(({ prepared }) => prepared === undefined)
  const malformed = failed.find(({ isValid, error }) => !isValid && !(error instanceof ValidationError))
  if (malformed !== undefined) throw malformed.error
  if (failed.some(({ isValid }) => !isValid))
    throw new ListNotValid(outcomes.map(({ error }) => (error instanceof ValidationError ? error : null)))
  throw failed[0]?.error
}

/**
 * Stores several new records, all or none. If several records have the same unique value, the first one keeps it.
 * @throws {ListNotValid} some break a rule; `details` has an error per record that does
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, create, which looks only for stored records
 */
export async function createAll(
  model: ModelType,
  list: readonly unknown[],
  call: Call = callOf()
): Promise<ModelInstance[]> {
  const write = await writeBy(model, call, 'create')
  if (list.length === 0) return []
  const { outcomes, stored } = await storeEach(model, list, write)
  if (stored === undefined) return refuse(outcomes)
  const created: ModelInstance[] = []
  for (const [index, { prepared }] of outcomes.entries()) {
    const finished = prepared && finishNew(model, prepared, stored[index] ?? {}, write)
    if (finished !== undefined) created.push(finished instanceof Promise ? await finished : finished)
  }
  return created
}

/** LB3: a connector that finds or creates by itself receives a record that is valid, whether it is needed or not. */
const preparesFirst = ({ registry, dataSource }: ModelType): boolean =>
  registry.rules.validatesBeforeFinding && dataSource?.connector.capabilities.findsOrCreates === true

/**
 * Finds the first record that matches `filter`, or creates one from `data`; true if it was created. Of several concurrent
 * calls with the same filter, only one creates it.
 * @throws {ValidationError} the new record breaks a rule
 * @see LoopBack 3, loopback-datasource-juggler, lib/dao.js, findOrCreate: `access`, `before save`, the rules, `persist`, then the read
 */
export async function findOrCreate(
  model: ModelType,
  filter: unknown,
  data?: unknown,
  caller: Call = callOf()
): Promise<[ModelInstance, boolean]> {
  if (!model.registry.rules.normalizesUndefined && !(isPlainObject(filter) && filter['where'] !== undefined))
    throw new InvalidArgument(`findOrCreate of ${model.name} requires a filter with "where"`)
  const write = preparesFirst(model) ? await writeBy(model, caller, 'create') : undefined
  const { call, lock } = takeLock(model, caller)
  const restriction = await restrictionFor(model, call, 'findOne')
  const read = await compiledRead(model, { filter: limitedToOne(filter), call, restriction, lock })
  const prepared = write && (await prepare(model, writingOf(model, data, write), write))
  const find = async (): Promise<ModelInstance | undefined> => (await read()).first()
  const insert = async (): Promise<ModelInstance> =>
    write && prepared
      ? finishNew(model, prepared, await insertRow(model, prepared.row), write, true)
      : create(model, data, caller, true)
  const found = await find()
  if (found !== undefined) return [found, false]
  const where = isPlainObject(filter) ? filter['where'] : undefined
  const made = await insertOnce(model, where ?? {}, insert, find)
  return 'inserted' in made ? [made.inserted, true] : [made.found, false]
}
