import type { Call } from '../contract/call.ts'
import type { EndActions } from '../model/begin-actions.ts'
import { notifyHook } from '../model/notify-hook.ts'
import { assign } from '../model/build-instance.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Row } from '../contract/row.ts'
import { announceLoaded } from './read.ts'

/** A record that was stored, and how. */
export interface SavedRecord {
  readonly instance: ModelInstance
  /** What was stored of it. */
  readonly row: Row
  readonly isNew: boolean
  readonly hookState: Record<string, unknown>
  /** Runs once the record is stored, before observers of `after save`. */
  readonly end?: EndActions | undefined
}

/** True where a model's instances show what observers make of the rows that are stored of them. */
export const updatesOnLoad = ({ definition }: ModelType): boolean => definition.updateOnLoad === true

/** Puts what observers of `persist` and `loaded` made of a stored row into the caller's instance; its id stays. */
function takeLoaded(model: ModelType, instance: ModelInstance, loaded: Row): void {
  const taken = Object.entries(loaded).filter(
    ([name]) => name !== model.idProperty?.name && (model.byName.has(name) || !model.strict)
  )
  assign(model, instance, Object.fromEntries(taken))
}

/**
 * Tells observers of a record that was stored.
 * @param shows the instance shows what observers of `persist` and `loaded` set
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js
 */
export async function announceSaved(
  model: ModelType,
  { instance, row, isNew, hookState, end }: SavedRecord,
  call: Call,
  shows: boolean
): Promise<void> {
  const loaded = await announceLoaded(model, row, isNew, call, hookState)
  if (shows && (loaded !== row || model.hooks.has('persist'))) takeLoaded(model, instance, loaded)
  await end?.()
  await notifyHook(model, 'after save', { instance, isNewInstance: isNew, hookState }, call.options)
}
