import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const mark = 'sha256:'

/**
 * Hashes a token, code or secret for storage: `sha256:` and 43 characters. The input has so much entropy that neither salt
 * nor a slow hash adds anything.
 */
export function hashToken(value: string): string {
  return mark + hash('sha256', value, 'base64url')
}

/**
 * True for the output of `hashToken`. Such a string is never accepted as a token: otherwise a leaked table would be a set
 * of keys.
 */
export function isHashed(stored: string): boolean {
  return stored.startsWith(mark)
}

/** True if `value` matches a stored string, hashed or plain. Takes the same time for every wrong value. */
export function matchesStored(value: string, stored: string): boolean {
  const wanted = Buffer.from(isHashed(stored) ? stored : hashToken(stored))
  const actual = Buffer.from(hashToken(value))
  return wanted.length === actual.length && timingSafeEqual(wanted, actual)
}

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The largest multiple of 62 in a byte: greater ones would make some signs more frequent. */
const usable = 256 - (256 % signs.length)

/** An unguessable string of letters and digits: 32 characters contain 190 bits. */
export function randomText(length = 32): string {
  let text = ''
  while (text.length < length) {
    const bytes = [...randomBytes(length * 2)].filter((byte) => byte < usable)
    text += bytes.map((byte) => signs[byte % signs.length]).join('')
  }
  return text.slice(0, length)
}
