import type { UserFacts } from '../options/user-functions.ts'

/** Where a claim is found in a user's record: the first of these properties that is there. */
const sources: Readonly<Record<string, readonly string[]>> = {
  name: ['name'],
  family_name: ['family_name', 'familyName', 'lastName'],
  given_name: ['given_name', 'givenName', 'firstName'],
  middle_name: ['middle_name', 'middleName'],
  nickname: ['nickname', 'nick'],
  preferred_username: ['preferred_username', 'username'],
  profile: ['profile'],
  picture: ['picture'],
  website: ['website'],
  gender: ['gender'],
  birthdate: ['birthdate'],
  zoneinfo: ['zoneinfo'],
  locale: ['locale'],
  updated_at: ['updated_at', 'updatedAt', 'lastUpdated'],
  email: ['email'],
  email_verified: ['email_verified', 'emailVerified'],
  address: ['address'],
  phone_number: ['phone_number', 'phoneNumber', 'phone'],
  phone_number_verified: ['phone_number_verified', 'phoneNumberVerified']
}

/** Claims by scope. @see OpenID Connect Core 1.0 section 5.4 */
export const claimsOfScopes: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at'
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified']
}

type ClaimType = 'string' | 'boolean' | 'number' | 'object'
const types: Readonly<Record<string, ClaimType>> = {
  email_verified: 'boolean',
  phone_number_verified: 'boolean',
  updated_at: 'number',
  address: 'object'
}

/** Seconds since 1970 of a time, however the application keeps it. */
function toSeconds(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const time = value instanceof Date || typeof value === 'string' ? new Date(value).getTime() : Number.NaN
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}

/** An address is an object; a text is its `formatted` form. @see OpenID Connect Core 1.0 section 5.1.1 */
const toAddress = (value: unknown): unknown => (typeof value === 'string' ? { formatted: value } : value)

function claimOf(user: UserFacts, claim: string): unknown {
  const source = (sources[claim] ?? []).find((name) => user[name] !== undefined && user[name] !== null)
  const found = source === undefined ? undefined : user[source]
  if (claim === 'updated_at') return toSeconds(found)
  const value = claim === 'address' ? toAddress(found) : found
  return typeof value === (types[claim] ?? 'string') ? value : undefined
}

/** What a client with these scopes may know of a user. A property of another type than the claim's is left out. */
export function userClaims(user: UserFacts, scopes: readonly string[]): Record<string, unknown> {
  const names = scopes.flatMap((scope) => (Object.hasOwn(claimsOfScopes, scope) ? (claimsOfScopes[scope] ?? []) : []))
  const found = names.map((name) => [name, claimOf(user, name)] as const).filter(([, value]) => value !== undefined)
  return Object.fromEntries(found)
}
