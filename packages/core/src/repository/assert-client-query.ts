import type { Call } from '../contract/call.ts'
import { serverCall } from '../access/call.ts'
import { compileFilter } from '../filter/compile-filter.ts'
import { checkReadable } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import { splitTrusted } from '../filter/trusted-where.ts'
import type { HookName } from '../hooks/hook-table.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'

/**
 * Checks a client's filter before observers of `hooks` change it: they may name hidden properties, as when they narrow
 * a query to one tenant, and a client must not.
 * @param restriction of the client: properties that it hides must not be named either
 * @returns the call to compile the query for, once the observers are through
 */
export function assertClientQuery(
  model: ModelType,
  hooks: readonly HookName[],
  query: unknown,
  call: Call,
  restriction?: Restriction
): Call {
  if (!hooks.some((hook) => model.hooks.has(hook))) return call
  checkReadable(model, compileFilter(model, query, call), restriction)
  // Observers see the keys that the server added as plain conditions, and everybody's are compared as these have to be.
  const { trusted } = splitTrusted(isPlainObject(query) ? query['where'] : undefined)
  return call.byServer === true || trusted.length > 0 ? serverCall() : { options: {} }
}
