import type { RecordAction } from '../contract/action-hooks.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { convertAgain } from './build-instance.ts'

/** Runs the hooks after actions, the last one first. */
export type EndActions = () => Promise<void>

/**
 * Runs the hooks before actions on a record, and returns those that run after them; undefined if there are none.
 * @param data what the functions are given, and may change
 * @throws what a function ends the operation with
 */
export async function beginActions(
  model: ModelType,
  record: ModelInstance,
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
