import type { Call } from '../../contract/call.ts'
import type { Change } from '../../contract/change-log.ts'
import type { ModelInstance } from '../../contract/model-instance.ts'
import type { ModelType } from '../../contract/model-type.ts'
import type { Row } from '../../contract/row.ts'
import { changeLogOf } from '../../changes/change-log-of.ts'
import { openTrusted } from '../../filter/trusted-where.ts'
import type { HookContext, HookName } from '../../hooks/hook-table.ts'
import type { EndActions } from '../../model/begin-actions.ts'
import { type Awaitable, clonePlain, isPlainObject } from '@modelwire/server'
import type { Records } from './records.ts'

// Operation hooks of reads and writes are fired here, and nowhere else.

/** The facts that an operation passes to its observers, in addition to the common ones. */
export interface HookFacts extends Partial<Pick<HookContext, 'query' | 'where' | 'data' | 'isNewInstance' | 'info'>> {
  readonly instance?: object
  readonly currentInstance?: object
  readonly hookState?: Row
}

/** Runs the observers of one hook; returns the context, which they may have changed, or the facts if there are none. */
export async function announce(
  model: ModelType,
  name: HookName,
  facts: HookFacts,
  { options }: Call
): Promise<HookFacts> {
  if (!model.hooks.has(name)) return facts
  const { hookState = {} } = facts
  // In this order: a copy of an object that gets more keys afterwards is many times slower.
  const context = Object.assign({ Model: model.modelClass, options }, facts, { hookState })
  // Instances are objects with the properties of their record.
  await model.hooks.notify(name, context as HookContext)
  return context
}

/** Returns the filter after observers of `access` have changed a copy of it. */
export async function announceAccess(model: ModelType, raw: unknown, call: Call, hookState = {}): Promise<Row> {
  const filter = isPlainObject(raw) ? clonePlain(raw) : {}
  const query = filter['where'] === undefined ? filter : { ...filter, where: openTrusted(filter['where']) }
  return (await announce(model, 'access', { query, hookState }, call)).query ?? {}
}

/** Returns the `where` of a write after observers of `access` have changed it; the same one if there are no observers. */
export async function announceWhere(model: ModelType, where: unknown, call: Call, hookState: Row): Promise<unknown> {
  if (!model.hooks.has('access')) return where
  const left = (await announceAccess(model, { where: where ?? {} }, call, hookState))['where']
  return left ?? (model.registry.rules.normalizesUndefined ? undefined : where)
}

/** A strict model has nothing that it does not declare, whatever observers add. */
function withoutUndeclared({ strict, byName }: ModelType, row: Row): Row {
  if (!strict || Object.keys(row).every((name) => byName.has(name))) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => byName.has(name)))
}

/** Returns a row after observers of `loaded` have changed a copy of it; the row itself if there are no observers. */
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

/** Returns the data to be stored, after observers of `persist` have changed it. */
export async function announcePersist(
  model: ModelType,
  facts: HookFacts & { readonly data: Row },
  call: Call
): Promise<Row> {
  return (await announce(model, 'persist', facts, call)).data ?? facts.data
}

/** A record that was stored, and how. */
export interface StoredRecord<Shown extends Records | ModelInstance> {
  /** The stored row. */
  readonly row: Row
  readonly isNew: boolean
  /** Absent if it was prepared without observers: those added meanwhile run for the next one. */
  readonly hookState?: Row
  /** Runs once the record is stored, before observers of `after save`. */
  readonly end?: EndActions | undefined
  /**
   * Returns what the caller receives.
   * @param loaded what observers of `loaded` made of the row
   */
  readonly show: (loaded: Row) => Shown
}

/**
 * Runs the observers of a stored record; returns what the caller sees.
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js
 */
export function announceStored<Shown extends Records | ModelInstance>(
  model: ModelType,
  stored: StoredRecord<Shown>,
  call: Call
): Awaitable<Shown> {
  const { row, hookState, end, show } = stored
  if (hookState === undefined || (model.hooks.isEmpty && end === undefined)) return show(row)
  return announceObserved(model, { ...stored, hookState }, call)
}

async function announceObserved<Shown extends Records | ModelInstance>(
  model: ModelType,
  { row, isNew, hookState, end, show }: StoredRecord<Shown> & { readonly hookState: Row },
  call: Call
): Promise<Shown> {
  const instance = show(await announceLoaded(model, row, isNew, call, hookState))
  await end?.()
  await announce(model, 'after save', { instance, isNewInstance: isNew, hookState }, call)
  return instance
}

/**
 * Publishes a change on the change bus, if there are listeners for this model. A change log already has the change, and is
 * only notified.
 */
export function announceChange(model: ModelType, facts: Omit<Change, 'model'>): void {
  const { changes } = model.registry
  if (changeLogOf(model) !== undefined || changes.hasListeners(model.name))
    changes.publish({ model: model.name, ...facts })
}

/** True if a deletion must read the records first, so that listeners receive them. */
export function needsRemoved(model: ModelType): boolean {
  return changeLogOf(model) === undefined && model.registry.changes.hasListeners(model.name)
}
