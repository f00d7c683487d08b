import type { Callback, LoginRequest, PassportHost } from '../application.ts'
import type { PassportModels } from '../configurator/passport-models.ts'
import type { ProviderOptions } from '../provider-options.ts'

/** A provider that is being configured. */
export interface Provider {
  /** Its name in the configuration. */
  readonly name: string
  /** Its name in the records. */
  readonly provider: string
  readonly authScheme: string
  readonly options: ProviderOptions
  readonly models: PassportModels
  readonly host: PassportHost
  /** Signs the user of a profile in, or links the profile to the user who is logged in. */
  readonly finish: Finish
}

/** Ends what a strategy began: with a profile, and the credentials that the provider gave. */
export type Finish = (request: LoginRequest, profile: unknown, credentials: object, done: Callback) => void

/** How providers of one kind sign users in. */
export interface Scheme {
  /** Options of the strategy besides those of the provider, which come after them. */
  readonly options: (options: ProviderOptions) => object
  /**
   * Called by the strategy when the provider has identified the user. Strategies look at how many parameters it
   * declares to decide what to call it with.
   */
  readonly verify: (provider: Provider) => unknown
}
