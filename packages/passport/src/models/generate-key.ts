import { createHmac, randomBytes } from 'node:crypto'
import { InvalidOption } from '@modelwire/core/plugin'

type Encoding = 'hex' | 'base64' | 'base64url'

/**
 * A random key: 32 random bytes under an HMAC. Passwords of accounts that a login makes are such keys.
 * @throws {InvalidOption} the key of the HMAC is missing
 * @see LoopBack 3: loopback-component-passport, lib/models/utils.js, generateKey
 */
export function generateKey(hmacKey: string, algorithm = 'sha1', encoding: Encoding = 'hex'): string {
  if (!hmacKey) throw new InvalidOption('generateKey needs the key of the HMAC')
  return createHmac(algorithm, hmacKey).update(randomBytes(32)).digest(encoding)
}
