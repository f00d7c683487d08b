import { isDeepStrictEqual } from 'node:util'
import { stateOf, type ModelInstance } from '../../contract/model-instance.ts'
import type { Call } from '../../contract/call.ts'
import type { RecordAction } from '../../contract/action-hooks.ts'
import type { ModelType } from '../../contract/model-type.ts'
import type { Row } from '../../contract/row.ts'
import { beginActions, type EndActions } from '../../model/begin-actions.ts'
import { assign, convertAgain, toRow } from '../../model/build-instance.ts'
import { refuseUnstorable, validateInstance } from '../../validation/validate-instance.ts'
import type { WrittenTogether } from '../../validation/written-together.ts'
import { andThen, type Awaitable, clonePlain, setOwn } from '@modelwire/server'
import { announce, announceChange, announcePersist, announceStored, type StoredRecord } from '../records/announce.ts'
import { idOf, rememberStored, storedIdOf } from '../records/identify.ts'
import type { Records } from '../records/records.ts'
import { checkAdmitted, showAfter, type Write } from '../records/rights.ts'

// Every write of one record is one sequence: what a client may set of the data is accepted (accept-data.ts), then `prepare` runs
// observers of `before save`, the rules, functions around the action and observers of `persist`, and checks the rights of the result;
// the operation sends its statement; `finishPrepared` announces what is stored. An operation enters with a `Writing`: what differs, as data.
// Two ways need no instance, and meet the others in `finish`: rows that nobody observes (write-rows.ts), and data that may be a new
// record or change a stored one (upsert.ts). Sets of records are changed in write-set.ts.

/** What an operation writes: a whole record, or `changes` to it. */
export interface Writing {
  /** The resulting record. */
  readonly instance: ModelInstance
  /** The caller's data. */
  readonly sent: Row
  /** A patch: observers of `before save` see this data instead of the record. Absent: the whole record is written. */
  readonly changes?: Row
  /** True for a new record. LB3: absent for a record that saves itself. */
  readonly isNew?: boolean
  readonly where?: Row
  readonly hookState?: Row
  /** Values that override those left by observers of `before save`. */
  readonly forced?: Row | undefined
  /** False if validation rules are not checked, only that the values can be stored. */
  readonly validates?: boolean
  /** Earlier records that are written together with it. */
  readonly together?: WrittenTogether | undefined
  /** The functions that run around the write. */
  readonly actions?: readonly RecordAction[]
}

/** A record that is ready to be stored. */
export interface Prepared {
  readonly instance: ModelInstance
  readonly sent: Row
  readonly changes: Row | undefined
  readonly isNew: boolean | undefined
  readonly hookState: Row
  /** Runs once it is stored. */
  readonly end: EndActions | undefined
  /** The row to store. */
  readonly row: Row
}

const isNewInstance = ({ isNew }: Writing): { readonly isNewInstance?: boolean } =>
  isNew === undefined ? {} : { isNewInstance: isNew }

/** Runs observers of `before save`, and takes over what they leave: the record, or the data of a patch. */
async function observeDraft(model: ModelType, writing: Writing, hookState: Row, call: Call): Promise<Row | undefined> {
  const { instance, changes, where, isNew } = writing
  if (changes !== undefined) {
    const facts = { data: changes, ...(where && { where }), currentInstance: instance, hookState }
    const data = (await announce(model, 'before save', facts, call)).data ?? changes
    assign(model, instance, data)
    return data
  }
  // Observers may remove themselves.
  const isSetByCode = isNew === undefined || model.hooks.has('before save') || model.hooks.requiresInstances
  await announce(model, 'before save', { ...isNewInstance(writing), hookState, instance }, call)
  completeDraft(model, writing, isSetByCode)
  return undefined
}

/** Converts what code has set, or built within a new record, and sets values that override those of observers. */
function completeDraft(model: ModelType, { instance, isNew, forced }: Writing, isSetByCode: boolean): void {
  if (isSetByCode || (isNew && model.embedded.size > 0)) convertAgain(model, instance)
  if (forced !== undefined) assign(model, instance, forced)
}

const isNull = (value: unknown): boolean => value === null || value === undefined

/** What a record that saves itself changes of itself, where it lacks what older records may lack; else undefined: all counts. */
async function writtenBySave(model: ModelType, instance: ModelInstance): Promise<Row | undefined> {
  const lacking = model.rules.filter(({ options }) => options['onlyIfWritten'] === true).map(({ property }) => property)
  const lacked = new Set(lacking.filter((name) => isNull(instance[name])))
  if (lacked.size === 0) return undefined
  const stored = await model.collection?.findById(storedIdOf(model, instance) as object) // a stored record has one
  return Object.fromEntries(Object.entries(instance).filter(([name]) => !lacked.has(name) || !isNull(stored?.[name])))
}

/** Runs the functions before the actions. LB3: what they set in the data of a stored record counts, not what they set in the record; lib/dao.js. */
async function beginWrite(
  model: ModelType,
  { instance, isNew, actions }: Writing,
  changes: Row | undefined
): Promise<EndActions | undefined> {
  if (actions === undefined) return undefined
  const data = isNew === true ? instance : (changes ?? instance.toObject())
  const end = await beginActions(model, instance, actions, data)
  if (end !== undefined && isNew !== true) assign(model, instance, data)
  return end
}

/** The stored form of the properties that `changes` names. */
function changedProperties(instance: ModelInstance, changes: Row): Row {
  const patch: Row = {}
  for (const key of Object.keys(changes))
    if (Object.hasOwn(instance, key)) setOwn(patch, key, clonePlain(instance[key]))
  return patch
}

/**
 * Prepares a record until its row can be stored: at once if it is new and only rules that wait for something could delay it.
 * @param onValid called with the record once its rules are satisfied
 * @throws {ValidationError} it breaks a rule
 * @throws the restriction's error if the client may not write such a record
 */
