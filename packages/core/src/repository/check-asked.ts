import { compileFilter, type QueryOptions } from '../filter/compile-filter.ts'
import type { HookName } from '../hooks/hook-table.ts'
import type { ModelType } from '../model/model-type.ts'

/**
 * Checks what a client asks for before observers of `hooks` change it: they may name hidden properties, as when they
 * narrow a query to one tenant, and a client must not.
 * @returns the options to compile the query with, once the observers are through
 */
export function checkAsked(
  model: ModelType,
  hooks: readonly HookName[],
  query: unknown,
  options: QueryOptions
): QueryOptions {
  if (!hooks.some((hook) => model.hooks.has(hook))) return options
  compileFilter(model, query, options)
  return {}
}
