import { defaultQueryLimits, type QueryLimits } from '../limits/limits.ts'
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Types of facts about callers. Applications narrow them: `interface CallerTypes { userId: number }`.
 * @example
 * ```ts
 * import type { Principal } from '@modelwire/core'
 *
 * declare module '@modelwire/core' {
 *   interface CallerTypes {
 *     userId: number
 *   }
 * }
 * const isFirst = ({ userId = 0 }: Principal) => userId < 2 // userId is a number
 * console.log(isFirst({ userId: 1 })) // true
 * ```
 */
export interface CallerTypes {}

/**
 * The id of a user: a number or a string, unless the application declares otherwise.
 * @example
 * ```ts
 * import type { CallerId } from '@modelwire/core'
 *
 * const managers = new Set<CallerId>([1, 7])
 * const isManager = (userId: CallerId | undefined) => userId !== undefined && managers.has(userId)
 * console.log(isManager(7), isManager(undefined)) // true false
 * ```
 */
export type CallerId = CallerTypes extends { userId: infer T } ? T : string | number

/**
 * The caller, as access rules see it. Immutable.
 * @example
 * ```ts
 * import type { Principal } from '@modelwire/core'
 *
 * const greet = (principal: Principal | undefined) =>
 *   principal?.userId === undefined ? 'Hello' : `Hello, user ${principal.userId}`
 * console.log(greet({ userId: 7 })) // Hello, user 7
 * ```
 */
export interface Principal {
  readonly userId?: CallerId | undefined
  /** Name of the user model, if tokens belong to users of several models. */
  readonly userModel?: string | undefined
  /** Id of the calling client application. */
  readonly appId?: unknown
  readonly scopes?: readonly string[] | undefined
}

/** The originator of the current work: what observers find in `options` if no options were passed. */
type Caller = Readonly<Record<string, unknown>>

// The one thing that follows asynchronous work without being passed on; it holds nothing between calls.
const callers = new AsyncLocalStorage<Caller>()

/** Options that concern the outer call's own filter, not the queries that its code makes. */
const ownToTheCall = new Set(['prohibitHiddenPropertiesInQuery', 'maxDepthOfQuery', 'maxDepthOfData'])

/** The client of a request, from outside the server: one object for each request. */
export class Client {
  readonly principal: Principal | undefined
  /** The token that the request was sent with. */
  readonly accessToken: object | undefined
  /** Limits of the filters that the request may contain. */
  readonly limits: QueryLimits

  constructor(principal: Principal | undefined, accessToken: object | undefined, limits = defaultQueryLimits) {
    this.principal = principal
    this.accessToken = accessToken
    this.limits = limits
  }

  /** A copy of the client whose rights are determined anew. */
  again(): Client {
    return new Client(this.principal, this.accessToken, this.limits)
  }
}

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
