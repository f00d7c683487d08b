import { isDeepStrictEqual } from 'node:util'
import { asServer, callOf } from '../../access/call.ts'
import type { Call } from '../../contract/call.ts'
import type { Id, Row } from '../../contract/row.ts'
import { InvalidArgument, InvalidValue, SeveralMatches } from '../../errors.ts'
import { compileFilter } from '../../filter/compile-filter.ts'
import { scopeValues, underScope } from '../../filter/default-scope.ts'
import { checkReadable, filterWithin } from '../../filter/restriction.ts'
import type { Filter } from '../../contract/condition.ts'
import { toRow } from '../../model/build-instance.ts'
import type { ModelInstance } from '../../contract/model-instance.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { withRelatedKeys } from '../../model/related-keys.ts'
import { validateInstance } from '../../validation/validate-instance.ts'
import { isPlainObject } from '@modelwire/server'
import { acceptData } from '../records/accept-data.ts'
import { announce, announcePersist, announceWhere } from '../records/announce.ts'
import { createAll, createBy, draftInstance, toData } from './create.ts'
import { findById } from '../read/find.ts'
import { insertOnce, insertOrFind, type Overtaken } from './insert-once.ts'
import {
  collectionOf,
  idOf,
  idPropertyOf,
  idValues,
  isOutOfScope,
  restOfKey,
  sentId,
  takenId,
  toId,
  whereId,
  withoutId
} from '../records/identify.ts'
import { checkedPatch, checkSameId, patchById, patchInstanceBy } from './patch.ts'
import { completeRow, defaultsOfNew, toInstance } from '../records/records.ts'
import { resolveChangingWhere } from '../read/related.ts'
import {
  assertClientQuery,
  checkAdmitted,
  isFree,
  isNativeClient,
  recordWithin,
  type Write,
  writeBy
} from '../records/rights.ts'
import { finish } from './write.ts'

// An upsert of LoopBack stores data of which nobody knows yet whether it is a new record: observers see it as data, and it is checked as
// the connector demands. That of a native client is the patch of a record or the creation of one.

/**
 * Partially updates the record with the data's id, or creates one. If the database generates ids, an unknown id is an
 * error. Version 2 also accepts a list. A client's data is validated, unless `updatesWithoutRules` holds.
 * @throws {RecordNotFound} the id is not stored and clients may not choose ids
 * @throws {ValidationError} a value cannot become its type, or the record would break a rule
 * @see recordings crud/patch-collection and version2/put
 */
export async function patchOrCreate(
  model: ModelType,
  data: unknown,
  call: Call = callOf()
): Promise<ModelInstance | ModelInstance[]> {
  if (Array.isArray(data)) return upsertList(model, data, call)
  const sent = toData(model, data)
  const id = sentId(model, sent)
  const write = await writeBy(model, call, 'patchOrCreate')
  if (id === undefined || id === null) return createBy(model, sent, write)
  // One id may be written in several ways.
  const input = { ...sent, ...idValues(model, toId(model, id) ?? id) }
  // A client that may change only some of the records cannot create one with an id of its choice: that would reveal
  // which ids exist.
  if (model.forceId || write.restriction?.condition !== undefined) return patchById(model, id, input, write)
  if (isNativeClient(model, write)) return upsertValid(model, id, input, write)
  return upsertById(model, id, input, write)
}

async function upsertList(model: ModelType, list: readonly unknown[], call: Call): Promise<ModelInstance[]> {
  if (!model.registry.rules.upsertsLists) throw new InvalidValue(`a ${model.name} must be an object, not a list`)
  return createAll(model, list, call)
}

/** A client's upsert is the patch of a record, or the creation of one: what it leaves behind is valid as a whole. */
async function upsertValid(model: ModelType, id: unknown, input: Row, write: Write): Promise<ModelInstance> {
  const key = toId(model, id)
  const find = async (): Promise<Id | undefined> =>
    key !== undefined && (await findById(model, key, undefined, asServer(write.call))) !== null ? key : undefined
  const made = await findOr(find, async () => insertOrFind(model, async () => createBy(model, input, write), find))
  return 'inserted' in made ? made.inserted : patchById(model, made.found, input, write)
}

