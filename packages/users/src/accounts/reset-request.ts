import type { Model } from '@modelwire/core'

/** Who asked for a new password, and the token that lets them set one. */
export interface ResetRequest {
  readonly email: string
  readonly accessToken: Model
  readonly user: Model
  readonly options: Readonly<Record<string, unknown>>
}
