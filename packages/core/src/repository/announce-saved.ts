import { notifyHook } from '../hooks/notify-hook.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import type { Row } from '../connector/connector.ts'
import { announceLoaded } from './find.ts'

/** A record that was stored, and how. */
export interface SavedRecord {
  readonly instance: Model
  /** What was stored of it. */
  readonly row: Row
  readonly isNew: boolean
  readonly hookState: Record<string, unknown>
}

/** Tells observers of a record that was stored. @see LoopBack 3: loopback-datasource-juggler, lib/dao.js */
export async function announceSaved(
  model: ModelType,
  { instance, row, isNew, hookState }: SavedRecord,
  options: Record<string, unknown>
): Promise<void> {
  await announceLoaded(model, row, isNew, options, hookState)
  await notifyHook(model, 'after save', { instance, isNewInstance: isNew, hookState }, options)
}
