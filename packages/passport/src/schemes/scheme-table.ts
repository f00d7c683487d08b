import type { ProviderOptions } from '../provider-options.ts'
import { ldap } from './ldap.ts'
import { local } from './local.ts'
import { oAuth1, oAuth2, openId, openIdConnect, saml } from './redirecting.ts'
import type { Callback, LoginRequest, PassportHost } from '../application.ts'
import type { PassportModels } from '../models/passport-models.ts'

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
  /** Signs in the user of a profile, or links the profile to the logged-in user. */
  readonly finish: Finish
}

/** Completes what a strategy started: with a profile, and the provider's credentials. */
export type Finish = (request: LoginRequest, profile: unknown, credentials: object, done: Callback) => void

/** How providers of one kind sign users in. */
export interface Scheme {
  /** Options of the strategy, overridden by those of the provider. */
  readonly options: (options: ProviderOptions) => object
  /**
   * Called by the strategy once the provider has identified the user. Strategies choose the arguments by the number of
   * parameters that it declares.
   */
  readonly verify: (provider: Provider) => unknown
}

/** Schemes by their names in small letters. */
const schemes: Readonly<Record<string, Scheme>> = {
  local,
  ldap,
  oauth: oAuth1,
  oauth1: oAuth1,
  'oauth 1.0': oAuth1,
  openid: openId,
  'openid connect': openIdConnect,
  saml
}

/** The scheme of a provider by its name, in any case. Unknown ones are treated as OAuth 2.0. */
export function schemeOf(authScheme: string): Scheme {
  return schemes[authScheme.toLowerCase()] ?? oAuth2
}

/** The name of the scheme if the configuration does not set it. */
export function guessScheme({ consumerKey, realm, clientID }: ProviderOptions): string {
  if (consumerKey) return 'oAuth1'
  if (realm) return 'OpenID'
  return clientID ? 'oAuth 2.0' : 'local'
}
