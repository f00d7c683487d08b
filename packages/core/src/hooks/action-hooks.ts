import { convertAgain } from '../model/build-instance.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import type { Awaitable } from '../values/awaitable.ts'

/** What is done to one record. A patch and a save of a stored record are an update within a save. */
export type RecordAction = 'validate' | 'create' | 'save' | 'update' | 'destroy'

/** Functions that stand around what is done to records, as the hooks of LoopBack 1 do. `boot` installs it for scripts. */
export interface ActionHooks {
  /** Whether a record has a function around one of these actions. */
  readonly has: (record: Model, actions: readonly RecordAction[]) => boolean
  /**
   * Runs before an action, with the data that it is about.
   * @returns false where a validation is left out
   */
  readonly before: (record: Model, action: RecordAction, data: unknown) => Awaitable<boolean>
  readonly after: (record: Model, action: RecordAction) => Awaitable<void>
}

/** Runs what comes after actions, the last one first. */
export type EndActions = () => Promise<void>

/**
 * Runs what stands before actions on a record, and gives what stands behind them; undefined where nothing stands around them.
 * @param data what the functions are given, and may change
 * @throws what a function ends the operation with
 */
export async function beginActions(
  model: ModelType,
  record: Model,
  actions: readonly RecordAction[],
  data: unknown
): Promise<EndActions | undefined> {
  const { actionHooks } = model.registry
  if (actionHooks?.has(record, actions) !== true) return undefined
  for (const action of actions) await actionHooks.before(record, action, data)
  convertAgain(model, record)
  return async () => {
    for (const action of actions.toReversed()) await actionHooks.after(record, action)
  }
}