export function prepare(
  model: ModelType,
  writing: Writing,
  write: Write,
  onValid?: (record: ModelInstance) => void
): Awaitable<Prepared> {
  return isObserved(model, writing, write)
    ? prepareObserved(model, writing, write, onValid)
    : prepareNew(model, writing, write, onValid)
}

/** False for a new record that nothing sees or decides on before it is stored but its rules. */
function isObserved(model: ModelType, { instance, isNew, actions = [] }: Writing, { restriction }: Write): boolean {
  if (isNew !== true || !model.hooks.isEmpty || restriction?.admits !== undefined) return true
  return model.registry.actionHooks?.has(instance, ['validate', ...actions]) === true
}

// Ten thousand records of a list would otherwise wait in seven promises each, which costs three times their own work.
function prepareNew(
  model: ModelType,
  writing: Writing,
  { call }: Write,
  onValid?: (record: ModelInstance) => void
): Awaitable<Prepared> {
  const { instance, sent, validates = true, together, hookState = {} } = writing
  completeDraft(model, writing, false)
  const validated = validates
    ? validateInstance(model, instance, true, call.options, { together })
    : refuseUnstorable(model, instance)
  return andThen(validated, () => {
    onValid?.(instance)
    return { instance, sent, changes: undefined, isNew: true, hookState, end: undefined, row: toRow(model, instance) }
  })
}

async function prepareObserved(
  model: ModelType,
  writing: Writing,
  write: Write,
  onValid?: (record: ModelInstance) => void
): Promise<Prepared> {
  const { instance, sent, where, isNew, validates = true, together, hookState = {} } = writing
  const { call } = write
  const changes = await observeDraft(model, writing, hookState, call)
  const written = changes ?? (isNew === undefined ? await writtenBySave(model, instance) : undefined)
  if (validates) await validateInstance(model, instance, isNew === true, call.options, { together, data: written })
  else refuseUnstorable(model, instance)
  const end = await beginWrite(model, writing, changes)
  onValid?.(instance)
  const data = changes === undefined ? toRow(model, instance) : changedProperties(instance, changes)
  const facts = {
    data,
    currentInstance: instance,
    ...(where && { where: { ...where } }),
    ...isNewInstance(writing),
    hookState
  }
  const row = await announcePersist(model, facts, call)
  await checkAdmitted(write, () => (changes === undefined ? row : { ...toRow(model, instance), ...row }))
  return { instance, sent, changes: writing.changes, isNew, hookState, end, row }
}

/** A record that has just been stored. */
export interface Stored<Shown extends Records | ModelInstance> extends StoredRecord<Shown> {
  /** The caller's data. */
  readonly sent: Row
  readonly id: unknown
  /** The whole record, if only part of it was stored. */
  readonly after?: Row
}

/** Announces a record that has just been stored; returns what its caller may see. */
export function finish<Shown extends Records | ModelInstance>(
  model: ModelType,
  stored: Stored<Shown>,
  write: Write
): Awaitable<Shown> {
  const { isNew, id, sent, row, after = row } = stored
  return andThen(announceStored(model, stored, write.call), (shown) => {
    announceChange(model, { kind: isNew ? 'create' : 'update', id, after })
    return showAfter(model, shown, write, { row: after, sent })
  })
}

/** How the instance of a stored record reflects the stored values. */
export interface Showing {
  /** The stored row. */
  readonly stored?: Row
  /** The instance takes over values that observers of `persist` and `loaded` set. Default: if the model has `updateOnLoad`. */
  readonly takes?: boolean
  readonly isNew?: boolean
  /** The id that a patched record had before. */
  readonly id?: unknown
}

/** Announces prepared records, once they are stored. */
export function finishPrepared(
  model: ModelType,
  prepared: Prepared,
  write: Write,
  { stored = prepared.row, takes = updatesOnLoad(model), isNew = prepared.isNew === true, id }: Showing = {}
): Awaitable<ModelInstance> {
  const { instance, changes, sent, hookState, end, row } = prepared
  const show = showing(model, instance, stored, takes)
  rememberStored(model, instance, stored)
  if (changes !== undefined)
    return finish(model, { row, sent, hookState, end, id, after: instance, isNew, show }, write)
  stateOf(instance).persisted = true
  return finish(model, { row: stored, sent, hookState, end, id: idOf(model, stored), isNew, show }, write)
}

/** Copies values that the database added, or stored in place of those of the row, to an instance. */
export function showStored(model: ModelType, instance: ModelInstance, row: Readonly<Row>, stored: Row): void {
  const { showsSent } = model.registry.rules
  for (const { name } of model.plan) {
    const [sent, value] = [row[name], stored[name]]
    if (value === undefined || value === sent || (showsSent && sent !== undefined)) continue
    if (sent === undefined || !isDeepStrictEqual(value, sent)) instance[name] = clonePlain(value)
  }
}

/** Shows the caller's instance, whose id stays. */
function showing(model: ModelType, instance: ModelInstance, row: Row, takes: boolean) {
  const isOwn = ([name]: [string, unknown]): boolean =>
    !model.keyNames.includes(name) && (model.byName.has(name) || !model.strict)
  const version = model.optimisticLocking?.property
  return (loaded: Row): ModelInstance => {
    if (version !== undefined) instance[version] = loaded[version]
    if (takes && (loaded !== row || model.hooks.has('persist')))
      assign(model, instance, Object.fromEntries(Object.entries(loaded).filter(isOwn)))
    return instance
  }
}

/** True where a model's instances show what observers make of the rows that are stored of them. */
const updatesOnLoad = ({ definition }: ModelType): boolean => definition.updateOnLoad === true
