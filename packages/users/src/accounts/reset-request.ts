import type { Model } from '@modelwire/core'

/** A requested password reset: the user, and the token for setting the new password. */
export interface ResetRequest {
  readonly email: string
  readonly accessToken: Model
  readonly user: Model
  readonly options: Readonly<Record<string, unknown>>
}
