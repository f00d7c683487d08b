import type { Callback, LoginRequest } from '../application.ts'
import type { Scheme } from './scheme-table.ts'
import { isPlainObject } from '@modelwire/server'

type Attributes = Readonly<Record<string, unknown>>

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as readonly unknown[])[0] : value) // a list

const lists: ReadonlySet<string> = new Set(['_groups', 'memberOf'])

/** `ldap`: a directory verifies the password. */
export const ldap: Scheme = {
  options: ({ usernameField, passwordField, session }) => ({
    usernameField: usernameField || 'username',
    passwordField: passwordField || 'password',
    session,
    authInfo: true,
    passReqToCallback: true
  }),
  verify:
    ({ finish, options }) =>
    (request: LoginRequest, user: unknown, done: Callback) => {
      if (user) finish(request, buildLdapProfile(user, options), {}, done)
      else done(null)
    }
}

/** Sixteen bytes as text: directories give ids of accounts as bytes. */
function uuidOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) return undefined
  const hex = Buffer.from(value as string) // it takes bytes, too
    .toString('hex')
    .padEnd(32, '0') // `from` takes both
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** The parts of a profile that Passport's own have, by the attribute that they come from. */
function contactOf(user: Attributes, attributes: readonly string[]): Attributes {
  const has = (name: string): boolean => attributes.includes(name)
  const name = {
    ...(has('givenName') && { givenName: user['givenName'] }),
    ...(has('sn') && { familyName: user['sn'] })
  }
  return {
    ...(Object.keys(name).length > 0 && { name }),
    ...(has('mail') && { emails: [{ value: first(user['mail']) }] })
  }
}

/**
 * The profile of a directory's user: `profileAttributesFromLDAP` maps attributes to parts of the profile, and required
 * parts are added.
 * @see LoopBack 3: loopback-component-passport, lib/passport-configurator.js, buildUserLdapProfile
 */
export function buildLdapProfile(user: unknown, options: unknown): Record<string, unknown> {
  const attributes: Attributes = isPlainObject(user) ? user : {}
  const mapping: unknown = isPlainObject(options) ? options['profileAttributesFromLDAP'] : undefined
  const pairs = Object.entries(isPlainObject(mapping) ? mapping : {}).map(
    ([part, name]) => [part, String(name)] as const
  )
  const mapped = pairs.map(([part, name]) => {
    const value = attributes[name]
    return [part, lists.has(name) ? [value].flat() : first(value)] as const
  })
  const names = pairs.map(([, name]) => name)
  const profile: Record<string, unknown> = { ...contactOf(attributes, names), ...Object.fromEntries(mapped) }
  return { ...profile, ...missingParts(attributes, profile) }
}

function missingParts(user: Attributes, { username, id, emails }: Attributes): Attributes {
  const email = first(user['mail'])
  return {
    ...(!username && { username: first(user['cn']) }),
    ...(!id && { id: user['uid'] ?? uuidOf(user['objectGUID']) }),
    ...(!emails && email ? { emails: [{ value: email }] } : {})
  }
}
