import { stateOf } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Row } from '../contract/row.ts'
import type { EndActions } from '../model/begin-actions.ts'
import { assign, toRow } from '../model/build-instance.ts'
import { validateInstance } from '../validation/validate-instance.ts'
import type { WrittenTogether } from '../validation/written-together.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { announceChange, announceDraft, announcePersist, announceStored, type StoredRecord } from './announce.ts'
import { idOf } from './identify.ts'
import type { Records } from './records.ts'
import { checkAdmitted, showAfter, type Write } from './write-within.ts'

// A write prepares what it stores, stores it, and announces it. What is prepared is a whole record here, a patch in
// update.ts, and a row where no instance is needed, in prepare-row.ts; all of them are announced by `finish`.

/** The facts of a write before the record is stored. */
interface Drafting {
  /** What the caller gave. */
  readonly sent: Row
  /** LB3: unknown for a record that saves itself. */
  readonly isNew?: boolean
  readonly where?: Row
  readonly hookState?: Row
}

/** A whole record on its way into the database. */
export interface Draft extends Drafting {
  readonly instance: ModelInstance
  readonly hookState: Row
  /** What runs once it is stored. */
  readonly end?: EndActions | undefined
}

const isNewInstance = ({ isNew }: Drafting): { readonly isNewInstance?: boolean } =>
  isNew === undefined ? {} : { isNewInstance: isNew }

/**
 * A whole record, as observers of `before save` leave it, and checked.
 * @throws {ValidationError} it breaks a rule
 */
export async function prepareDraft(
  model: ModelType,
  instance: ModelInstance,
  { call }: Write,
  drafting: Drafting,
  { together, forced }: { readonly together?: WrittenTogether | undefined; readonly forced?: Row | undefined } = {}
): Promise<Draft> {
  const { hookState = {} } = drafting
  await announceDraft(model, instance, { ...isNewInstance(drafting), hookState }, call)
  if (forced !== undefined) assign(model, instance, forced)
  await validateInstance(model, instance, drafting.isNew === true, call.options, { together })
  return { ...drafting, instance, hookState }
}

/** The row to store; observers of `persist` may change it. */
export async function rowOf(model: ModelType, draft: Draft, write: Write): Promise<Row> {
  const { instance, where, hookState } = draft
  const data = toRow(model, instance)
  const facts = { data, currentInstance: instance, ...(where && { where }), ...isNewInstance(draft), hookState }
  const row = await announcePersist(model, facts, write.call)
  await checkAdmitted(write, row)
  return row
}

/** A record that is stored now. */
export interface Stored<Shown extends Records | ModelInstance> extends StoredRecord<Shown> {
  /** What the caller gave. */
  readonly sent: Row
  readonly id: unknown
  /** The whole record, where a part of it was stored. */
  readonly after?: Row
}

/** Announces a record that is stored now, and gives what its caller may see of it. */
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

/** Stores and announces a whole record. @param takes its instance shows what observers of `persist` and `loaded` set */
export function finishDraft(
  model: ModelType,
  draft: Draft,
  row: Row,
  write: Write,
  { takes = true, isNew = draft.isNew === true } = {}
): Awaitable<ModelInstance> {
  const { instance } = draft
  stateOf(instance).persisted = true
  return finish(
    model,
    { ...draft, row, isNew, id: idOf(model, row), show: showing(model, instance, row, takes) },
    write
  )
}

/** Shows the caller's instance. @param takes it shows what observers of `persist` and `loaded` set; its id stays */
export function showing(model: ModelType, instance: ModelInstance, row: Row, takes: boolean) {
  const isOwn = ([name]: [string, unknown]): boolean =>
    name !== model.idProperty?.name && (model.byName.has(name) || !model.strict)
  const version = model.optimisticLocking?.property
  return (loaded: Row): ModelInstance => {
    if (version !== undefined) instance[version] = loaded[version]
    if (takes && (loaded !== row || model.hooks.has('persist')))
      assign(model, instance, Object.fromEntries(Object.entries(loaded).filter(isOwn)))
    return instance
  }
}

/** True where a model's instances show what observers make of the rows that are stored of them. */
export const updatesOnLoad = ({ definition }: ModelType): boolean => definition.updateOnLoad === true
