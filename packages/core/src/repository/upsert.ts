import { isDeepStrictEqual } from 'node:util'
import { asServer, callOf } from '../access/call.ts'
import type { Call } from '../contract/call.ts'
import type { Id, Row } from '../contract/row.ts'
import { DuplicateKey, InvalidArgument, InvalidValue } from '../errors.ts'
import { compileOptionalWhere } from '../filter/compile-filter.ts'
import { scopeValues } from '../filter/default-scope.ts'
import type { Filter } from '../contract/condition.ts'
import { toRow } from '../model/build-instance.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { withRelatedKeys } from '../model/related-keys.ts'
import { validateInstance } from '../validation/validate-instance.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import type { Awaitable } from '../values/awaitable.ts'
import { acceptData } from './accept-data.ts'
import { announce, announcePersist, announceWhere } from './announce.ts'
import { checkedPatch } from './checked-patch.ts'
import { completeRow, missingDefaults } from './complete-row.ts'
import { createBy, draftInstance, toData } from './create.ts'
import { createAll } from './create-all.ts'
import { findById } from './find.ts'
import { findMatching } from './find-matching.ts'
import { insertOnce, insertOrFind } from './overtaken.ts'
import { findsFirst, matchingFilter, upsertFound, upsertMatching } from './upsert-found.ts'
import { draftAsSent, draftToCheck, validatesUpsert } from './upsert-draft.ts'
import { collectionOf, idOf, idPropertyOf, isOutOfScope, toId, whereId } from './identify.ts'
import { toInstance } from './to-instance.ts'
import { checkSameId, idWithin, patchById } from './update.ts'
import { finish } from './write.ts'
import { checkAdmitted, isFree, isNativeClient, type Write, writeBy } from './write-within.ts'

/**
 * Updates the record with the data's id in part, or creates one. Where ids are the database's own, an id that is not stored
 * is an error. Version 2 also takes a list. What a client sends is validated, unless `updatesWithoutRules` holds.
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
  const { name } = idPropertyOf(model)
  const id = sent[name]
  const write = await writeBy(model, call, 'patchOrCreate')
  if (id === undefined || id === null) return createBy(model, sent, write)
  // One id may be written in several ways.
  const input = { ...sent, [name]: toId(model, id) ?? id }
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
  const insert = async (): Promise<ModelInstance> => createBy(model, input, write)
  const found = await find()
  const made = found === undefined ? await insertOrFind(model, insert, find) : { found }
  return 'inserted' in made ? made.inserted : patchById(model, made.found, input, write)
}

/**
 * LB3: validated only where the model requires it, not completed by defaults in the answer; pinned by version2/put and
 * crud/force-id.
 */
async function upsertById(model: ModelType, id: unknown, input: Row, write: Write): Promise<ModelInstance> {
  const { call } = write
  const key = toId(model, id)
  const where = whereId(model, key)
  if (await isOutOfScope(model, key)) throw new DuplicateKey(model.name, idPropertyOf(model).name, key)
  const sent = await acceptUpsert(model, key, input, write)
  const hookState = {}
  const wanted = await announceWhere(model, where, call, hookState)
  if (!isDeepStrictEqual(wanted, where)) return upsertMatching(model, wanted, input, write)
  const facts = { data: { ...sent, ...scopeValues(model) }, where, hookState }
  const data = (await announce(model, 'before save', facts, call)).data ?? sent
  const patch = checkedPatch(model, data, 'dropped')
  if (validatesUpsert(model, call)) await validateInstance(model, draftAsSent(model, patch), false, call.options)
  const stored = { data: patch, where, currentInstance: draftInstance(model, sent), hookState }
  const persisted = await announcePersist(model, stored, call)
  const { row, created } = await collectionOf(model, 'upsert').upsert(persisted)
  // Defaults of a new record are stored, though the answer of the upsert does not show them.
  if (created) await completeDefaults(model, row)
  const { name } = idPropertyOf(model)
  return finishUpsert(model, created ? { ...persisted, [name]: row[name] } : row, {
    created,
    write,
    hookState,
    sent: input
  })
}

/** What a client may set of a record that is changed, or created where there is none. */
async function acceptUpsert(model: ModelType, key: Id | undefined, input: Row, write: Write): Promise<Row> {
  if (isFree(model, write)) return input
  const stored = key === undefined ? undefined : await collectionOf(model, 'findById').findById(key)
  return acceptData(model, input, write, stored === undefined ? 'new' : 'part', stored)
}

async function completeDefaults(model: ModelType, row: Row): Promise<void> {
  const missing = missingDefaults(model, row)
  if (missing !== undefined)
    await collectionOf(model, 'update').update(compileOptionalWhere(model, whereId(model, idOf(model, row))), missing)
}

