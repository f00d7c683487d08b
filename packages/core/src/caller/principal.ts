/** Types of what is known of callers. Applications narrow them: `interface CallerTypes { userId: number }`. */
export interface CallerTypes {}

/** The id of a user: a number or a text, unless the application says otherwise. */
export type CallerId = CallerTypes extends { userId: infer T } ? T : string | number

/** Who calls, as access rules see it. Immutable. */
export interface Principal {
  readonly userId?: CallerId | undefined
  /** Name of the user model, where tokens belong to users of several models. */
  readonly userModel?: string | undefined
  /** Id of the client application that calls. */
  readonly appId?: unknown
  readonly scopes?: readonly string[] | undefined
}
