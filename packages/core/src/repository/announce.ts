import type { Call } from '../contract/call.ts'
import type { Change } from '../contract/change-bus.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Row } from '../contract/row.ts'
import { changeLogOf } from '../changes/change-log-of.ts'
import { openTrusted } from '../filter/trusted-where.ts'
import type { HookContext, HookName } from '../hooks/hook-table.ts'
import type { EndActions } from '../model/begin-actions.ts'
import { convertAgain } from '../model/build-instance.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { clonePlain, isPlainObject } from '../values/clone-plain.ts'
import type { Records } from './records.ts'

// Operation hooks of reads and writes are fired here, and nowhere else.

/** What an operation passes to its observers, besides what every context has. */
export interface HookFacts extends Partial<Pick<HookContext, 'query' | 'where' | 'data' | 'isNewInstance' | 'info'>> {
  readonly instance?: object
  readonly currentInstance?: object
  readonly hookState?: Row
}

/**
 * Runs the observers of one hook; returns the context, which they may have changed, or the facts where there are none.
 */
export function announce(model: ModelType, name: HookName, facts: HookFacts, { options }: Call): Awaitable<HookFacts> {
  if (!model.hooks.has(name)) return facts
  const { hookState = {} } = facts
  // In this order: a copy of an object that gets more keys afterwards is many times slower.
  const context = Object.assign({ Model: model.modelClass, options }, facts, { hookState })
  // Instances are objects with the properties of their record.
  return andThen(model.hooks.notify(name, context as HookContext), () => context)
}

/** The filter that observers of `access` make of a copy of this one. */
export async function announceAccess(model: ModelType, raw: unknown, call: Call, hookState = {}): Promise<Row> {
  const filter = isPlainObject(raw) ? clonePlain(raw) : {}
  const query = filter['where'] === undefined ? filter : { ...filter, where: openTrusted(filter['where']) }
  return (await announce(model, 'access', { query, hookState }, call)).query ?? {}
}

/** The `where` of a write that observers of `access` make of this one; the same one where there are no observers. */
export function announceWhere(model: ModelType, where: unknown, call: Call, hookState: Row): Awaitable<unknown> {
  if (!model.hooks.has('access')) return where
  return andThen(announceAccess(model, { where: where ?? {} }, call, hookState), (query) => query['where'])
}

/** A strict model has nothing that it does not declare, whatever observers add. */
function withoutUndeclared({ strict, byName }: ModelType, row: Row): Row {
  if (!strict || Object.keys(row).every((name) => byName.has(name))) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => byName.has(name)))
}

/** What observers of `loaded` make of a copy of a row; the row itself where there are no observers. */
export async function announceLoaded(
  model: ModelType,
  row: Row,
  isNewInstance: boolean,
  call: Call,
  hookState = {}
): Promise<Row> {
  if (!model.hooks.has('loaded')) return row
  const { data } = await announce(model, 'loaded', { data: clonePlain(row), isNewInstance, hookState }, call)
  return withoutUndeclared(model, data ?? row)
}

/** Shows a whole record to the observers of `before save`, and converts again what they, or code before them, may have set. */
export function announceDraft(
  model: ModelType,
  instance: ModelInstance,
  facts: HookFacts,
  call: Call
): Awaitable<void> {
  const { isNewInstance } = facts
  const isSetByCode = isNewInstance === undefined || model.hooks.has('before save') || model.hooks.requiresInstances
  return andThen(announce(model, 'before save', { ...facts, instance }, call), () => {
    // Records may have been built in a new one.
    if (isSetByCode || (isNewInstance && model.embedded.size > 0)) convertAgain(model, instance)
  })
}

/** What observers of `persist` make of the data that is about to be stored. */
export function announcePersist(
  model: ModelType,
  facts: HookFacts & { readonly data: Row },
  call: Call
): Awaitable<Row> {
  return andThen(announce(model, 'persist', facts, call), ({ data }) => data ?? facts.data)
}

/** A record that was stored, and how. */
export interface StoredRecord<Shown extends Records | ModelInstance> {
  /** What was stored of it. */
  readonly row: Row
  readonly isNew: boolean
  /** Absent where it was prepared without observers: those that were added meanwhile run for the next one. */
  readonly hookState?: Row
  /** Runs once the record is stored, before observers of `after save`. */
  readonly end?: EndActions | undefined
  /** What the caller receives of it. @param loaded what observers of `loaded` made of the row */
  readonly show: (loaded: Row) => Shown
}

/**
 * Runs the observers of a record that was stored; returns what the caller sees of it, synchronously where there are no
 * observers.
 */
export function announceStored<Shown extends Records | ModelInstance>(
  model: ModelType,
  stored: StoredRecord<Shown>,
  call: Call
): Awaitable<Shown> {
  const { row, hookState, end, show } = stored
  const isObserved = hookState !== undefined && (!model.hooks.isEmpty || end !== undefined)
  return isObserved ? announceSaved(model, { ...stored, hookState }, call) : show(row)
}

/** @see LoopBack 3: loopback-datasource-juggler, lib/dao.js */
async function announceSaved<Shown extends Records | ModelInstance>(
  model: ModelType,
  { row, isNew, hookState, end, show }: StoredRecord<Shown> & { readonly hookState: Row },
  call: Call
): Promise<Shown> {
  const instance = show(await announceLoaded(model, row, isNew, call, hookState))
  await end?.()
  await announce(model, 'after save', { instance, isNewInstance: isNew, hookState }, call)
  return instance
}

/** Publishes a change on the change bus, if there are listeners for this model. A log has the change already, and is to be read. */
export function announceChange(model: ModelType, facts: Omit<Change, 'model'>): void {
  const { changes } = model.registry
  if (changeLogOf(model) !== undefined || changes.hasListeners(model.name))
    changes.publish({ model: model.name, ...facts })
}

/** Listeners hear of the records that a deletion removes only if it reads them beforehand. */
export function needsRemoved(model: ModelType): boolean {
  return changeLogOf(model) === undefined && model.registry.changes.hasListeners(model.name)
}
