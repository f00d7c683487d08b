import { randomBytes } from 'node:crypto'

/** What secrets begin with. @see Standard Webhooks, signature scheme */
export const secretPrefix = 'whsec_'

/** A new secret for signatures: 32 random bytes. */
export const makeSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`

/** True for a secret of 24 to 64 bytes in base64 behind the prefix. @see Standard Webhooks, signature scheme */
export function isSecret(text: string): boolean {
  const base64 = text.slice(secretPrefix.length)
  if (!text.startsWith(secretPrefix) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
}
