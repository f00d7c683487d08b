import type { LoginOptions } from '../provider-options.ts'
import { generateKey } from './generate-key.ts'
import { emailOf, type Profile, valueAt } from './profile.ts'

/** Properties of an account. */
export interface NewUser {
  readonly username?: unknown
  readonly email?: unknown
  readonly [property: string]: unknown
}

/** A name as the part of an address before its @: identifiers of OpenID are URLs, which LoopBack makes invalid addresses of. */
const localPart = (name: string): string => (/[\s@:;,<>()[\]\\"]/.test(name) ? encodeURIComponent(name) : name)

/**
 * The properties of the account that a profile gets, with a password that is reported to no one. Its address is one
 * that no other account has, unless the provider is a directory of the application's own.
 * @see LoopBack 3: loopback-component-passport, lib/models/user-identity.js
 */
export function profileToUser(provider: string, profile: Profile, { profileMapping }: LoginOptions): NewUser {
  const password = generateKey('password')
  if (profileMapping !== undefined) {
    const mapped = profileMapping.map(({ userField, providerField }) => [userField, valueAt(profile, providerField)])
    return { password, ...(Object.fromEntries(mapped) as NewUser) } // names of the application's own
  }
  const name = String(profile['username'] || profile.id)
  const generated = `${localPart(name)}@loopback.${String(profile['provider'] || provider)}.com`
  const email = provider === 'ldap' ? emailOf(profile) : generated
  return { username: `${provider}.${name}`, password, ...(email ? { email } : {}) }
}