/** What `find` finds, or what `insert` then does. */
async function findOr<Inserted, Found>(
  find: () => Promise<Found | undefined>,
  insert: () => Promise<Overtaken<Inserted, Found>>
): Promise<Overtaken<Inserted, Found>> {
  const found = await find()
  return found === undefined ? insert() : { found }
}

/** An upsert in progress. */
interface Upsert {
  readonly write: Write
  readonly where: Row
  readonly hookState: Row
  /** The caller's data. */
  readonly sent: Row
}

/** The data of an upsert as observers of `before save` leave it. */
async function observeData(model: ModelType, data: Row, { write, where, hookState }: Upsert): Promise<Row | undefined> {
  return (await announce(model, 'before save', { data, where, hookState }, write.call)).data
}

/** What is stored of an upsert, as observers of `persist` leave it. @param draft the data as a record of its own */
async function persistData(
  model: ModelType,
  patch: Row,
  draft: ModelInstance,
  { write, where, hookState }: Upsert
): Promise<Row> {
  return announcePersist(model, { data: patch, where, currentInstance: draft, hookState }, write.call)
}

/** Announces what an upsert stored. */
async function finishUpsert(model: ModelType, row: Row, isNew: boolean, upsert: Upsert): Promise<ModelInstance> {
  const { write, sent, hookState } = upsert
  const show = (loaded: Row): ModelInstance => toInstance(model, loaded, { stored: row })
  return finish(model, { row, sent, hookState, id: idOf(model, row), isNew, show }, write)
}

/**
 * LB3: validated only where the model requires it, not completed by defaults in the answer; pinned by version2/put and
 * crud/force-id.
 */
async function upsertById(model: ModelType, id: unknown, input: Row, write: Write): Promise<ModelInstance> {
  const { call } = write
  const key = toId(model, id)
  const where = whereId(model, key)
  const { name } = idPropertyOf(model)
  if (await isOutOfScope(model, key)) throw takenId(model, key)
  const accepted = await acceptUpsert(model, key, input, write)
  const upsert: Upsert = { write, where, hookState: {}, sent: input }
  const wanted = await announceWhere(model, where, call, upsert.hookState)
  if (!isDeepStrictEqual(wanted, where)) return upsertMatching(model, wanted, input, write)
  const data = (await observeData(model, { ...accepted, ...scopeValues(model) }, upsert)) ?? accepted
  const patch = checkedPatch(model, data, 'dropped')
  if (validatesUpsert(model, call)) {
    const draft = draftToCheck(model, draftInstance(model, patch), patch)
    await validateInstance(model, draft, false, call.options)
  }
  const persisted = await persistData(model, patch, draftInstance(model, accepted), upsert)
  const { row, created } = await collectionOf(model, 'upsert').upsert(persisted, defaultsOfNew(model, persisted))
  // LB3: defaults of a new record are stored, though the answer of the upsert does not show them.
  const showsSent = created && model.registry.rules.leavesOutUnsent
  return finishUpsert(model, showsSent ? { ...persisted, [name]: row[name] } : row, created, upsert)
}

/** What a client may set of a record that is changed, or created where there is none. */
async function acceptUpsert(model: ModelType, key: Id | undefined, input: Row, write: Write): Promise<Row> {
  if (isFree(model, write)) return input
  const stored = key === undefined ? undefined : await collectionOf(model, 'findById').findById(key)
  return acceptData(model, input, write, stored === undefined ? 'new' : 'part', stored)
}

/** LB3: an upsert is validated without the defaults of what was not sent; lib/dao.js, upsertWithWhere */
function draftAsSent(model: ModelType, sent: Row): ModelInstance {
  const draft = draftInstance(model, sent)
  const completed = model.properties.filter(
    ({ name, makeDefault }) => makeDefault !== undefined && sent[name] === undefined
  )
  const forced = scopeValues(model) ?? {}
  for (const { name } of completed) if (!(name in forced)) draft[name] = undefined
  return draft
}

/** LB3: a setting of the model decides whether upserts are validated; lib/dao.js, updateOrCreate */
function validatesUpsert({ definition }: ModelType, { options }: Call): boolean {
  return (options['validate'] ?? definition.validateUpsert ?? definition.automaticValidation) === true
}

