import { hash, timingSafeEqual } from 'node:crypto'

const mark = 'sha256:'

/**
 * The form in which tokens, codes and secrets are stored: `sha256:` and 43 signs. What is hashed has so much entropy that
 * neither salt nor a slow hash adds anything.
 */
export function hashToken(value: string): string {
  return mark + hash('sha256', value, 'base64url')
}

/** True for what `hashToken` makes. Such a text is never accepted as a token: a leaked table would be a set of keys. */
export function isHashed(stored: string): boolean {
  return stored.startsWith(mark)
}

/** True when `value` is what a stored text stands for, hashed or plain. Takes as long for every wrong value. */
export function matchesStored(value: string, stored: string): boolean {
  const wanted = Buffer.from(isHashed(stored) ? stored : hashToken(stored))
  const actual = Buffer.from(hashToken(value))
  return wanted.length === actual.length && timingSafeEqual(wanted, actual)
}
