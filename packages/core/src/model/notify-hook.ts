import type { ModelType } from '../contract/model-type.ts'
import type { HookContext, HookName } from '../hooks/hook-table.ts'

/** What an operation tells its observers, besides what every context has. */
export type HookFacts = Omit<HookContext, 'Model' | 'hookState' | 'options'> & {
  hookState?: Record<string, unknown> | undefined
}

/**
 * Runs the observers of one hook and returns the context, which they may have changed. Callers ask `hooks.has` first where
 * making the context costs something.
 */
export async function notifyHook(
  model: ModelType,
  name: HookName,
  facts: HookFacts,
  options: Record<string, unknown>
): Promise<HookContext> {
  const { hookState = {} } = facts
  // In this order: a copy of an object that gets more keys afterwards is many times slower.
  const context: HookContext = Object.assign({ Model: model.modelClass, options }, facts, { hookState })
  if (model.hooks.has(name)) await model.hooks.notify(name, context)
  return context
}
