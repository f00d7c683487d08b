import { AsyncLocalStorage } from 'node:async_hooks'

/** Who caused the current work: what observers find in `options` when no options were passed on. */
export type Caller = Readonly<Record<string, unknown>>

// The one thing that follows asynchronous work without being passed on; it holds nothing between calls.
const callers = new AsyncLocalStorage<Caller>()

/** Options that concern the outer call's own filter, not the queries that its code makes. */
const ownToTheCall = new Set(['prohibitHiddenPropertiesInQuery', 'maxDepthOfQuery', 'maxDepthOfData'])

/** The caller of the current work; an empty object outside of any call. */
export function currentCaller(): Record<string, unknown> {
  const caller = callers.getStore()
  return caller === undefined ? {} : { ...caller }
}

/** Runs `work` on behalf of the caller that `options` describe. */
export function onBehalfOf<T>(options: Readonly<Record<string, unknown>>, work: () => T): T {
  const caller = Object.fromEntries(Object.entries(options).filter(([key]) => !ownToTheCall.has(key)))
  return callers.run(caller, work)
}
