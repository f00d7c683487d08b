import type { Awaitable } from '@modelwire/server'
import type { ModelInstance } from './model-instance.ts'

/** An action on one record. A patch and a save of a stored record are an update within a save. */
export type RecordAction = 'validate' | 'create' | 'save' | 'update' | 'destroy'

/** Functions around actions on records, as the hooks of LoopBack 1. Installed by `boot` for scripts. */
export interface ActionHooks {
  /** Whether a record has a function around one of these actions. */
  readonly has: (record: ModelInstance, actions: readonly RecordAction[]) => boolean
  /**
   * Runs before an action, with its data.
   * @returns false where a validation is left out
   */
  readonly before: (record: ModelInstance, action: RecordAction, data: unknown) => Awaitable<boolean>
  readonly after: (record: ModelInstance, action: RecordAction) => Awaitable<void>
}