/**
 * Updates the one record that matches, or creates one. Data from code is always validated as a whole new record; for a
 * client's patch, the resulting record is validated. If `patchesWhatMatches` holds, this depends on the connector, as in
 * LoopBack.
 * @throws {InvalidArgument} `where` or the data is empty
 * @throws {SeveralMatches} more than one record matches
 * @throws {IdMismatch} a client's data has another id than the record that matches
 * @throws {ValidationError} the data breaks a rule
 * @throws {DuplicateKey} another record than the one that matches has the id or a unique value
 * @see recording crud/upsert-with-where
 */
export async function upsertWithWhere(
  model: ModelType,
  where: unknown,
  data: unknown,
  call: Call = callOf()
): Promise<ModelInstance> {
  const sent = withRelatedKeys(model, toData(model, data))
  if (!isPlainObject(where) || Object.keys(where).length === 0)
    throw new InvalidArgument('where must contain a condition')
  if (Object.keys(sent).length === 0) throw new InvalidArgument('the data must have at least one property')
  const write = await writeBy(model, call, 'upsertWithWhere')
  if (findsFirst(model)) return upsertFound(model, where, sent, write)
  const upsert: Upsert = { write, where, hookState: {}, sent }
  const reading = await matchingFilter(model, upsert)
  const find = async (): Promise<Row | undefined> => findMatching(model, reading)
  const accepted = isFree(model, write) ? sent : await acceptMatching(model, sent, write, reading)
  const changed = (await observeData(model, { ...accepted }, upsert)) ?? accepted
  const draft = draftInstance(model, changed)
  const checksLeft = isNativeClient(model, write)
  const validateLeft = async (found: Row | undefined): Promise<void> =>
    checksLeft ? checkLeft(model, found, { draft, changed }, call) : undefined
  if (!checksLeft) await validateInstance(model, draftToCheck(model, draft, changed), true, call.options)
  const current = await find()
  await validateLeft(current)
  const patch = checkedPatch(model, { ...changed, ...scopeValues(model) }, 'dropped')
  const persisted = await persistData(model, patch, draft, upsert)
  if (current !== undefined) return updateMatching(model, current, persisted, upsert)
  const made = await insertOnce(model, where, async () => insertMatching(model, draft, persisted, write), find)
  if ('inserted' in made) return finishUpsert(model, made.inserted, true, upsert)
  await validateLeft(made.found)
  return updateMatching(model, made.found, persisted, upsert)
}

/** What is validated of a draft: without defaults as LoopBack does, or as it is. */
const draftToCheck = (model: ModelType, draft: ModelInstance, sent: Row): ModelInstance =>
  model.registry.rules.validatesBeforeDefaults ? draftAsSent(model, sent) : draft

/** Changes the one record that matches. It keeps its id, whatever id the data names. */
async function updateMatching(model: ModelType, current: Row, persisted: Row, upsert: Upsert): Promise<ModelInstance> {
  const { write } = upsert
  const kept = withoutId(model, persisted)
  await checkAdmitted(write, () => ({ ...current, ...kept }))
  const where = recordWithin(model, { id: idOf(model, current), rest: await restOfKey(model, current) }, write)
  const count = await collectionOf(model, 'update').update(where, kept)
  if (count === 0 && write.restriction?.condition !== undefined) throw write.restriction.deny()
  // LB3: the answer shows undeclared properties that were sent before stored ones.
  return finishUpsert(model, { ...kept, ...current, ...kept }, false, upsert)
}

async function acceptMatching(model: ModelType, input: Row, write: Write, reading: Filter): Promise<Row> {
  const current = await findMatching(model, reading)
  return acceptData(model, input, write, current === undefined ? 'new' : 'part', current)
}

/** What a client leaves behind is valid as a whole, and need not be sent as a whole. */
async function checkLeft(
  model: ModelType,
  current: Row | undefined,
  { draft, changed }: { readonly draft: ModelInstance; readonly changed: Row },
  { options }: Call
): Promise<void> {
  if (current === undefined) return validateInstance(model, draft, true, options)
  checkSameId(model, changed, idOf(model, current))
  const left = draftInstance(model, { ...completeRow(model, current), ...changed })
  return validateInstance(model, left, false, options, { data: changed })
}

