import { AsyncLocalStorage } from 'node:async_hooks'
import type { Principal } from './operation.ts'

/** Where the options of a call hold its `CallOrigin`: copies of them have it as well, what is written of them does not. */
export const originKey: unique symbol = Symbol('origin of the call')

/** Who makes a call from outside: one object for each request of somebody who is known. */
export interface CallOrigin {
  readonly principal: Principal
}

/** The origin of the call that these options are of; undefined for one of nobody, or of code. */
export function originOf(options: Readonly<Record<string, unknown>>): CallOrigin | undefined {
  const { [originKey]: origin } = options as { readonly [originKey]?: CallOrigin } // nobody else has this key
  return origin
}

/** Who caused the work at hand: what observers find in `options` when nobody handed options on. */
export type Caller = Readonly<Record<string, unknown>>

// The one thing that follows asynchronous work without being handed on; it holds nothing between calls.
const callers = new AsyncLocalStorage<Caller>()

/** Options that concern the outer call's own filter, not the queries that its code makes. */
const ownToTheCall = new Set(['prohibitHiddenPropertiesInQuery', 'maxDepthOfQuery', 'maxDepthOfData'])

/** The caller of the work at hand; an empty object outside of any call. */
export function currentCaller(): Record<string, unknown> {
  const caller = callers.getStore()
  return caller === undefined ? {} : { ...caller }
}

/** Runs `work` on behalf of the caller that `options` describe. */
export function onBehalfOf<T>(options: Readonly<Record<string, unknown>>, work: () => T): T {
  const caller = Object.fromEntries(Object.entries(options).filter(([key]) => !ownToTheCall.has(key)))
  return callers.run(caller, work)
}