/** What an upsert came to. */
interface Upserted {
  readonly created: boolean
  readonly write: Write
  readonly hookState: Record<string, unknown>
  readonly sent: Row
}

function finishUpsert(
  model: ModelType,
  row: Row,
  { created: isNew, write, ...facts }: Upserted
): Awaitable<ModelInstance> {
  const show = (loaded: Row): ModelInstance => toInstance(model, loaded)
  return finish(model, { ...facts, row, id: idOf(model, row), isNew, show }, write)
}

/**
 * Updates the one record that matches, or creates one. The data of code is validated as a whole new record either way; of a
 * client's patch the record that it leaves behind is. Where `patchesWhatMatches` holds that depends on the connector, as in LoopBack.
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
  const input = withRelatedKeys(model, toData(model, data))
  if (!isPlainObject(where) || Object.keys(where).length === 0)
    throw new InvalidArgument('where must contain a condition')
  if (Object.keys(input).length === 0) throw new InvalidArgument('the data must have at least one property')
  const write = await writeBy(model, call, 'upsertWithWhere')
  if (findsFirst(model)) return upsertFound(model, where, input, write)
  const hookState = {}
  const reading = await matchingFilter(model, where, write, hookState)
  const sent = isFree(model, write) ? input : await acceptMatching(model, input, write, reading)
  const facts = { data: { ...sent }, where, hookState }
  const changed = (await announce(model, 'before save', facts, call)).data ?? sent
  const draft = draftInstance(model, changed)
  const checksLeft = isNativeClient(model, write)
  if (!checksLeft) await validateInstance(model, draftToCheck(model, draft, changed), true, call.options)
  const current = await findMatching(model, reading)
  if (checksLeft) await validateLeft(model, current, { draft, changed }, call)
  const patch = checkedPatch(model, { ...changed, ...scopeValues(model) }, 'dropped')
  const stored = { data: patch, where, currentInstance: draft, hookState }
  const persisted = await announcePersist(model, stored, call)
  const upserted = { write, hookState, sent: input }
  if (current !== undefined) return updateMatching(model, current, persisted, upserted)
  const made = await insertOnce(
    model,
    where,
    async () => insertMatching(model, draft, persisted, write),
    async () => findMatching(model, reading)
  )
  if ('inserted' in made) return finishUpsert(model, made.inserted, { ...upserted, created: true })
  if (checksLeft) await validateLeft(model, made.found, { draft, changed }, call)
  return updateMatching(model, made.found, persisted, upserted)
}

/** Changes the one record that matches. It keeps its id, whatever id the data names. */
async function updateMatching(
  model: ModelType,
  current: Row,
  persisted: Row,
  upserted: Omit<Upserted, 'created'>
): Promise<ModelInstance> {
  const { write } = upserted
  const { [idPropertyOf(model).name]: _id, ...kept } = persisted
  await checkAdmitted(write, { ...current, ...kept })
  const where = idWithin(model, idOf(model, current), write)
  const count = await collectionOf(model, 'update').update(where, kept)
  if (count === 0 && write.restriction?.condition !== undefined) throw write.restriction.deny()
  // LB3: the answer shows undeclared properties that were sent before stored ones.
  return finishUpsert(model, { ...kept, ...current, ...kept }, { ...upserted, created: false })
}

async function acceptMatching(model: ModelType, input: Row, write: Write, reading: Filter): Promise<Row> {
  const current = await findMatching(model, reading)
  return acceptData(model, input, write, current === undefined ? 'new' : 'part', current)
}

/** What a client leaves behind is valid as a whole, and need not be sent as a whole. */
async function validateLeft(
  model: ModelType,
  current: Row | undefined,
  { draft, changed }: { readonly draft: ModelInstance; readonly changed: Row },
  { options }: Call
): Promise<void> {
  if (current === undefined) return validateInstance(model, draft, true, options)
  checkSameId(model, changed, idOf(model, current))
  const left = draftInstance(model, { ...completeRow(model, current), ...changed })
  return validateInstance(model, left, false, options)
}

/** What the answer shows of the new record. */
async function insertMatching(model: ModelType, draft: ModelInstance, persisted: Row, write: Write): Promise<Row> {
  const made = { ...toRow(model, draft), ...persisted }
  await checkAdmitted(write, made)
  const [row = {}] = await collectionOf(model, 'insert').insert([made])
  const id = idPropertyOf(model).name
  // LB3: the answer shows the id and what was sent, not the defaults; pinned by crud/upsert-with-where.
  const isShown = (key: string): boolean =>
    key === id || Object.hasOwn(persisted, key) || (model.persistUndefinedAsNull && row[key] === null)
  return Object.fromEntries(Object.entries(row).filter(([key]) => isShown(key)))
}
