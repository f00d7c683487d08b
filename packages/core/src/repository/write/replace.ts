import { isDeepStrictEqual } from 'node:util'
import type { Call } from '../../contract/call.ts'
import { callOf } from '../../access/call.ts'
import type { Id, Row } from '../../contract/row.ts'
import { copyRow } from '../../model/build-instance.ts'
import { isComposite } from '../../model/composite-key.ts'
import { type ModelInstance, stateOf } from '../../contract/model-instance.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { acceptData, type WriteKind } from '../records/accept-data.ts'
import { announceWhere } from '../records/announce.ts'
import { createBy, draftInstance, insertRow, toData, create } from './create.ts'
import { insertOrFind } from './insert-once.ts'
import { checkSameId, keepsKey, noRecord, otherId } from './patch.ts'
import { finishPrepared, prepare, type Prepared, showStored } from './write.ts'
import { findOrInsert } from './upsert.ts'
import {
  collectionOf,
  idOf,
  idPropertyOf,
  idValues,
  isOutOfScope,
  onlyId,
  rememberStored,
  restOfStoredKey,
  sentId,
  storedIdOf,
  takenId,
  toId,
  whereId,
  withoutId
} from '../records/identify.ts'
import { scopeValues } from '../../filter/default-scope.ts'
import { conditionWithin } from '../../filter/restriction.ts'
import {
  isFree,
  notFoundError,
  recordWithin,
  storedToWrite,
  withinCallersVersion,
  type Write,
  writeBy,
  writeOneBy
} from '../records/rights.ts'

/**
 * A stored record that shows what it was replaced by.
 * @param row as it was to be stored
 * @param inserted the row as it is stored, where it is new
 */
async function finishReplacement(
  model: ModelType,
  prepared: Prepared,
  write: Write,
  { row, inserted }: { readonly row: Row; readonly inserted?: Row | undefined }
): Promise<ModelInstance> {
  const { instance } = prepared
  const stored = inserted ?? replacedRow(model, prepared.row)
  for (const { name, rawDefault } of model.plan) if (rawDefault !== undefined) instance[name] = row[name]
  showStored(model, instance, row, stored)
  return finishPrepared(model, prepared, write, { stored, takes: true, isNew: inserted !== undefined })
}

/** A row as it is stored in place of another one. */
function replacedRow(model: ModelType, row: Row): Row {
  const { rules } = model.registry
  if (rules.leavesOutUnsent || model.dataSource?.connector.capabilities.storesAbsentAsNull !== true) return row
  const absent = model.plan.filter(({ name }) => row[name] === undefined)
  return absent.length === 0 ? row : { ...row, ...Object.fromEntries(absent.map(({ name }) => [name, null])) }
}

/**
 * The data of a replacement: what a client leaves out and may not set stays as it is stored.
 * @param missing what the data becomes where no record has the id; undefined: it is left as it is, since nothing will be stored
 */
async function acceptWhole(
  model: ModelType,
  key: Id | undefined,
  input: Row,
  write: Write,
  missing?: WriteKind
): Promise<Row> {
  if (isFree(model, write)) return input
  const stored = key === undefined ? undefined : await storedToWrite(model, key, write)
  const kind = stored === undefined ? missing : 'whole'
  return kind === undefined ? input : acceptData(model, input, write, kind, stored)
}

/**
 * Replaces the whole record with this id; absent properties get their defaults.
 * @throws {RecordNotFound} there is none
 * @throws {IdMismatch} `data` has another id
 * @throws {ValidationError} it breaks a rule
 */
export async function replaceById(
  model: ModelType,
  id: unknown,
  data: unknown,
  call: Call = callOf()
): Promise<ModelInstance> {
  return replaceBy(model, id, data, await writeOneBy(model, call, 'replaceById'))
}

/** @param rest of the key of the record that is meant, where several have the id */
async function replaceBy(
  model: ModelType,
  id: unknown,
  data: unknown,
  write: Write,
  rest: Row = {}
): Promise<ModelInstance> {
  const { name } = idPropertyOf(model)
  const key = toId(model, id)
  const sent = toData(model, data)
  // LB3: the id of a replacement is compared strictly, so `"1"` is not 1, and null is dropped; pinned by crud/put-instance.
  const isOther = sent[name] !== undefined && sent[name] !== null && sent[name] !== key
  if (isComposite(model) ? !keepsKey(model, sent, key) : isOther) throw otherId(model)
  const accepted = await acceptWhole(model, key, sent, write)
  const instance = draftInstance(model, { ...rest, ...accepted, ...idValues(model, key) })
  const prepared = await prepare(model, { instance, sent, where: whereId(model, key), isNew: false }, write)
  const row = { ...prepared.row }
  const isThere = key !== undefined && !(await isOutOfScope(model, key))
  const replaced = isThere && (await replaceStored(model, key, prepared.row, { write, rest }))
  if (!replaced) throw notFoundError(write, () => Object.assign(noRecord(model, id), { status: 404 }))
  return finishReplacement(model, prepared, write, { row })
}