/** What the answer shows of the new record. */
async function insertMatching(model: ModelType, draft: ModelInstance, persisted: Row, write: Write): Promise<Row> {
  const made = { ...toRow(model, draft), ...persisted }
  await checkAdmitted(write, () => made)
  const [row = {}] = await collectionOf(model, 'insert').insert([made])
  if (!model.registry.rules.leavesOutUnsent) return row
  const id = idPropertyOf(model).name
  // LB3: the answer shows the id and what was sent, not the defaults; pinned by crud/upsert-with-where.
  const isShown = (key: string): boolean =>
    key === id || Object.hasOwn(persisted, key) || (model.persistUndefinedAsNull && row[key] === null)
  return Object.fromEntries(Object.entries(row).filter(([key]) => isShown(key)))
}

/** LB3: only where the connector upserts by itself is the data a record of its own; lib/dao.js, upsertWithWhere */
const findsFirst = ({ registry, dataSource }: ModelType): boolean =>
  registry.rules.patchesWhatMatches && dataSource?.connector.capabilities.upsertsWithWhere !== true

const patchRow = (model: ModelType, row: Row, input: Row, write: Write): Promise<ModelInstance> =>
  patchInstanceBy(model, toInstance(model, completeRow(model, row)), input, write)

/**
 * LB3: the record that matches is patched as by its id, else one is created, each with its own hooks, rules and answer.
 * @throws {SeveralMatches} more than one record matches
 */
async function upsertFound(model: ModelType, where: Row, input: Row, write: Write): Promise<ModelInstance> {
  const reading = await matchingFilter(model, { write, where, hookState: {} })
  const find = async (): Promise<Row | undefined> => findMatching(model, reading)
  const made = await findOr(find, async () => insertOnce(model, where, async () => createBy(model, input, write), find))
  return 'inserted' in made ? made.inserted : patchRow(model, made.found, input, write)
}

/** LB3: where observers of `access` change which record is meant, it is looked for, and changed or created in full. */
async function upsertMatching(model: ModelType, where: unknown, input: Row, write: Write): Promise<ModelInstance> {
  const made = await findOrInsert(model, where, input, write)
  return 'inserted' in made ? made.inserted : patchRow(model, made.found, input, write)
}

/**
 * The record that observers of `access` select, or a newly created one. A new one gets its own id: the one that was sent
 * may be that of a record which the observers hide.
 * @throws {SeveralMatches} there are several
 */
export async function findOrInsert(
  model: ModelType,
  where: unknown,
  input: Row,
  write: Write
): Promise<Overtaken<ModelInstance, Row>> {
  const find = async (): Promise<Row | undefined> => findAnnounced(model, where, write)
  return findOr(find, async () =>
    insertOnce(model, where, async () => createBy(model, withoutId(model, input), write), find)
  )
}

/** The one record that matches. @throws {SeveralMatches} there are several */
async function findMatching(model: ModelType, reading: Filter): Promise<Row | undefined> {
  const found = await collectionOf(model, 'find').find(reading)
  if (found.length > 1) throw new SeveralMatches(`more than one ${model.name} matches`)
  return found[0]
}

/** The filter for up to two records, within what the client may change. */
const upToTwo = (model: ModelType, filter: Filter, { restriction }: Write): Filter => ({
  ...filterWithin(restriction, underScope(model, filter)),
  fields: undefined,
  limit: 2
})

/** The one record that matches once observers of `access` have run; undefined where a new one is to be created. */
async function findAnnounced(model: ModelType, where: unknown, write: Write): Promise<Row | undefined> {
  const found = await findMatching(model, upToTwo(model, compileFilter(model, { where }), write))
  const { restriction } = write
  // The client may change only some of the records: creating one would reveal that it does not exist.
  if (found === undefined && restriction?.condition !== undefined) throw restriction.deny()
  return found
}

/** Finds up to two records that match, within what the client may change. */
async function matchingFilter(
  model: ModelType,
  { write, where, hookState }: Pick<Upsert, 'write' | 'where' | 'hookState'>
): Promise<Filter> {
  const { call, restriction } = write
  const resolved = await resolveChangingWhere(model, where, call)
  const trusted = assertClientQuery(model, ['access'], { where: resolved }, call, restriction)
  const wire = await announceWhere(model, resolved, call, hookState)
  const filter = compileFilter(model, { where: wire }, trusted)
  if (trusted === call) checkReadable(model, filter, restriction)
  return upToTwo(model, filter, write)
}
