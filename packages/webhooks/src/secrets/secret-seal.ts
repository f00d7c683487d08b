import { hkdfSync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { WebhookSecretSealed } from '../errors.ts'
import { isSecret } from './make-secret.ts'

/** Encrypts secrets for the database, and decrypts them. */
export interface SecretSeal {
  readonly close: (secret: string) => Promise<string>
  /** @throws {WebhookSecretSealed} none of the keys opens it */
  readonly open: (stored: string) => Promise<string>
}

/** A key that serves nothing else, whatever else the option is used for. */
const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'modelwire webhooks secrets', 32))

async function tryOpen(key: Uint8Array, sealed: string): Promise<string | undefined> {
  try {
    const { plaintext } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM']
    })
    return new TextDecoder().decode(plaintext)
  } catch {
    // Another key may fit; the caller throws when none does.
    return undefined
  }
}

/**
 * Seals secrets of endpoints with AES-256-GCM (JWE, `dir`).
 * @param secrets the first one encrypts, all of them decrypt; where there is none, secrets are stored as they are
 */
export function createSecretSeal(secrets: readonly string[]): SecretSeal {
  const keys = secrets.map(keyOf)
  const [current] = keys
  return {
    close: async (secret) =>
      current === undefined
        ? secret
        : new CompactEncrypt(new TextEncoder().encode(secret))
            .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
            .encrypt(current),
    open: async (stored) => {
      // Stored before the option was set.
      if (isSecret(stored)) return stored
      for (const key of keys) {
        const secret = await tryOpen(key, stored)
        if (secret !== undefined) return secret
      }
      throw new WebhookSecretSealed(
        'the secret of an endpoint cannot be decrypted: is the option `secret` the one of before?'
      )
    }
  }
}