/** Replaces a whole stored record; the instance shows the new record afterwards. */
export async function replaceInstance(
  model: ModelType,
  current: ModelInstance,
  data: unknown,
  call: Call = callOf()
): Promise<ModelInstance> {
  const write = await writeOneBy(model, call, 'replaceById')
  const replaced = await replaceBy(
    model,
    storedIdOf(model, current),
    data,
    write,
    await restOfStoredKey(model, current)
  )
  for (const key of Object.keys(current)) if (!Object.hasOwn(replaced, key)) delete current[key]
  copyRow(current, replaced)
  rememberStored(model, current, stateOf(replaced).loaded ?? {})
  return current
}

/**
 * Replaces the record with the data's id, or creates one. If the database generates ids, an unknown id is an error.
 * @throws {RecordNotFound} the id is not stored and clients may not choose ids
 * @see recordings crud/put-collection and crud/force-id
 */
export async function replaceOrCreate(model: ModelType, data: unknown, call: Call = callOf()): Promise<ModelInstance> {
  const sent = toData(model, data)
  const id = sentId(model, sent)
  const write = await writeBy(model, call, 'replaceOrCreate')
  if (id === undefined || id === null) return createBy(model, sent, write)
  if (model.forceId) return replaceBy(model, id, withoutId(model, sent), write)
  const hookState = {}
  const where = whereId(model, id)
  const wanted = await announceWhere(model, where, call, hookState)
  // LB3: where observers change which record is meant, it is looked for.
  if (!isDeepStrictEqual(wanted, where)) return replaceMatching(model, wanted, sent, write)
  const input = isComposite(model) ? { ...sent, ...idValues(model, id) } : sent
  const instance = draftInstance(model, await acceptWhole(model, toId(model, id), input, write, 'new'))
  const prepared = await prepare(model, { instance, sent, where, isNew: false, hookState }, write)
  // What the client may set was decided for the record with this id.
  if (isComposite(model) && idOf(model, prepared.row) !== id) throw otherId(model)
  const row = { ...prepared.row }
  const inserted = await replaceOrInsert(model, prepared.row, write)
  // Some ids of clients count as none.
  if (inserted !== undefined) for (const name of model.keyNames) instance[name] = inserted[name]
  return finishReplacement(model, prepared, write, { row, inserted })
}

async function replaceMatching(model: ModelType, where: unknown, input: Row, write: Write): Promise<ModelInstance> {
  const made = await findOrInsert(model, where, input, write)
  return 'inserted' in made ? made.inserted : replaceBy(model, idOf(model, made.found), input, write)
}

/** Stores the row in place of the one with its id; returns it as it is stored where it is a new one. */
async function replaceOrInsert(model: ModelType, row: Row, write: Write): Promise<Row | undefined> {
  const collection = collectionOf(model, 'replace')
  const key = toId(model, idOf(model, row))
  if (key !== undefined && (await isOutOfScope(model, key))) throw takenId(model, key)
  const { condition } = write.restriction ?? {}
  const replace = async (): Promise<true | undefined> =>
    key !== undefined && (await collection.replace(key, row, condition)) ? true : undefined
  if ((await replace()) === true) return undefined
  const made = await insertOrFind(model, async () => insertWithin(model, row, write), replace)
  return 'inserted' in made ? made.inserted : undefined
}

/**
 * A client that may change only some of the records cannot create one with an id of its choice: that would reveal which
 * ids exist.
 */
async function insertWithin(model: ModelType, row: Row, { restriction }: Write): Promise<Row> {
  if (restriction?.condition !== undefined) throw restriction.deny()
  return { ...row, ...(await insertRow(model, row)) }
}

/** Stores a row in place of the one with the id, and with the rest of its key where several records have the id. */
async function replaceStored(
  model: ModelType,
  key: Id,
  row: Row,
  { write: { restriction }, rest }: { readonly write: Write; readonly rest: Row }
): Promise<boolean> {
  const isAlone = Object.keys(rest).length === 0
  const within = isAlone ? restriction?.condition : conditionWithin(restriction, onlyId(model, key, rest))
  return collectionOf(model, 'replace').replace(key, row, within)
}

/** Stores the row of an instance; one that was read with chosen fields leaves the others as they are. */
async function storeWhole(model: ModelType, { instance, row }: Prepared, write: Write): Promise<boolean> {
  const id = storedIdOf(model, instance)
  const rest = await restOfStoredKey(model, instance)
  const isWhole = model.plan.every(({ name }) => Object.hasOwn(instance, name))
  // The id of a stored record is of the type that its property declares.
  if (isWhole) return replaceStored(model, id as object, row, { write, rest })
  const only = recordWithin(model, { id, rest }, write)
  return (await collectionOf(model, 'update').update(only, row)) > 0
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
  const id = storedIdOf(model, instance)
  const write = withinCallersVersion(model, { call, restriction: undefined })
  const { end, ...prepared } = await prepare(
    model,
    { instance, sent: {}, where: whereId(model, id), forced: scopeValues(model), actions: ['save', 'update'] },
    write
  )
  if (isComposite(model) && id !== undefined) checkSameId(model, prepared.row, id)
  if (!(await storeWhole(model, { ...prepared, end }, write))) throw notFoundError(write, () => noRecord(model, id))
  // LB3: the functions after the actions run after observers of `after save`, where a record saves itself.
  await finishPrepared(model, { ...prepared, end: undefined }, write, { takes: true })
  await end?.()
  return instance
}
