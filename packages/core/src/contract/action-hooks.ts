import type { Awaitable } from '../values/awaitable.ts'
import type { ModelInstance } from './model-instance.ts'

/** What is done to one record. A patch and a save of a stored record are an update within a save. */
export type RecordAction = 'validate' | 'create' | 'save' | 'update' | 'destroy'

/** Functions that stand around what is done to records, as the hooks of LoopBack 1 do. `boot` installs it for scripts. */
export interface ActionHooks {
  /** Whether a record has a function around one of these actions. */
  readonly has: (record: ModelInstance, actions: readonly RecordAction[]) => boolean
  /**
   * Runs before an action, with the data that it is about.
   * @returns false where a validation is left out
   */
  readonly before: (record: ModelInstance, action: RecordAction, data: unknown) => Awaitable<boolean>
  readonly after: (record: ModelInstance, action: RecordAction) => Awaitable<void>
}
