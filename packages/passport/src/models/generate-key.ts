import { createHmac, randomBytes } from 'node:crypto'
import { InvalidOption } from '@modelwire/server'

type Encoding = 'hex' | 'base64' | 'base64url'

/**
 * A random key: 32 random bytes under an HMAC. Used as passwords of accounts that a login creates.
 * @throws {InvalidOption} the key of the HMAC is missing
 * @see LoopBack 3: loopback-component-passport, lib/models/utils.js, generateKey
 */
export function generateKey(hmacKey: string, algorithm = 'sha1', encoding: Encoding = 'hex'): string {
  if (!hmacKey) throw new InvalidOption('generateKey requires the key of the HMAC')
  return createHmac(algorithm, hmacKey).update(randomBytes(32)).digest(encoding)
}
