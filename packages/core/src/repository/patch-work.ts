import type { Row } from '../contract/row.ts'
import { notifyHook } from '../model/notify-hook.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { whereId } from './identify.ts'
import type { Write } from './write-within.ts'

/** What the steps of one patch share. */
export interface PatchWork {
  readonly id: unknown
  readonly write: Write
  readonly hookState: Record<string, unknown>
  /** Off for an upsert by code, and for that of LoopBack: they store what they are given. */
  readonly validates: boolean
}

/** What observers of `before save` make of a patch. */
export async function announceBeforeSave(
  model: ModelType,
  currentInstance: ModelInstance,
  data: Row,
  work: PatchWork
): Promise<Row> {
  const facts = { data, where: whereId(model, work.id), currentInstance, hookState: work.hookState }
  return (await notifyHook(model, 'before save', facts, work.write.call.options)).data ?? data
}

/** What observers of `persist` make of what a patch stores. */
export async function announcePersist(
  model: ModelType,
  currentInstance: ModelInstance,
  data: Row,
  work: PatchWork
): Promise<Row> {
  const { id, hookState, write } = work
  const facts = { data, where: whereId(model, id), currentInstance, isNewInstance: false, hookState }
  return (await notifyHook(model, 'persist', facts, write.call.options)).data ?? data
}
