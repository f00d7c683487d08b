import { hkdfSync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, type JWK } from 'jose'
import { SigningKeySealed } from './key-errors.ts'

/** Encrypts private keys for the table, and decrypts them. */
export interface KeySeal {
  readonly close: (kid: string, privateJwk: JWK) => Promise<string>
  /** @throws {SigningKeySealed} none of the secrets opens it, or it belongs to another key */
  readonly open: (kid: string, sealed: string) => Promise<JWK>
}

/** A key that serves nothing else, whatever else the secret is used for. */
function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'modelwire oauth2 signing keys', 32))
}

/**
 * Seals keys with AES-256-GCM (JWE, `dir`).
 * @param secrets the first one encrypts, all of them decrypt: so that a secret can be replaced
 */
export function createKeySeal(secrets: readonly [string, ...string[]]): KeySeal {
  const [first, ...others] = secrets
  const current = keyOf(first)
  const all = [current, ...others.map(keyOf)]
  const open = async (kid: string, sealed: string): Promise<JWK> => {
    for (const key of all) {
      const opened = await tryOpen(key, sealed)
      // A row with the key of another row is not opened.
      if (opened?.kid === kid) return opened.jwk
    }
    throw new SigningKeySealed('a stored signing key cannot be decrypted: is `keys.secret` the one of before?', {})
  }
  return {
    close: async (kid, privateJwk) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify(privateJwk)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
        .encrypt(current),
    open
  }
}

async function tryOpen(key: Uint8Array, sealed: string): Promise<{ kid: unknown; jwk: JWK } | undefined> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM']
    })
    const jwk: unknown = JSON.parse(new TextDecoder().decode(plaintext))
    return { kid: protectedHeader.kid, jwk: jwk as JWK } // only this module encrypts with the key
  } catch {
    // Another secret may fit; the caller throws when none does.
    return undefined
  }
}
