import { Model } from '@modelwire/core'

/** The token behind a call, as hooks and methods find it in the options of the call. */
export interface AccessToken {
  readonly id: string
  /** Seconds. */
  readonly ttl: number
  readonly created: Date
  readonly userId: unknown
  readonly scopes?: readonly string[] | undefined
  /** Name of the user model, where there are several. */
  readonly principalType?: string | undefined
}

/** The token in the options of a call; undefined for a call without one. */
export function accessTokenOf(options: Readonly<Record<string, unknown>>): AccessToken | undefined {
  const { accessToken } = options
  // The model of tokens declares these properties.
  return accessToken instanceof Model ? (accessToken as unknown as AccessToken) : undefined
}
