import { isPlainObject } from '@modelwire/server'
import { ProfileIdMissing } from '../errors.ts'

/**
 * The profile of a user from a strategy.
 * @see https://www.passportjs.org/reference/normalized-profile
 */
export interface Profile {
  id?: unknown
  readonly [property: string]: unknown
}

/**
 * A profile with the id of its user. Profiles without one would be indistinguishable.
 * @throws {ProfileIdMissing} it has none
 */
export function readProfile(value: unknown): Profile & { readonly id: unknown } {
  const profile: Profile = isPlainObject(value) || (typeof value === 'object' && value !== null) ? { ...value } : {}
  const id = profile.id || profile['openid']
  if (id === undefined || id === null || id === '') throw new ProfileIdMissing("the provider's profile has no id")
  return { ...profile, id }
}

/** The first email address of a profile. */
export function emailOf(profile: Profile): unknown {
  const { emails } = profile
  const first: unknown = Array.isArray(emails) ? emails[0] : undefined
  return isPlainObject(first) ? first['value'] : undefined
}

/** True if the provider itself reports that an address is not verified. */
export function isUnverified(profile: Profile, email: unknown): boolean {
  const { emails, _json: raw } = profile
  const entries: readonly unknown[] = Array.isArray(emails) ? emails : []
  const verified = entries.filter(isPlainObject).find(({ value }) => value === email)?.['verified']
  const claims = isPlainObject(raw) ? [raw['email_verified'], raw['verified_email']] : []
  return [verified, ...claims].some((value) => value === false || value === 'false')
}

/** The value at a path such as `emails[0].value`. @see LoopBack 3: loopback-component-passport, lib/models/user-identity.js */
export function valueAt(profile: Profile, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  return steps.reduce<unknown>(
    (value, step) => (Object.hasOwn(Object(value), step) ? Reflect.get(Object(value), step) : undefined),
    profile
  )
}
