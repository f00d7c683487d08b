import { type Call, serverCall } from '../caller/call.ts'
import { compileFilter } from '../filter/compile-filter.ts'
import { checkReadable, type Restriction } from '../filter/restriction.ts'
import type { HookName } from '../hooks/hook-table.ts'
import type { ModelType } from '../model/model-type.ts'

/**
 * Checks what a client asks for before observers of `hooks` change it: they may name hidden properties, as when they
 * narrow a query to one tenant, and a client must not.
 * @param restriction of the client: what it keeps from him he must not name either
 * @returns the call to compile the query for, once the observers are through
 */
export function checkAsked(
  model: ModelType,
  hooks: readonly HookName[],
  query: unknown,
  call: Call,
  restriction?: Restriction
): Call {
  if (!hooks.some((hook) => model.hooks.has(hook))) return call
  checkReadable(model, compileFilter(model, query, call), restriction)
  return serverCall()
}
