import type { ProviderOptions } from '../provider-options.ts'
import { ldap } from './ldap.ts'
import { local } from './local.ts'
import { oAuth1, oAuth2, openId, openIdConnect, saml } from './redirecting.ts'
import type { Scheme } from './scheme.ts'

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

/** The scheme of a provider by its name, in any case. What has none of its own is taken for OAuth 2.0. */
export function schemeOf(authScheme: string): Scheme {
  return schemes[authScheme.toLowerCase()] ?? oAuth2
}

/** The name of the scheme where the configuration does not name it. */
export function guessScheme({ consumerKey, realm, clientID }: ProviderOptions): string {
  if (consumerKey) return 'oAuth1'
  if (realm) return 'OpenID'
  return clientID ? 'oAuth 2.0' : 'local'
}
